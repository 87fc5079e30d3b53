"""Modules as functions on arrays."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy
import pytest
from programs import elementwise

import grout


def random(*shape, dtype=numpy.float32):
    return numpy.random.default_rng(1).standard_normal(shape).astype(dtype)


@pytest.fixture(scope="module")
def add():
    return grout.compile(elementwise((3, 5)))


@pytest.mark.parametrize(
    "dtype, numpys, op",
    [
        ("f16", "float16", "arith.addf"),
        ("f32", "float32", "arith.addf"),
        ("f64", "float64", "arith.addf"),
        ("i8", "int8", "arith.addi"),
        ("i16", "int16", "arith.addi"),
        ("i32", "int32", "arith.addi"),
        ("i64", "int64", "arith.addi"),
        ("i1", "bool", "arith.xori"),
    ],
)
def test_types(dtype, numpys, op):
    module = grout.compile(elementwise((7,), dtype, op))
    numbers = numpy.random.default_rng(1).integers(0, 2, (2, 7))
    x, y = numbers.astype(numpys)
    z = module(x, y)
    assert z.dtype == x.dtype
    numpy.testing.assert_array_equal(z, x ^ y if dtype == "i1" else x + y)


def test_bfloat16_of_numpy():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    module = grout.compile(elementwise((7,), "bf16"))
    x, y = random(2, 7).astype(bfloat16)
    z = module(x, y)
    assert z.dtype == bfloat16
    numpy.testing.assert_array_equal(z, x + y)


APPEND = """
func.func @append(%new: tensor<1x2x4xf16>, %rows: tensor<2x9x4xf16> {grout.in_place = 1},
                  %place: tensor<1x1xi64>) -> (tensor<1x2x4xf16>, tensor<2x9x4xf16>) {
  %e = tensor.empty() : tensor<1x2x4xf16>
  %twice = linalg.add ins(%new, %new : tensor<1x2x4xf16>, tensor<1x2x4xf16>)
    outs(%e : tensor<1x2x4xf16>) -> tensor<1x2x4xf16>
  %r = tensor.scatter %twice into %rows[%place] scatter_dims([1]) unique
    : (tensor<1x2x4xf16>, tensor<2x9x4xf16>, tensor<1x1xi64>) -> tensor<2x9x4xf16>
  return %twice, %r : tensor<1x2x4xf16>, tensor<2x9x4xf16>
}
"""


@pytest.fixture(scope="module")
def append():
    return grout.compile(APPEND)


@pytest.mark.parametrize("offset", [0, 3])
def test_results_in_place(append, offset):
    assert [info.in_place for info in append.outputs] == [None, 1]
    new = random(1, 2, 4, dtype=numpy.float16)
    rows = random(72 + offset, dtype=numpy.float16)[offset:].reshape(2, 9, 4)
    wanted = rows.copy()
    for place in (4, 8, 0, 4):
        wanted[:, place] = 2 * new[0]
        twice, result = append(new, rows, numpy.array([[place]]))
        assert result is rows
        numpy.testing.assert_array_equal(twice, 2 * new)
        numpy.testing.assert_array_equal(rows, wanted)
    for outside in (-1, 9, 2**62):
        append(new, rows, numpy.array([[outside]]))
        numpy.testing.assert_array_equal(rows, wanted)


def test_what_cannot_be_updated(append):
    new, rows = (
        random(*shape, dtype=numpy.float16) for shape in ((1, 2, 4), (2, 9, 4))
    )
    place = numpy.array([[0]])
    with pytest.raises(ValueError, match="in place of input 'rows'"):
        append(new, rows, place, out=[new.copy(), rows.copy()])
    rows.flags.writeable = False
    with pytest.raises(TypeError, match="input 'rows' cannot be exported"):
        append(new, rows, place)
    with pytest.raises(TypeError, match="arrays of JAX cannot be"):
        append(new, pytest.importorskip("jax.numpy").asarray(rows), place)


def test_chains_of_products(mlp):
    x, w1, w2 = (
        random(*shape, dtype=numpy.float16) / 4
        for shape in ((48, 32), (32, 64), (64, 16))
    )
    y = grout.compile(mlp)(x, w1, w2)
    hidden = (x.astype(float) @ w1).astype(numpy.float16)
    numpy.testing.assert_allclose(
        y, hidden.astype(float) @ w2, rtol=1e-3, atol=1e-4
    )


def test_saved_modules_run_in_a_process_without_the_compiler(add, tmp_path):
    add.save(tmp_path / "add.grout")
    code = """
import sys, numpy, grout
x = numpy.ones((3, 5), numpy.float32)
assert (grout.load(sys.argv[1])(x, x) == 2).all()
assert grout._libraries.compiler.cache_info().currsize == 0
"""
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "add.grout")],
        check=True,
        env=os.environ,
    )
    again = grout.load((tmp_path / "add.grout").read_bytes())
    x = random(3, 5)
    numpy.testing.assert_array_equal(again(x, x), x + x)


def test_outputs_may_be_given(add):
    x, z = random(3, 5), numpy.zeros((3, 5), numpy.float32)
    assert add(x, x, out=[z]) is z
    numpy.testing.assert_array_equal(z, x + x)


@pytest.mark.parametrize("offset", [0, 1, 5])
def test_arrays_may_begin_anywhere(add, offset):
    memory = random(100)
    x = memory[offset : offset + 15].reshape(3, 5)
    z = numpy.zeros(100, numpy.float32)
    add(x, x, out=[z[offset : offset + 15].reshape(3, 5)])
    numpy.testing.assert_array_equal(
        z[offset : offset + 15].reshape(3, 5), x + x
    )
    assert not z[:offset].any() and not z[offset + 15 :].any()


def test_what_may_not_be_written_can_be_read(add):
    x = random(3, 5)
    x.flags.writeable = False
    numpy.testing.assert_array_equal(add(x, x), x + x)
    with pytest.raises(TypeError, match="output 'result0' cannot be exported"):
        add(x, x, out=[x])


def test_arrays_that_do_not_fit(add):
    x = random(3, 5)
    for bad, message in (
        (random(5, 3), r"input 'y' is f32\[3, 5\], not f32\[5, 3\]"),
        (random(3, 5, dtype=float), r"not f64\[3, 5\]"),
        (numpy.ones((3, 5), "u2"), r"not u16\[3, 5\]"),
        (numpy.ones((3, 5), "c8"), r"not complex64\[3, 5\]"),
        (random(5, 3).T, "input 'y' is not dense and row-major"),
        (random(3, 10)[:, ::2], "not dense"),
    ):
        with pytest.raises(ValueError, match=message):
            add(x, bad)
    with pytest.raises(TypeError, match="f has 2 inputs .*, not 1"):
        add(x)
    with pytest.raises(TypeError, match="f has 1 outputs .*, not 2"):
        add(x, x, out=[x, x])
    with pytest.raises(TypeError, match="input 'y' is a list, which has no"):
        add(x, x.tolist())
    with pytest.raises(TypeError, match="cannot be exported by DLPack"):
        add(x, numpy.array([["a"] * 5] * 3))


def test_outputs_that_overlap_are_refused(add):
    x = grout._arrays.aligned((3, 5), "f32")
    with pytest.raises(grout.RunError, match="overlaps"):
        add(x, x, out=[x])


def test_modules_for_gpus_refuse_arrays_of_the_cpu():
    module = grout.compile(elementwise((3,)), target="h200")
    with pytest.raises(ValueError, match="input 'x' is not on the GPU"):
        module(random(3), random(3))


def test_copies(add):
    x, y = random(2, 3, 5)
    for other in (copy.deepcopy(add), pickle.loads(pickle.dumps(add))):
        numpy.testing.assert_array_equal(other(x, y), x + y)


def test_damaged_artifacts_are_refused(add, tmp_path):
    for bad in (b"", b"no artifact", add.artifact[:-100]):
        with pytest.raises(grout.RunError):
            grout.load(bad)
    with pytest.raises(FileNotFoundError):
        grout.load(tmp_path / "none.grout")


SUM = """func.func @sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = collective.all_reduce %x ranks 2 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}"""


def test_functions_of_several_ranks(tmp_path):
    module = grout.compile(SUM)
    assert module.ranks == 2
    assert module.symmetric_bytes >= 4 * 8 * 4
    with pytest.raises(grout.RunError, match="is for 2 ranks"):
        module(random(4, 8))
    module.save(tmp_path / "sum.grout")
    info = grout.info(tmp_path / "sum.grout")
    assert (info.ranks, info.symmetric_bytes) == (2, module.symmetric_bytes)
    assert "  ranks   2, each with " in str(info)


def test_functions_of_one_rank(add):
    assert (add.ranks, add.symmetric_bytes) == (1, 0)


def test_threads_share_a_module(add):
    wrong = []

    def run(seed):
        x = numpy.full((3, 5), seed, numpy.float32)
        for _ in range(50):
            if not (add(x, x) == 2 * x).all():
                wrong.append(seed)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_forked_processes(add):
    """They have none of the threads that run the module."""
    x = random(3, 5)
    add(x, x)
    child = os.fork()
    if not child:
        signal.alarm(20)
        os._exit(0 if (add(x, x) == 2 * x).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


class Exported:
    """Another library's array."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()


def test_any_library_with_dlpack(add):
    x = random(3, 5)
    numpy.testing.assert_array_equal(add(Exported(x), Exported(x)), x + x)


class OnGPU(Exported):
    """An array that says so; its memory is the host's."""

    def __dlpack_device__(self):
        return grout._dlpack.CUDA, 0

    def __dlpack__(self, *, stream=None):
        assert stream == -1
        return self.array.__dlpack__()


def test_arrays_on_gpus_are_exported_without_waiting():
    module = grout.compile(elementwise((3,)), target="h200")
    with pytest.raises(ValueError, match="input 'x' is not on the GPU"):
        module(OnGPU(random(3)), OnGPU(random(3)))


def test_pytorch(add):
    torch = pytest.importorskip("torch")
    x = torch.randn(3, 5, requires_grad=True)
    z = add(x, x)
    assert isinstance(z, torch.Tensor)
    assert torch.equal(z, (x + x).detach())
    negative = torch._neg_view(z)
    assert torch.equal(add(negative, z), torch.zeros(3, 5))
    with pytest.raises(TypeError, match="negates what is in memory"):
        add(z, z, out=[negative])
