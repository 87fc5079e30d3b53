"""The targets that Python knows, which the compiler tells it."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import grout
from grout import _description, _libraries, targets


def test_are_those_of_the_compiler():
    described = _description.describe(_libraries.compiler())
    assert described == _libraries.description()
    assert list(targets.known()) == [
        target["name"] for target in described["targets"]
    ]
    assert targets.get("h200").has_attention is True


def test_devices_are_those_that_the_code_is_for():
    for target in _libraries.description()["targets"]:
        device = targets.get(target["name"]).device_type
        assert device == ("cuda" if target["code"] == 1 else "cpu")


def known_in(folder):
    """The names of the targets, as a process finds them if the libraries are in
    `folder`."""
    code = "import sys, grout.targets; print(*grout.targets.known())"
    environment = {**os.environ, "GROUT_LIBRARY_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()


def test_are_described_without_a_compiler(tmp_path):
    toy = {"name": "toy", "architecture": "sm_90a", "processors": 7}
    description = tmp_path / "libGroutCompiler.json"
    description.write_text(json.dumps({"targets": [toy]}))
    assert known_in(tmp_path) == ["toy"]


def test_are_asked_for_without_a_description(tmp_path):
    library = pathlib.Path(_libraries.compiler()._name)
    (tmp_path / library.name).symlink_to(library.resolve())
    assert known_in(tmp_path) == list(targets.known())


def convolution(stride, padding, reach):
    """A convolution of one row of an image whose filter has two elements, or
    one if it reaches nowhere."""
    size, dilation = (2, reach) if reach else (1, 1)
    extent = 64 * stride + reach
    pixels = (extent + 2 * padding - reach - 1) // stride + 1
    x, w = f"tensor<1x1x{extent}x64xf16>", f"tensor<64x1x{size}x64xf16>"
    return f"""func.func @f(%x: {x}, %w: {w}) -> tensor<{pixels}x64xf16> {{
      %y = tgemm.conv2d %x, %w {{
        strides = array<i64: 1, {stride}>, dilations = array<i64: 1, {dilation}>,
        padding = array<i64: 0, 0, {padding}, {padding}>
      }} : {x}, {w} -> tensor<{pixels}x64xf16>
      return %y : tensor<{pixels}x64xf16>
    }}"""


@pytest.mark.parametrize(
    "stride, padding, reach",
    [
        *((stride, 0, 2) for stride in (8, 9)),
        *((1, 0, reach) for reach in (128, 129)),
        *((1, padding, 1) for padding in (128, 129)),
        *((1, padding, 0) for padding in (127, 128)),
        *((1, 128, reach) for reach in (255, 256)),
        *((1, padding, 200) for padding in (71, 72)),
    ],
)
def test_filters_are_those_of_kernels(stride, padding, reach):
    program = convolution(stride, padding, reach)
    if targets.get("h200").has_filters(stride, padding, reach):
        assert grout.compile(program, target="h200", reference=False)
    else:
        with pytest.raises(grout.CompileError, match="TMA"):
            grout.compile(program, target="h200", reference=False)


def attention(size):
    q = f"tensor<1x4x128x{size}xf16>"
    return f"""func.func @f(%q: {q}, %k: {q}) -> {q} {{
      %y = tgemm.attention %q, %k, %k {{scale = 1.0 : f32}} : {q}, {q}, {q} -> {q}
      return %y : {q}
    }}"""


@pytest.mark.parametrize("size", [8, 12, 256, 264])
def test_heads_are_those_of_kernels(size):
    h200 = targets.get("h200")
    if size % h200.head_unit == 0 and size <= h200.max_head_elements:
        assert grout.compile(attention(size), target="h200", reference=False)
    else:
        with pytest.raises(grout.CompileError, match="multiples of 8 up to"):
            grout.compile(attention(size), target="h200", reference=False)


# What drivers say of them: TB/s are those of clock and bus.
@pytest.mark.parametrize(
    "name, processors, rate, megabytes, target, alike",
    [
        ("NVIDIA H100 80GB HBM3", 132, 3.352e12, 50, "h100", True),
        ("NVIDIA H200", 132, 4.917e12, 60, "h200", True),
        ("NVIDIA GH200 144G HBM3e", 132, 4.9e12, 60, "h200", True),
        ("NVIDIA GH200 480GB", 132, 4.02e12, 60, "h100", False),
        ("NVIDIA H100 PCIe", 114, 2.04e12, 50, "h100", False),
        ("NVIDIA H20", 78, 4.0e12, 60, "h100", False),
        # A PyTorch that does not know the memory's rate leaves the name.
        ("NVIDIA H200", 132, 0, 50, "h200", True),
        ("NVIDIA H100 80GB HBM3", 132, 0, 50, "h100", True),
    ],
)
def test_are_found_by_what_a_gpu_has(
    name, processors, rate, megabytes, target, alike
):
    gpu = targets.Gpu(name, (9, 0), processors, rate, megabytes << 20)
    assert targets.of_gpu(gpu) is targets.get(target)
    assert targets.is_alike(gpu, targets.get(target)) == alike


def test_run_only_on_gpus_of_their_architecture():
    a100 = targets.Gpu("NVIDIA A100-SXM4-80GB", (8, 0), 108, 2.039e12, 40 << 20)
    assert targets.of_gpu(a100) is targets.get("a100")
    assert targets.of_gpu(targets.Gpu("Tesla T4", (7, 5), 40)) is None
    assert targets.cpu().capability is None


def test_others_are_refused():
    with pytest.raises(ValueError, match="cpu, .*h200.*, not 'abacus'"):
        targets.get("abacus")
