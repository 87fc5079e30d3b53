"""Programs to modules."""

import threading

import pytest
from programs import elementwise, product

import grout

CONVOLUTION = """func.func @f(%x: tensor<1x8x4xf16>, %w: tensor<3x4x4xf16>,
    %y: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %r = linalg.conv_1d_nwc_wcf
      ins(%x, %w : tensor<1x8x4xf16>, tensor<3x4x4xf16>)
      outs(%y : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %r : tensor<1x6x4xf32>
}"""


def test_a_program_becomes_a_module():
    module = grout.compile(elementwise((3, 5)))
    assert str(module.inputs[0]) == "x: f32[3, 5]"
    assert [info.shape for info in module.outputs] == [(3, 5)]
    assert (module.name, module.target) == ("f", "cpu")
    assert "f for cpu" in repr(module)


def test_bytes_are_programs_too():
    assert grout.compile(elementwise((3,)).encode()).name == "f"


def test_gpus_need_none_to_compile_for():
    module = grout.compile(elementwise((64,)), target="h200", mode="pdl")
    assert (module.target, module.mode) == ("h200", "pdl")


def test_refusals_have_diagnostics():
    with pytest.raises(grout.CompileError) as caught:
        grout.compile(CONVOLUTION, target="h200", name="conv.mlir")
    first = caught.value.diagnostics[0]
    assert (first.severity, first.file, first.line) == ("error", "conv.mlir", 3)
    assert first.op == "linalg.conv_1d_nwc_wcf"
    assert first.reason == (
        "cannot be compiled for h200: it is no convolution of images by rows "
        "and columns"
    )
    assert str(caught.value).startswith("conv.mlir:3:8: error: 'linalg.conv")


def test_programs_that_are_none():
    with pytest.raises(grout.CompileError):
        grout.compile("func.func @f(")
    with pytest.raises(TypeError, match="not int"):
        grout.compile(7)


def test_options_are_those_of_the_compiler():
    options = grout.options()
    assert options["mode"].default == "persistent"
    assert "serial" in options["launch_policy"].values
    assert options["tuning"].values == ()
    assert all(option.help for option in options.values())
    # Each default can be given, if the target is a GPU.
    given = {name: option.default for name, option in options.items()}
    given["target"] = "h200"
    program = elementwise((3,))
    del given["emit"], given["list_tilings"]
    assert grout.compile(program, **given).artifact


def test_options_that_are_none():
    program = elementwise((3,))
    with pytest.raises(ValueError, match="there is no option 'colour'"):
        grout.compile(program, colour="blue")
    with pytest.raises(ValueError, match="option 'mode' takes"):
        grout.compile(program, mode="fast")
    with pytest.raises(ValueError, match="targets are: .*cpu, .*h200"):
        grout.compile(program, target="abacus")
    with pytest.raises(ValueError, match="grout-compile --emit"):
        grout.compile(program, emit="ptx")
    with pytest.raises(ValueError, match="need a GPU as --target"):
        grout.compile(program, scop_tree="akg")
    with pytest.raises(ValueError, match="call grout.tilings"):
        grout.compile(program, list_tilings=2)


def test_options_are_passed_on():
    small = grout.compile(elementwise((3,)), reference=False)
    assert len(small.artifact) < len(grout.compile(elementwise((3,))).artifact)


def test_tilings():
    (function,) = grout.tilings(product(64, 128, 256), count=3)
    (only,) = function["products"]
    assert function["name"] == "f"
    assert only["key"] == "64x128x256 f16->f16"
    assert len(only["candidates"]) == 3
    assert only["choice"] == only["candidates"][0]["tiling"]
    with pytest.raises(grout.CompileError, match="no matrix product"):
        grout.tilings(elementwise((3,)), count=3)
    with pytest.raises(ValueError, match="'cpu' are not modelled"):
        grout.tilings(product(64, 128, 256), count=3, target="cpu")
    with pytest.raises(ValueError, match="count is 0; at least one"):
        grout.tilings(product(64, 128, 256), count=0)
    with pytest.raises(ValueError, match="emit is not to be chosen here"):
        grout.explain(product(64, 128, 256), emit="ptx")
    with pytest.raises(TypeError, match="a name is a str, not int"):
        grout.compile(product(64, 128, 256), name=5)


def test_explanations_and_timelines(mlp, tmp_path):
    assert "every read is covered" in grout.explain(mlp, mode="overlap")
    drawing = grout.timeline(mlp, target="h200")
    assert drawing._repr_svg_().startswith("<svg")
    drawing.save(tmp_path / "mlp.svg")
    assert (tmp_path / "mlp.svg").read_text() == drawing.svg


def test_threads_compile_at_once():
    programs = [elementwise((3, n)) for n in range(1, 5)]
    alone = [grout.compile(program).artifact for program in programs]
    together = [None] * len(programs)

    def compile_one(i):
        together[i] = grout.compile(programs[i]).artifact

    threads = [
        threading.Thread(target=compile_one, args=(i,))
        for i in range(len(programs))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_the_version_is_told():
    assert grout.version().count(".") == 2
