"""What functions compute."""

import numpy
import pytest

jax = pytest.importorskip("jax")

from cases import CASES, CPU_ONLY  # noqa: E402
from comparing import check  # noqa: E402
from jax import numpy as jnp  # noqa: E402

import grout  # noqa: E402
import grout.jax  # noqa: E402


def arguments(shapes, dtype):
    random = numpy.random.default_rng(2)
    return [
        jnp.asarray(random.standard_normal(shape)).astype(dtype)
        for shape in shapes
    ]


@pytest.mark.parametrize("name", CASES)
def test_f32(name):
    function, *shapes = CASES[name]
    check(function, *arguments(shapes, "float32"))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "name",
    [
        "arithmetic",
        "gelu_erf",
        "where",
        "reductions",
        "softmax",
        "layer_norm",
        "matmul",
        "matmul_batches",
        "groups",
        "concatenate",
        "attention",
        "mlp",
        "block",
        "grad_mlp",
    ],
)
def test_narrow(name, dtype):
    function, *shapes = CASES[name]
    check(function, *arguments(shapes, dtype))


def test_precision_that_is_asked_for():
    function, *shapes = CASES["attention_nn"]
    check(function, *arguments(shapes, "bfloat16"))


@pytest.mark.parametrize(
    "name",
    [
        "exponentials",
        "gelu_erf",
        "reductions",
        "softmax",
        "layer_norm",
        "grad_layer_norm",
    ],
)
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


@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "uint8", "uint16", "uint32"]
)
def test_integers(dtype):
    def function(x, y):
        return (
            x + y,
            x // y,
            x % y,
            x & y,
            x ^ y,
            ~x,
            x << 1,
            x >> 1,
            x < y,
            jnp.maximum(x, y),
            x.max(),
            x.astype("float32"),
        )

    limits = jnp.iinfo(dtype)
    check(
        function,
        jnp.asarray([limits.min, limits.max, 7, 100, 3], dtype),
        jnp.asarray([2, 3, 7, 5, limits.max], dtype),
    )


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_numbers_beyond_integers(dtype):
    x = jnp.asarray(
        [
            numpy.nan,
            numpy.inf,
            -numpy.inf,
            3e9,
            -3e9,
            300,
            -300,
            -0.5,
            127.5,
            -128.5,
            2.0**31,
            2.0**24,
        ],
        dtype,
    )

    def function(x):
        return [
            x.astype(to)
            for to in (
                "int8",
                "uint8",
                "int16",
                "uint16",
                "int32",
                "uint32",
                "bool",
            )
        ]

    for got, wanted in zip(grout.jax.jit(function)(x), jax.jit(function)(x)):
        assert got.dtype == wanted.dtype
        numpy.testing.assert_array_equal(got, wanted)


def test_long_integers():
    with jax.enable_x64(True):
        x = jnp.asarray([2**62, -5, 7])
        check(lambda x: (x // 3, x * 2), x)
        check(lambda x: x // 3, x.astype("uint64"))
        check(
            lambda x: (x.astype("int64"), x.astype("uint64")),
            jnp.asarray([1e19, -1e19, 2.0**63, -5.5, numpy.nan]),
        )


@pytest.mark.parametrize(
    "function",
    [
        lambda x, i: x[i],
        lambda x, i: x[i - 4] * 2,
        lambda x, i: x[i + 5],
        lambda x, i: x[i, i],
        lambda x, i: x[:, i].sum(1),
        lambda x, i: jnp.exp(x)[i],
        lambda x, i: jnp.take(x, i + 5, 1),
        lambda x, i: x.at[i + 5].get(mode="fill", fill_value=-1.0),
        lambda x, i: jnp.take_along_axis(x[:2], i, 1),
        lambda x, i: x[i[0, 0]],
        lambda x, i: jax.lax.dynamic_slice(x, (i[1, 0], i[0, 1]), (4, 5)),
        lambda x, i: jax.lax.dynamic_slice(x, (i[0, 0] + 7, i[0, 1]), (4, 5)),
        lambda x, i: jax.lax.dynamic_slice_in_dim(x, -3, 2),
    ],
)
def test_places(function):
    check(
        function,
        jnp.asarray(
            numpy.random.default_rng(3).standard_normal((10, 8)), "float32"
        ),
        jnp.asarray([[1, 2, 7], [3, 4, 0]]),
    )


TABLE = numpy.random.default_rng(3).standard_normal((10, 8, 3))
ROWS = [3, 0, 3, 12, -1]
"""One comes twice; one is outside."""


@pytest.mark.parametrize(
    "function",
    [
        lambda x, i: x.at[i].add(x[:5]),
        lambda x, i: x.at[i].subtract(x[:5]),
        lambda x, i: x.at[i].multiply(x[:5]),
        lambda x, i: x.at[i].max(x[:5]),
        lambda x, i: x.at[i].min(x[:5]),
        lambda x, i: x.at[:, i].add(2),
        lambda x, i: x.at[i, i - 1].add(x[1, :5]),
        lambda x, i: x.at[i, :, i % 3].add(x[:5, :, 1]),
        lambda x, i: x.at[i].add(1, mode="clip"),
        lambda x, i: x.at[i[0]].set(x[1]),
        lambda x, i: x.at[3].set(2),
        lambda x, i: x.at[i[:2]].set(x[:2]),
        lambda x, i: x.at[1:9:3].set(7),
        lambda x, i: x.at[i[3]].set(0),
        lambda x, i: x.at[2, i[4]].set(0),
        lambda x, i: x.at[:, 2:5, 1].multiply(3),
        lambda x, i: jax.vmap(lambda row, j: row.at[j].set(row[0]))(
            x[:5], i % 8
        ),
        lambda x, i: jax.ops.segment_sum(x[:5], i % 4, 4),
        lambda x, i: jax.grad(lambda x: (x[i] ** 2).sum())(x),
        lambda x, i: jax.grad(lambda x: (x[i] @ x[0].T).sum())(x),
        lambda x, i: jnp.bincount(i % 4, length=4),
        lambda x, i: jax.lax.dynamic_update_slice(
            x, x[:3, :2], (i[0], i[1], i[1])
        ),
        lambda x, i: jax.lax.dynamic_update_slice(
            x, x[:3, 1:], (i[3], i[0], i[0])
        ),
        lambda x, i: jax.lax.dynamic_update_slice_in_dim(x, x[:1], i[4], 0),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
def test_elements_at_places(function, dtype):
    x = jnp.asarray(TABLE * 5).astype(dtype)
    if "grad" in function.__code__.co_names and dtype == "int32":
        pytest.skip("integers have no gradients")
    check(function, x, jnp.asarray(ROWS))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32"])
def test_places_of_other_types(dtype):
    places = jnp.asarray([1, 120, 7], dtype)
    x = jnp.zeros((130, 2))
    check(lambda x, i: x.at[i].add(1), x, places)
    check(
        lambda x, i: jax.lax.dynamic_update_slice(x, x[:3] + 1, (i[1], i[0])),
        x,
        places,
    )


def test_sums_at_places_of_large_arrays():
    """As a product, in which what is not finite stays in its row."""
    random = numpy.random.default_rng(4)
    x = jnp.asarray(random.standard_normal((600, 300)), "float32")
    i = jnp.asarray(random.integers(-10, 610, 400))
    updates = random.standard_normal((400, 300)).astype("float32")
    updates[5:7, 7], updates[7, 8] = (numpy.inf, -numpy.inf), numpy.nan
    assert x.shape[0] * updates.size > 2**26
    check(lambda x, i, y: x.at[i].add(y), x, i, jnp.asarray(updates))


ODD = [[3, -1, 3, numpy.nan, 0.5, numpy.inf, -numpy.inf, 0.5, numpy.nan, 2]]


@pytest.mark.parametrize(
    "function",
    [
        jnp.sort,
        jnp.argsort,
        lambda x: jnp.sort(x, 0),
        lambda x: jnp.sort(x, descending=True),
        lambda x: jnp.argsort(x, descending=True),
        lambda x: jax.lax.top_k(x, 4),
        lambda x: jax.lax.top_k(x, 1),
        lambda x: jnp.lexsort((x[0], x[1])),
        lambda x: jax.lax.sort((x, -x), num_keys=2),
        lambda x: jnp.median(x, 1),
        lambda x: jnp.quantile(x, 0.3, 0),
        lambda x: jnp.percentile(x, 60),
        lambda x: jnp.unique(x, size=5),
    ],
)
@pytest.mark.parametrize("kind", ["float32", "bfloat16", "int32", "odd"])
def test_sorting(function, kind):
    x = jnp.asarray(TABLE[:, :, 0] * 5).astype(
        "float32" if kind == "odd" else kind
    )
    check(function, jnp.asarray(ODD * 2, "float32") if kind == "odd" else x)


def test_reductions_along_no_axis():
    x = jnp.asarray(TABLE, "float32")
    check(lambda x: (x.sum(()), x.max(()), (x > 0).any(())), x)


def test_convolutions():
    def function(x, w, v):
        layout = "NHWC", "HWIO", "NHWC"
        return (
            jax.lax.conv(x, w, (1, 1), "SAME"),
            jax.lax.conv(x, w, (2, 1), "VALID"),
            jax.lax.conv_general_dilated(
                x.transpose(0, 2, 3, 1),
                v,
                (1, 1),
                ((1, 2), (0, 1)),
                rhs_dilation=(1, 2),
                dimension_numbers=layout,
            ),
        )

    random = numpy.random.default_rng(5)
    check(
        function,
        *(
            jnp.asarray(random.standard_normal(shape), "float32")
            for shape in ((2, 3, 9, 8), (4, 3, 3, 3), (3, 3, 3, 4))
        ),
    )


def test_convolutions_of_rows():
    def function(x, w):
        return (
            jax.lax.conv(x, w, (2,), "SAME"),
            jax.lax.conv_general_dilated(
                x.transpose(0, 2, 1),
                w.transpose(2, 1, 0),
                (1,),
                ((2, 1),),
                rhs_dilation=(2,),
                dimension_numbers=("NWC", "WIO", "NWC"),
            ),
        )

    random = numpy.random.default_rng(6)
    check(
        function,
        *(
            jnp.asarray(random.standard_normal(shape), "float32")
            for shape in ((2, 3, 19), (4, 3, 3))
        ),
    )


@pytest.mark.parametrize(
    "layout", (("NCHW", "OIHW", "NCHW"), ("HNWC", "HIOW", "CWNH"))
)
def test_convolutions_of_each_channel(layout):
    def function(x, w):
        return jax.lax.conv_general_dilated(
            x,
            w,
            (1, 2),
            ((1, 1), (0, 1)),
            feature_group_count=3,
            dimension_numbers=layout,
        )

    random = numpy.random.default_rng(7)
    sizes = {"N": 2, "C": 3, "O": 3, "I": 1}
    check(
        function,
        *(
            jnp.asarray(
                random.standard_normal(
                    [sizes.get(axis, extent) for axis in axes]
                ),
                "float32",
            )
            for axes, extent in zip(layout, (7, 3))
        ),
    )


def test_convolutions_of_rows_of_each_channel():
    def function(x, w, dtype=None):
        return jax.lax.conv_general_dilated(
            x,
            w,
            (1,),
            "SAME",
            feature_group_count=3,
            dimension_numbers=("NCH", "OIH", "NCH"),
            preferred_element_type=dtype,
        )

    random = numpy.random.default_rng(8)
    x, w = (
        jnp.asarray(random.standard_normal(shape), "float32")
        for shape in ((2, 3, 9), (3, 1, 3))
    )
    check(function, x, w)
    halves = x.astype("float16"), w.astype("float16")
    result = grout.jax.jit(lambda x, w: function(x, w, jnp.float32))(*halves)
    assert result.dtype == jnp.float32
    numpy.testing.assert_allclose(
        result,
        function(*(half.astype("float32") for half in halves)),
        rtol=1e-5,
        atol=1e-5,
    )


def test_truth_values():
    x, y = jnp.asarray([True, False, True]), jnp.asarray([True, True, False])
    check(lambda x, y: (x & y, x | y, ~x, x ^ y, x == y, x.any()), x, y)
