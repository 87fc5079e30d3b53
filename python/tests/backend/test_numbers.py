"""Signs of zero and of what is no number, and numbers that are divided, as in
eager."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

import grout.torch
from grout.torch.decompositions import tables

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
NUMBERS = [
    -0.3,
    -0.0,
    0.0,
    0.4,
    -1.0,
    -2.5,
    7.0,
    math.inf,
    -math.inf,
    math.nan,
    -math.nan,
    4.0,
]


def compiled(function):
    return torch.compile(
        function, backend="grout", options={"fallback": "error"}
    )


def is_same(result, wanted):
    """The signs of what is no number are not compared."""
    is_none = wanted.isnan()
    return (
        result.dtype == wanted.dtype
        and torch.equal(result.isnan(), is_none)
        and torch.equal(result[~is_none], wanted[~is_none])
        and torch.equal(
            torch.signbit(result)[~is_none], torch.signbit(wanted)[~is_none]
        )
    )


ROUNDED = (
    torch.trunc,
    torch.fix,
    torch.frac,
    lambda x: x // 2,
    lambda x: x // -3.5,
    lambda x: x // x.flip(0),
    lambda x: 1 // x,
    lambda x: -0.0 // x,
    lambda x: torch.div(x, 2, rounding_mode="trunc"),
    lambda x: torch.div(x, x.flip(0), rounding_mode="trunc"),
    lambda x: torch.div(-3.0, x, rounding_mode="trunc"),
)


@pytest.mark.parametrize("dtype", FLOATS)
def test_signs_of_zero(dtype):
    def function(x):
        rounded = [one(x) for one in ROUNDED]
        return rounded + [1 / one for one in rounded]

    x = torch.tensor(NUMBERS, dtype=dtype)
    for i, (got, wanted) in enumerate(zip(compiled(function)(x), function(x))):
        assert is_same(got, wanted), (i, got, wanted)


@pytest.mark.parametrize("dtype", FLOATS)
def test_zeros_are_not_less_than_zero(dtype):
    def function(x):
        return (
            torch.where(x < 0.0, 0.0, x),
            torch.where(x > -0.0, -0.0, x),
            x.clamp(min=0),
            x.clamp(max=-0.0),
            x.clamp(0.0, 1.0),
        )

    x = torch.tensor(NUMBERS, dtype=dtype)
    for got, wanted in zip(compiled(function)(x), function(x)):
        assert is_same(got, wanted)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "types", [*((to,) for to in FLOATS), FLOATS, FLOATS[::-1]]
)
def test_casts_of_zeros_are_not_less_than_zero(dtype, types):
    """If there are several types, the conditions are shared."""

    def function(x):
        return [
            torch.where(condition, torch.zeros((), dtype=to), x.to(to))
            for to in types
            for condition in (x < 0.0, -0.0 < x)
        ]

    x = torch.tensor(NUMBERS, dtype=dtype)
    for got, wanted in zip(compiled(function)(x), function(x)):
        assert is_same(got, wanted)


@pytest.mark.parametrize("dtype", FLOATS)
def test_roots(dtype):
    def function(x):
        return x**0.5, x**-0.5

    x = torch.tensor(NUMBERS, dtype=dtype)
    for got, wanted in zip(compiled(function)(x), function(x)):
        torch.testing.assert_close(got, wanted, equal_nan=True)
        assert torch.equal(torch.signbit(got[1:3]), torch.signbit(wanted[1:3]))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", ((3, 4), ()))
def test_signs_of_what_is_no_number(dtype, shape):
    def function(x):
        sign = torch.signbit(x)
        return (
            sign,
            torch.copysign(torch.ones_like(x), x),
            torch.where(torch.signbit(x.abs()) | sign, x, 2.0).signbit(),
        )

    x = torch.tensor(NUMBERS, dtype=dtype)[-math.prod(shape) :].reshape(shape)
    for got, wanted in zip(compiled(function)(x), function(x)):
        assert torch.equal(got, wanted)


@pytest.mark.parametrize("dtype", FLOATS[:3])
def test_signs_compile_for_a_gpu(dtype):
    class Model(torch.nn.Module):
        def forward(self, x):
            return (
                torch.where(torch.signbit(x), x * 2, x + 1),
                torch.trunc(x),
                x // 3,
                x**-0.5,
            )

    report = grout.report(
        Model(), (torch.ones(64, 64, dtype=dtype),), target="h200"
    )
    assert all(
        one.partition is not None for one in report.operators if not one.is_view
    )


@pytest.mark.parametrize("number", (2**62 + 1, -(2**63), -7))
@pytest.mark.parametrize("dtype", (torch.int64, torch.int32))
def test_numbers_are_divided_exactly(number, dtype):
    if dtype == torch.int32:
        number %= 2**31
    x = torch.tensor(
        [3, 5, 7, -3, -1 if number > -(2**63) else 1, 2**31 - 1], dtype=dtype
    )

    def function(x):
        return (
            number // x,
            torch.div(number, x, rounding_mode="floor"),
            torch.div(number, x, rounding_mode="trunc"),
        )

    for got, wanted in zip(compiled(function)(x), function(x)):
        assert got.dtype == wanted.dtype and torch.equal(got, wanted)


def test_mixed_types():
    """Integers are halves first, which may be infinite."""

    def function(x, y):
        return (
            torch.sub(x, y, alpha=2),
            torch.fmax(x, y),
            torch.fmin(y, x),
            y // x,
            x // y,
            torch.div(y, x, rounding_mode="trunc"),
        )

    x = torch.tensor([-math.inf, math.nan, 1.0], dtype=torch.float16)
    y = torch.tensor([-(2**40), 3, 4])
    for got, wanted in zip(compiled(function)(x, y), function(x, y)):
        assert is_same(got, wanted)


@pytest.mark.parametrize("dtype", (torch.uint8, torch.int8, torch.int32))
def test_numbers_that_a_type_does_not_hold_are_divided(dtype):
    def function(x):
        return (
            300 % x,
            torch.div(300, x, rounding_mode="floor"),
            torch.div(2**40 + 9, x, rounding_mode="trunc"),
            torch.tensor(300) % x,
            torch.fmod(x, torch.tensor(257 + 2**33)),
            x // torch.tensor(-300),
            torch.div(x, torch.tensor(270), rounding_mode="trunc"),
        )

    x = torch.tensor([7, 2, 3, 100], dtype=dtype)
    run = torch.compile(function, backend="grout")
    for got, wanted in zip(run(x), function(x)):
        assert got.dtype == wanted.dtype and torch.equal(got, wanted)


def test_quotients_of_few_bits():
    def function(x):
        return torch.div(x, x + 1, rounding_mode=None) + 1

    x = torch.tensor([7, -7, 100], dtype=torch.int8)
    assert is_same(compiled(function)(x), function(x))


@pytest.mark.parametrize("dtype", [torch.int8, torch.int64])
def test_shifts_of_other_types(dtype):
    """An element without axes gets the type of the bits."""

    def function(x):
        bits = torch.full((3,), 2, dtype=dtype)
        return torch.bitwise_right_shift(x.sum(), bits)

    x = torch.tensor([-100, 3, 20], dtype=torch.int32)
    got, wanted = compiled(function)(x), function(x)
    assert got.dtype == wanted.dtype and torch.equal(got, wanted)


@pytest.mark.parametrize(
    "function, reason",
    [
        (lambda x: 100 >> x, "by a number that is not known"),
        (lambda x: x.bitwise_right_shift(x), "by a number that is not known"),
        (
            lambda x: x.bitwise_right_shift(torch.full((), 8, dtype=x.dtype)),
            "by 8 bits",
        ),
    ],
)
def test_shifts_that_are_left_to_pytorch(function, reason):
    x = torch.arange(5, dtype=torch.int8)
    with pytest.raises(Exception, match=f"PyTorch: it shifts {reason}"):
        compiled(function)(x)
    run = torch.compile(function, backend="grout")
    assert torch.equal(run(x), function(x))


@pytest.mark.parametrize(
    "function", (torch.std, torch.var, torch.std_mean, torch.var_mean)
)
def test_deviations_of_extreme_numbers(function):
    """The squares of most are no numbers of f32."""
    rows = [[1.0, -3.0, 2.0, 0.5], [5.0, 7.0, 6.0, 9.0]]
    given = []
    for dtype in FLOATS:
        factors = [1.0] if dtype == torch.float16 else [1e19, 3e37, 1e-25]
        x = torch.tensor(rows) * torch.tensor(factors).view(-1, 1, 1)
        given.append(x.reshape(-1, 4).to(dtype))

    def run(*tensors):
        return [function(x, 1) for x in tensors]

    for got, wanted in zip(compiled(run)(*given), run(*given), strict=True):
        torch.testing.assert_close(got, wanted, rtol=2e-3, atol=0)


@pytest.mark.parametrize(
    "function, is_wide",
    (
        (torch.var, True),
        (lambda x: F.layer_norm(x, (8,)), False),
        (lambda x: F.group_norm(x, 2), False),
        (lambda x: F.batch_norm(x, None, None, training=True), False),
    ),
)
def test_only_the_cpu_has_statistics_in_f64_and_no_norm(function, is_wide):
    def types(table):
        graph = make_fx(function, decomposition_table=table)(torch.randn(4, 8))
        return {
            node.meta["val"].dtype
            for node in graph.graph.nodes
            if isinstance(node.meta.get("val"), torch.Tensor)
        }

    assert (torch.float64 in types(tables.for_cpu(True))) == is_wide
    assert torch.float64 not in types(tables.for_gpu())


@pytest.mark.parametrize("p", (0.0, 1.0, 2.5, math.inf))
def test_distances_of_what_is_no_number(p):
    x, y = torch.randn(3, 4), torch.randn(2, 4)
    x[0, 0], x[1, 2], y[1, 1] = math.nan, math.inf, math.nan
    got = compiled(lambda x, y: torch.cdist(x, y, p))(x, y)
    torch.testing.assert_close(got, torch.cdist(x, y, p), equal_nan=True)


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16))
def test_distances_of_halves_are_left_to_pytorch(dtype):
    x = torch.randn(3, 4).to(dtype)
    run = torch.compile(lambda x: torch.cdist(x, x, 1.0), backend="grout")
    with pytest.raises(NotImplementedError, match="cdist"):
        run(x)


@pytest.mark.parametrize("rank", (2, 3))
@pytest.mark.parametrize("gives_indices", (True, False))
def test_pooled_zeros(rank, gives_indices):
    """Of equal elements, the first is the largest."""

    def function(*tensors):
        pool = getattr(torch.nn.functional, f"max_pool{rank}d")
        return [
            pool(x, 2, stride=1, padding=1, return_indices=gives_indices)
            for x in tensors
        ]

    zeros = torch.tensor([-0.0, 0.0, 0.0, -0.0, 0.0, -0.0, -0.0, -0.0])
    zeros = zeros.repeat(1, 6).view([1, 1, *[4] * (rank - 2), 4, -1])
    given = [zeros.to(dtype) for dtype in FLOATS]
    for got, wanted in zip(
        compiled(function)(*given), function(*given), strict=True
    ):
        if gives_indices:
            assert torch.equal(got[1], wanted[1])
            got, wanted = got[0], wanted[0]
        assert is_same(got, wanted)


@pytest.mark.parametrize("dtype", FLOATS)
def test_hypotenuses_with_a_side_without_axes(dtype):
    def function(x):
        return [torch.hypot(x, torch.tensor(side)) for side in (True, 3, -1.5)]

    x = torch.tensor(NUMBERS, dtype=dtype)
    torch.testing.assert_close(
        compiled(function)(x), function(x), equal_nan=True
    )


@pytest.mark.parametrize(
    "loss", (torch.nn.functional.smooth_l1_loss, torch.nn.functional.huber_loss)
)
@pytest.mark.parametrize("reduction", ("none", "mean", "sum"))
def test_gradients_of_losses(reduction, loss):
    """Also of differences that are infinite or NaN."""

    def function(*pairs):
        return [loss(x, y, reduction=reduction) for x, y in pairs]

    gradients = []
    for run in (compiled(function), function):
        pairs = []
        for dtype in FLOATS:
            x = torch.tensor(NUMBERS, dtype=dtype, requires_grad=True)
            y = torch.full_like(x, 0.25)
            y[2] = math.nan
            pairs.append((x, y))
        torch.autograd.backward([one.sum() for one in run(*pairs)])
        gradients.append([x.grad for x, _ in pairs])
    torch.testing.assert_close(*gradients, equal_nan=True)
