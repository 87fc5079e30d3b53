"""Products of groups whose sizes are in an array."""

import re

import numpy
import pytest

jax = pytest.importorskip("jax")

from comparing import EPSILON, check, error  # noqa: E402
from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402

import grout  # noqa: E402
import grout.jax  # noqa: E402

ROWS, COUNT = 30, 4
SIZES = {
    "all_rows": [7, 3, 12, 8],
    "rows_beyond": [5, 2, 9, 1],
    "groups_without_rows": [0, 13, 0, 4],
    "no_rows": [0, 0, 0, 0],
    "one_with_rows": [0, 0, 30, 0],
    "more_than_there_are": [5, 20, 9, 3],
    "far_too_many": [2**31 - 1, 0, 2**31 - 1, 2**31 - 1],
    "negative": [4, -3, 10, -(2**31)],
}


def random(*shape, dtype="float32", seed=0):
    values = numpy.random.default_rng([seed, *shape]).standard_normal(shape)
    return jnp.asarray(values).astype(dtype)


def as_sizes(name, dtype="int32"):
    return jnp.asarray(numpy.asarray(SIZES[name]).astype(dtype))


def expected(x, w, sizes):
    """In f64. Rows in no group are zeros; a negative size is zero."""
    x, w = (numpy.asarray(value).astype("float64") for value in (x, w))
    result, begin = numpy.zeros((len(x), w.shape[2])), 0
    for matrix, size in zip(w, numpy.asarray(sizes).tolist()):
        end = min(begin + max(size, 0), len(x))
        result[begin:end] = x[begin:end] @ matrix
        begin = end
    return result


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("k, n", [(16, 24), (13, 7)])
def test_one_function_takes_all_sizes(dtype, k, n):
    run = grout.jax.jit(lax.ragged_dot)
    x = random(ROWS, k, dtype=dtype)
    w = random(COUNT, k, n, dtype=dtype)
    for name in SIZES:
        y = run(x, w, as_sizes(name))
        assert y.shape == (ROWS, n) and y.dtype == dtype
        assert error(y, expected(x, w, as_sizes(name))) <= EPSILON[dtype]


def test_random_shapes_and_sizes():
    for seed in range(12):
        choose = numpy.random.default_rng(seed)
        rows, count, k, n = choose.integers(1, [80, 9, 70, 50])
        x, w = random(rows, k), random(count, k, n)
        sizes = jnp.asarray(choose.integers(0, 2 * rows // count + 2, count))
        got = grout.jax.jit(lax.ragged_dot)(x, w, sizes)
        assert error(got, expected(x, w, sizes)) <= EPSILON["float32"]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "uint32"]
)
def test_sizes_of_other_types(dtype):
    """More rows than these types count, for the short ones."""
    x, w = random(300, 8), random(COUNT, 8, 8)
    limit = min(jnp.iinfo(dtype).max, 200)
    sizes = jnp.asarray([limit, 3, 0, limit], dtype)
    got = grout.jax.jit(lax.ragged_dot)(x, w, sizes)
    assert error(got, expected(x, w, sizes)) <= EPSILON["float32"]


def test_sizes_of_64_bits():
    with jax.enable_x64(True):
        x, w = random(ROWS, 8), random(COUNT, 8, 8)
        for dtype in ("int64", "uint64"):
            sizes = jnp.asarray([3, 2**33, 0, 2**62], dtype)
            got = grout.jax.jit(lax.ragged_dot)(x, w, sizes)
            assert error(got, expected(x, w, sizes)) <= EPSILON["float32"]


def test_sums_of_sizes_that_wrap_around():
    """Each of 2^12 groups has all 2^20 rows, so an int32 does not have the sums
    of the sizes. All rows are in the first group."""
    rows, count = 2**20, 2**12
    x, w, sizes = random(rows, 1), random(count, 1, 1), jnp.full(count, rows)
    got = grout.jax.jit(lax.ragged_dot)(x, w, sizes)
    assert error(got, x * w[0]) <= EPSILON["float32"]
    sums = grout.jax.jit(general(([0], [0]), ([], []), 0))(x, x, sizes)
    assert error(sums[0], x.T @ x) <= EPSILON["float32"]
    assert not sums[1:].any()


@pytest.mark.parametrize(
    "of_x, of_w, preferred",
    [
        ("bfloat16", "bfloat16", "float32"),
        ("float16", "float16", "float32"),
        ("float32", "float32", "bfloat16"),
        ("bfloat16", "float32", None),
        ("float16", "bfloat16", None),
    ],
)
def test_types_of_results(of_x, of_w, preferred):
    check(
        lambda x, w, sizes: lax.ragged_dot(
            x, w, sizes, preferred_element_type=preferred
        ),
        random(ROWS, 16, dtype=of_x),
        random(COUNT, 16, 8, dtype=of_w),
        as_sizes("rows_beyond"),
    )


def test_rows_reach_only_their_own_results():
    """Rows in no group may have any values, and so may other matrices."""
    x = random(ROWS, 8).at[17:].set(jnp.nan)
    w = random(COUNT, 8, 8).at[2].set(jnp.inf)
    sizes = as_sizes("groups_without_rows")
    got = grout.jax.jit(lax.ragged_dot)(x, w, sizes)
    assert error(got, expected(x, w, sizes)) <= EPSILON["float32"]


def test_what_follows_applies_to_all_rows():
    def function(x, w, bias, sizes):
        y = jax.nn.silu(lax.ragged_dot(x, w, sizes) + bias)
        return y, jnp.maximum(lax.ragged_dot(x, w, sizes), -0.5)

    check(
        function,
        random(ROWS, 16),
        random(COUNT, 16, 24),
        random(24),
        as_sizes("rows_beyond"),
    )


@pytest.mark.parametrize("target", ["cpu", "h200"])
def test_what_follows_is_in_the_kernel(target):
    def function(x, w, bias, sizes):
        return jax.nn.silu(lax.ragged_dot(x, w, sizes) + bias)

    compiled = grout.jax.jit(function, target=target)
    args = [
        jax.ShapeDtypeStruct(shape, "bfloat16")
        for shape in ((ROWS, 16), (COUNT, 16, 24), (24,))
    ] + [jax.ShapeDtypeStruct((COUNT,), "int32")]
    assert compiled.compile(*args).target == target
    text = grout.explain(compiled.as_text(*args), target=target)
    kernels = re.findall(r"kernel \S+ \((\S+)\)", text)
    assert kernels[-1] == "tgemm.grouped_matmul"
    assert set(kernels[:-1]) == {"scop.kernel"}


def test_f32_is_refused_on_a_gpu():
    compiled = grout.jax.jit(lax.ragged_dot, target="h200")
    with pytest.raises(
        grout.CompileError, match="'ragged_dot_general' multiplies f32"
    ):
        compiled.compile(
            random(ROWS, 16), random(COUNT, 16, 24), as_sizes("all_rows")
        )


def experts(x, gate, up, down, sizes):
    hidden = jax.nn.silu(lax.ragged_dot(x, gate, sizes))
    hidden *= lax.ragged_dot(x, up, sizes)
    return lax.ragged_dot(hidden, down, sizes)


def experts_arguments(dtype="float32"):
    return (
        random(ROWS, 16, dtype=dtype),
        random(COUNT, 16, 24, dtype=dtype),
        random(COUNT, 16, 24, dtype=dtype, seed=1),
        random(COUNT, 24, 16, dtype=dtype),
        as_sizes("rows_beyond"),
    )


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_experts(dtype):
    check(experts, *experts_arguments(dtype))


def test_experts_that_a_router_chooses():
    def function(x, router, w):
        chosen = jnp.argmax(x @ router, 1)
        order = jnp.argsort(chosen)
        sizes = jnp.bincount(chosen, length=COUNT)
        y = lax.ragged_dot(x[order], w, sizes)
        return jnp.zeros_like(y).at[order].set(y)

    check(function, random(ROWS, 16), random(16, COUNT), random(COUNT, 16, 8))


@pytest.mark.parametrize(
    "name",
    [name for name in SIZES if name not in ("far_too_many", "negative")],
)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_gradients(name, dtype):
    def function(x, w, sizes):
        def loss(x, w):
            return (lax.ragged_dot(x, w, sizes).astype("float32") ** 2).sum()

        return jax.value_and_grad(loss, (0, 1))(x, w)

    check(
        function,
        random(ROWS, 13, dtype=dtype),
        random(COUNT, 13, 10, dtype=dtype),
        as_sizes(name),
    )


def test_gradients_of_experts():
    *arrays, sizes = experts_arguments()
    check(
        jax.grad(lambda *args: (experts(*args, sizes) ** 2).sum(), range(4)),
        *arrays,
    )


def test_second_derivatives():
    def function(x, w, sizes):
        def first(x, w):
            def cubes(x):
                return (lax.ragged_dot(x, w, sizes) ** 3).sum()

            return (jax.grad(cubes)(x) ** 2).sum()

        return jax.grad(first, (0, 1))(x, w)

    check(
        function, random(ROWS, 8), random(COUNT, 8, 8), as_sizes("rows_beyond")
    )


def test_tangents():
    def function(x, w, sizes):
        return jax.jvp(
            lambda x, w: lax.ragged_dot(x, w, sizes), (x, w), (2 * x, w + 1)
        )

    check(
        function, random(ROWS, 8), random(COUNT, 8, 8), as_sizes("rows_beyond")
    )


def sizes_of_each(*shape):
    """Random sizes, of which some reach beyond 10 rows."""
    return jnp.asarray(
        numpy.random.default_rng(5).integers(0, 6, shape), "int32"
    )


def test_batches_of_groups():
    check(
        jax.vmap(lax.ragged_dot),
        random(3, 10, 8),
        random(3, COUNT, 8, 5),
        sizes_of_each(3, COUNT),
    )


def test_gradients_of_batches_of_groups():
    check(
        jax.vmap(
            jax.grad(
                lambda x, w, sizes: (lax.ragged_dot(x, w, sizes) ** 2).sum(),
                (0, 1),
            )
        ),
        random(3, 10, 8),
        random(3, COUNT, 8, 5),
        sizes_of_each(3, COUNT),
    )


def test_batches_of_batches_of_groups():
    """JAX itself has no second vmap."""
    x, w = random(2, 3, 10, 8), random(2, 3, COUNT, 8, 5)
    sizes = sizes_of_each(2, 3, COUNT)
    got = grout.jax.jit(jax.vmap(jax.vmap(lax.ragged_dot)))(x, w, sizes)
    for i, j in numpy.ndindex(2, 3):
        wanted = expected(x[i, j], w[i, j], sizes[i, j])
        assert error(got[i, j], wanted) <= EPSILON["float32"]


def general(sums, batch, ragged, groups=()):
    numbers = lax.RaggedDotDimensionNumbers((sums, batch), [ragged], groups)
    return lambda x, y, sizes: lax.ragged_dot_general(x, y, sizes, numbers)


@pytest.mark.parametrize(
    "function, x, y, sizes",
    [
        # Rows, of which each has free axes before and behind it.
        (
            general(([4], [1]), ([0], [2]), 2, [3]),
            (2, 3, 10, 2, 8),
            (5, 8, 2, COUNT),
            (2, 3, COUNT),
        ),
        # Free axes and summed axes, in any order.
        (
            general(([0, 3], [4, 1]), ([], []), 2, [2]),
            (3, 2, 10, 4),
            (5, 4, COUNT, 2, 3),
            (2, COUNT),
        ),
        (
            general(([0, 3], [4, 1]), ([], []), 2, [2]),
            (3, 2, 10, 4),
            (5, 4, COUNT, 2, 3),
            (COUNT,),
        ),
        # Sums.
        (general(([0], [0]), ([], []), 0), (10, 8), (10, 5), (COUNT,)),
        (
            general(([1], [2]), ([0], [0]), 1),
            (2, 10, 8),
            (2, 5, 10),
            (2, COUNT),
        ),
        (
            general(([1, 2, 4], [0, 3, 1]), ([0], [2]), 2),
            (2, 3, 10, 8, 2),
            (3, 2, 2, 10, 5),
            (2, 3, COUNT),
        ),
        (
            general(([1, 2, 4], [0, 3, 1]), ([0], [2]), 2),
            (2, 3, 10, 8, 2),
            (3, 2, 2, 10, 5),
            (COUNT,),
        ),
        # Batches.
        (
            general(([2], [1]), ([0], [0]), 0),
            (10, 4, 8),
            (10, 8, 5),
            (COUNT,),
        ),
        (
            general(([3], [1]), ([0, 1], [3, 0]), 1),
            (2, 10, 4, 8),
            (10, 8, 5, 2),
            (2, COUNT),
        ),
    ],
    ids=range(9),
)
def test_general_products(function, x, y, sizes):
    check(function, random(*x), random(*y), sizes_of_each(*sizes))


def test_sums_of_groups_take_only_their_rows():
    """NaN and infinity stay in the results of their own groups."""
    x = random(ROWS, 8).at[8, 3].set(jnp.nan).at[29].set(jnp.inf)
    y = random(ROWS, 5).at[20].set(jnp.inf).at[29].set(jnp.nan)
    check(
        general(([0], [0]), ([], []), 0), x, y, as_sizes("groups_without_rows")
    )
    check(general(([0], [0]), ([], []), 0), x, y, as_sizes("all_rows"))


@pytest.mark.parametrize("rows, count", [(1, 1), (1, 40), (33, 40), (300, 3)])
def test_sums_of_few_and_many_groups(rows, count):
    sizes = numpy.random.default_rng(3).integers(
        0, 2 * rows // count + 2, count
    )
    check(
        general(([0], [0]), ([], []), 0),
        random(rows, 8),
        random(rows, 5),
        jnp.asarray(sizes),
    )


def test_matrices_stay_as_they_are_stored():
    """A matrix that is stored transposed, here and for gradients, is not copied."""

    def function(x, w, sizes):
        return lax.ragged_dot(x, w.swapaxes(1, 2), sizes)

    args = random(ROWS, 16), random(COUNT, 24, 16), as_sizes("rows_beyond")
    text = grout.jax.jit(function).as_text(*args)
    assert "transpose_rhs" in text and "4x16x24" not in text
    check(function, *args)
    numbers = general(([1], [2]), ([], []), 0, [0])
    text = grout.jax.jit(numbers).as_text(*args)
    assert "transpose_rhs" in text and "4x16x24" not in text
    check(numbers, *args)
