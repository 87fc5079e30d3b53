"""What functions compute."""

import numpy
import pytest

jax = pytest.importorskip("jax")

from jax import numpy as jnp  # noqa: E402

import grout  # noqa: E402
import grout.jax  # noqa: E402
from cases import CASES, CPU_ONLY  # noqa: E402
from comparing import check  # noqa: E402


def arguments(shapes, dtype):
    random = numpy.random.default_rng(2)
    return [jnp.asarray(random.standard_normal(shape)).astype(dtype)
            for shape in shapes]


@pytest.mark.parametrize("name", CASES)
def test_f32(name):
    function, *shapes = CASES[name]
    check(function, *arguments(shapes, "float32"))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", [
    "arithmetic", "gelu_erf", "where", "reductions", "softmax", "layer_norm",
    "matmul", "matmul_batches", "concatenate", "attention", "mlp", "block",
    "grad_mlp"])
def test_narrow(name, dtype):
    function, *shapes = CASES[name]
    check(function, *arguments(shapes, dtype))


def test_precision_that_is_asked_for():
    function, *shapes = CASES["attention_nn"]
    check(function, *arguments(shapes, "bfloat16"))


@pytest.mark.parametrize("name", ["exponentials", "gelu_erf", "reductions",
                                  "softmax", "layer_norm", "grad_layer_norm"])
def test_f64(name):
    function, *shapes = CASES[name]
    with jax.enable_x64(True):
        args = arguments(shapes, "float64")
        assert args[0].dtype == "float64"
        check(function, *args)


@pytest.mark.parametrize("name", CASES)
def test_h200(name):
    function, *shapes = CASES[name]
    compiled = grout.jax.jit(function, target="h200")
    args = [jax.ShapeDtypeStruct(shape, "float16") for shape in shapes]
    if name in CPU_ONLY:
        with pytest.raises(grout.CompileError, match="h200"):
            compiled.compile(*args)
    else:
        assert compiled.compile(*args).target == "h200"


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "uint16",
                                   "uint32"])
def test_integers(dtype):
    def function(x, y):
        return (x + y, x // y, x % y, x & y, x ^ y, ~x, x << 1, x >> 1, x < y,
                jnp.maximum(x, y), x.max(), x.astype("float32"))
    limits = jnp.iinfo(dtype)
    check(function, jnp.asarray([limits.min, limits.max, 7, 100, 3], dtype),
          jnp.asarray([2, 3, 7, 5, limits.max], dtype))


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_numbers_beyond_integers(dtype):
    x = jnp.asarray([numpy.nan, numpy.inf, -numpy.inf, 3e9, -3e9, 300, -300,
                     -0.5, 127.5, -128.5, 2.0 ** 31, 2.0 ** 24], dtype)

    def function(x):
        return [x.astype(to) for to in ("int8", "uint8", "int16", "uint16",
                                        "int32", "uint32", "bool")]
    for got, wanted in zip(grout.jax.jit(function)(x), jax.jit(function)(x)):
        assert got.dtype == wanted.dtype
        numpy.testing.assert_array_equal(got, wanted)


def test_long_integers():
    with jax.enable_x64(True):
        x = jnp.asarray([2 ** 62, -5, 7])
        check(lambda x: (x // 3, x * 2), x)
        check(lambda x: x // 3, x.astype("uint64"))
        check(lambda x: (x.astype("int64"), x.astype("uint64")),
              jnp.asarray([1e19, -1e19, 2.0 ** 63, -5.5, numpy.nan]))


@pytest.mark.parametrize("function", [
    lambda x, i: x[i], lambda x, i: x[i - 4] * 2, lambda x, i: x[i + 5],
    lambda x, i: x[i, i], lambda x, i: x[:, i].sum(1),
    lambda x, i: jnp.exp(x)[i],
    lambda x, i: jnp.take(x, i + 5, 1), lambda x, i: x.at[i + 5].get(
        mode="fill", fill_value=-1.0),
    lambda x, i: jnp.take_along_axis(x[:2], i, 1),
    lambda x, i: x[i[0, 0]],
    lambda x, i: jax.lax.dynamic_slice(x, (i[1, 0], i[0, 1]), (4, 5)),
    lambda x, i: jax.lax.dynamic_slice(x, (i[0, 0] + 7, i[0, 1]), (4, 5)),
    lambda x, i: jax.lax.dynamic_slice_in_dim(x, -3, 2),
])
def test_places(function):
    check(function, jnp.asarray(numpy.random.default_rng(3).standard_normal(
        (10, 8)), "float32"), jnp.asarray([[1, 2, 7], [3, 4, 0]]))


def test_truth_values():
    x, y = jnp.asarray([True, False, True]), jnp.asarray([True, True, False])
    check(lambda x, y: (x & y, x | y, ~x, x ^ y, x == y, x.any()), x, y)
