"""What is refused, and how."""

import pathlib

import numpy
import pytest

jax = pytest.importorskip("jax")

from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402

import grout  # noqa: E402
import grout.jax  # noqa: E402

X = jnp.arange(12.0).reshape(3, 4)
INDICES = jnp.asarray([0, 2])
W = jnp.ones((2, 4, 8))


def looped(x):
    return lax.while_loop(
        lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 2), (0, x)
    )


def scanned(x):
    return lax.scan(lambda total, row: (total + row, total), x[0], x)


def printed(x):
    jax.debug.print("{}", x)
    return x


def called(x):
    return jax.pure_callback(numpy.sin, x, x)


def mapped(x):
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")
    return jax.shard_map(
        lambda x: x + 1, mesh=mesh, in_specs=spec, out_specs=spec
    )(x)


@pytest.mark.parametrize(
    "function, args, op, reason",
    [
        (
            lambda x, i: x.at[i].apply(jnp.sin),
            (X, INDICES),
            "scatter",
            "applies a function",
        ),
        (
            lambda x: jnp.sort(x),
            (jnp.zeros(5000),),
            "sort",
            "sorts 5000 elements; at most 4096",
        ),
        (
            lambda x: lax.top_k(x, 2),
            (jnp.zeros(5000),),
            "top_k",
            "at most 4096",
        ),
        (looped, (X,), "while", "is a loop"),
        (scanned, (X,), "scan", "unroll=True unrolls it"),
        (
            lambda x: lax.fori_loop(0, 3, lambda i, y: y * 2, x),
            (X,),
            "scan",
            "unroll=True",
        ),
        (
            lambda x, w: lax.conv(x, w, (1, 1, 1), "SAME"),
            (jnp.ones((2, 3, 8, 8, 8)), jnp.ones((4, 3, 3, 3, 3))),
            "conv_general_dilated",
            "no convolution of images by rows and columns",
        ),
        (
            lambda x: jnp.linalg.cholesky(x @ x.T),
            (X,),
            "cholesky",
            "custom_call",
        ),
        (
            lambda x: jnp.fft.rfft(x).real,
            (X,),
            "fft",
            "elements of type complex64",
        ),
        (lambda x: (x + 1j).imag, (X,), "convert_element_type", "complex64"),
        (
            lambda x: x.astype("float8_e5m2").astype("float32"),
            (X,),
            "convert_element_type",
            "float8_e5m2",
        ),
        (
            lambda x: lax.conv(
                x[None, :0, :, None], jnp.ones((2, 0, 1, 1)), (1, 1), "SAME"
            ),
            (X,),
            "conv_general_dilated",
            "without elements",
        ),
        (
            lambda x: x + jax.random.normal(jax.random.key(0), x.shape),
            (X,),
            "random_seed",
            "key<fry>",
        ),
        (printed, (X,), "debug_print", "effects"),
        (mapped, (X,), "shard_map", "for several devices"),
        (
            lambda x: lax.ragged_dot(x, W.astype("int32"), INDICES),
            (X.astype("int32"),),
            "ragged_dot_general",
            "of type int32; float16, bfloat16, float32 are supported",
        ),
        (
            lambda x: lax.ragged_dot(x, W, INDICES, group_offset=0),
            (X,),
            "ragged_dot_general",
            "has a group_offset",
        ),
        (called, (X,), "pure_callback", "custom_call"),
        (
            lambda x: lax.pad(x, x[0, 0], ((1, 1, 0), (0, 0, 0))),
            (X,),
            "pad",
            "tensor.extract",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_operations(function, args, op, reason):
    with pytest.raises(grout.CompileError) as caught:
        grout.jax.jit(function)(*args)
    first = caught.value.diagnostics[0]
    assert (first.severity, first.op) == ("error", op)
    assert reason in first.reason
    assert pathlib.Path(first.file) == pathlib.Path(__file__)
    assert first.line > 1
    assert f"'{op}'" in str(caught.value)


def test_more_places_than_can_be_counted():
    function = grout.jax.jit(lambda x, i: x.at[i, i].add(1))
    with pytest.raises(grout.CompileError, match="more places than int32"):
        function.compile(
            jax.ShapeDtypeStruct((2**16, 2**16), "float32"),
            jax.ShapeDtypeStruct((3,), "int32"),
        )


def test_more_rows_than_can_be_counted():
    function = grout.jax.jit(lax.ragged_dot)
    with pytest.raises(
        grout.CompileError, match="more than 1,073,741,823 rows"
    ):
        function.compile(
            jax.ShapeDtypeStruct((2**30, 4), "float32"),
            jax.ShapeDtypeStruct(W.shape, "float32"),
            jax.ShapeDtypeStruct((2,), "int32"),
        )


def test_place():
    def function(x):
        y = x + 1
        return jnp.cumsum(jnp.linalg.cholesky(y @ y.T))

    with pytest.raises(grout.CompileError) as caught:
        grout.jax.jit(function)(X)
    first = caught.value.diagnostics[0]
    assert first.line == function.__code__.co_firstlineno + 2


def test_products_of_other_types():
    with jax.enable_x64(True):
        x = jnp.ones((4, 4), "float64")
        with pytest.raises(
            grout.CompileError, match="'dot_general'.*'f64' are not supported"
        ):
            grout.jax.jit(jnp.matmul)(x, x)
    x = jnp.ones((4, 4), "int32")
    with pytest.raises(grout.CompileError, match="'dot_general'.*'i32'"):
        grout.jax.jit(jnp.matmul)(x, x)


@pytest.mark.parametrize(
    "function, args, message",
    [
        (lambda x: x, (jnp.ones((0, 3)),), "without elements: float32.0,3."),
        (lambda x: x, (jnp.ones(3, "complex64"),), "an argument of.*complex64"),
        (lambda x: x, (jax.random.key(0),), "elements of type key<fry>"),
        (lambda x: jnp.zeros((2, 0)), (X,), "without elements"),
        (lambda x: x, (jnp.ones(3, "int4"),), "int4"),
    ],
    ids=range(5),
)
def test_arguments_and_results(function, args, message):
    with pytest.raises(grout.CompileError, match=message):
        grout.jax.jit(function)(*args)


def test_arguments_that_are_none():
    compiled = grout.jax.jit(lambda x: x + 1)
    with pytest.raises(TypeError):
        compiled("text")
    with pytest.raises(TypeError):
        compiled(X, X)
    with pytest.raises(ValueError, match="[Ii]ncompatible shapes"):
        grout.jax.jit(lambda x, y: x + y)(X, jnp.ones(3))
