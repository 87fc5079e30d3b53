"""What eager gives, to the last detail: rare numbers, integers that no float
has, strides, errors."""

import concurrent.futures
import math
import os
import signal

import pytest
import torch
from checking import error
from torch.nn import functional
from torch.nn.attention.flex_attention import flex_attention
from torch.utils.checkpoint import checkpoint

import grout.torch

EAGER = {"fallback": "eager"}


def compiled(function, dynamic=None, **options):
    return torch.compile(
        function, backend="grout", dynamic=dynamic, options={**EAGER, **options}
    )


def is_same(result, wanted):
    """Bit by bit, and laid out equally."""
    return (
        result.dtype == wanted.dtype
        and result.stride() == wanted.stride()
        and torch.equal(result.isnan(), wanted.isnan())
        and torch.equal(result.nan_to_num(0), wanted.nan_to_num(0))
        and torch.equal(torch.signbit(result), torch.signbit(wanted))
    )


LARGE = torch.tensor(
    [
        2**62 + 1,
        2**55 + 7,
        -(2**60) - 1,
        10,
        -10,
        2**63 - 1,
        -(2**63),
        -(2**63) + 1,
        0,
        7,
    ]
)
DIVISORS = torch.tensor([3, -5, 7, 3, 3, 1, 2, -1, 5, -2])
VAST = 2**60 + 386


@pytest.mark.parametrize(
    "function",
    (
        lambda x, y: x // 3,
        lambda x, y: x // y,
        lambda x, y: torch.div(x, y, rounding_mode="trunc"),
        lambda x, y: torch.div(x, -3, rounding_mode="trunc"),
        lambda x, y: x >> 3,
        lambda x, y: x % 7,
        lambda x, y: torch.fmod(x, y),
        lambda x, y: -x,
        lambda x, y: -x.to(torch.int32),
        lambda x, y: x // 2**60,
        lambda x, y: x // -(2**63),
        lambda x, y: torch.div(x, 2**62, rounding_mode="trunc"),
        lambda x, y: (y * VAST - 1) // VAST,
        lambda x, y: (y * VAST - 1) // (y * 0 + VAST),
        lambda x, y: torch.div(
            y * VAST - 1, y * 0 + VAST, rounding_mode="trunc"
        ),
    ),
)
def test_large_integers(function):
    assert is_same(
        compiled(lambda x, y: function(x, y) + 0)(LARGE, DIVISORS),
        function(LARGE, DIVISORS),
    )


@pytest.mark.parametrize(
    "function",
    (
        lambda w: (w - 8) * 2,
        lambda w: 3 - w,
        lambda w: w // 3,
        lambda w: w // 300,
        lambda w: w % 300,
        lambda w: w * 300 + 1,
        lambda w: w % 4,
        lambda w: (w << 1) + 1,
        lambda w: (w >> 1) + 1,
        lambda w: -w,
        lambda w: w.view(4, 4) @ w.view(4, 4),
        lambda w: (w > 0).sum(dtype=torch.int8),
        lambda w: w * w,
    ),
)
def test_eight_bits(function):
    w = torch.arange(-128, 128, 16).to(torch.int8)
    assert is_same(compiled(function, min_block_size=1)(w), function(w))


@pytest.mark.parametrize(
    "function",
    (
        lambda x: torch.clamp(x * 2, min=math.nan),
        lambda x: torch.clamp(x * 2, max=math.nan),
    ),
)
def test_bounds_that_are_no_number(function):
    assert compiled(function)(torch.randn(4)).isnan().all()


@pytest.mark.parametrize("number", (2.5, -0.7, 7, 0))
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64, torch.int32))
def test_remainders_of_numbers(number, dtype):
    x = torch.tensor([2, -3, 7, 1], dtype=dtype)

    def function(x):
        return torch.remainder(number, x)

    got = torch.compile(
        function,
        backend="grout",
        options={"fallback": "error", "min_block_size": 1},
    )(x)
    wanted = function(x)
    assert got.dtype == wanted.dtype
    torch.testing.assert_close(got, wanted)


def test_remainders_keep_the_sign_of_zero():
    x = torch.tensor([-0.0, 0.0, -4.0, 5.0, math.inf, math.nan])
    result = compiled(lambda x: 1 / torch.fmod(x * 1, 2.0))(x)
    assert torch.equal(result.nan_to_num(), (1 / x.fmod(2.0)).nan_to_num())


@pytest.mark.parametrize(
    "function",
    (
        lambda x, i: functional.cross_entropy(x * 2, i),
        lambda x, i: (x * 2).gather(1, i[:, None]),
    ),
)
@pytest.mark.parametrize("place", (8, -1))
def test_one_of_each_row(function, place):
    """As losses take it: out of range is an error."""
    x, right = torch.randn(4, 8), torch.tensor([1, 7, 0, 3])
    run = compiled(function)
    assert error(run(x, right), function(x, right)) < 1e-6
    with pytest.raises(IndexError, match="aten.gather"):
        run(x, torch.tensor([1, place, 0, 3]))


def test_a_place_without_axes():
    x, place = torch.tensor([3.0]), torch.tensor(0)
    assert compiled(lambda x, i: (x * 2).gather(0, i) + 1)(x, place) == 7


def test_attention_in_f64():
    q, k, v = (
        torch.randn(2, 2, 8, 16, dtype=torch.float64, requires_grad=True)
        for _ in range(3)
    )
    wanted = (q @ k.transpose(-1, -2) / 4).softmax(-1) @ v
    result = compiled(functional.scaled_dot_product_attention)(q, k, v)
    assert error(result, wanted) < 1e-14
    gradients = torch.autograd.grad(result.square().sum(), (q, k, v))
    assert (
        error(gradients, torch.autograd.grad(wanted.square().sum(), (q, k, v)))
        < 1e-13
    )


@pytest.mark.parametrize(
    "function",
    (
        lambda x: x.sort(1)[0],
        lambda x: x.argsort(1),
        lambda x: x.topk(2, 1)[0],
        lambda x: x.permute(2, 0, 1).flip(0),
        lambda x: x.unfold(0, 3, 1) + 1,
        lambda x: x.permute(1, 2, 0).cumsum(1),
        lambda x: x.permute(2, 1, 0).roll(1, 0),
        lambda x: x.sort(1)[0].view(-1),
        lambda x: x.topk(2, 1)[0].view(5, -1),
        lambda x: x.permute(2, 0, 1).flip(0).permute(1, 2, 0).view(-1),
    ),
)
def test_strides(function):
    x = torch.randn(5, 6, 7)
    result, wanted = compiled(function)(x), function(x)
    assert error(result, wanted) < 1e-6
    assert result.stride() == wanted.stride()


@pytest.mark.parametrize("dtype", (torch.float16, torch.float32))
def test_strides_of_operands_in_two_orders(dtype):
    """They are those of the first."""

    def function(x, y):
        return (
            torch.copysign(x, y),
            x // y,
            torch.div(x, y, rounding_mode="trunc"),
            torch.xlogy(x, y),
            torch.special.xlog1py(x, y),
            torch.atan2(x, y),
            x.fmod(y),
        )

    x, y = torch.rand(5, 3).t(), torch.rand(3, 5).to(dtype)
    for args in ((x, y), (y, x)):
        for got, wanted in zip(
            compiled(function, dynamic=False)(*args), function(*args)
        ):
            torch.testing.assert_close(got, wanted, rtol=2e-3, atol=1e-6)
            assert got.stride() == wanted.stride()


def test_results_have_memory_of_their_own():
    """Also of operators that change nothing here."""

    def function(x):
        y = x + 1
        return (
            y,
            x.tril(9),
            x.masked_fill(torch.arange(6) > 9, 0),
            y.triu(-9),
            y.tril(9)[1:].t(),
            x.repeat(1, 1),
            torch.channel_shuffle(y.view(2, 2, 6), 1),
        )

    x = torch.randn(4, 6)
    got, wanted = compiled(function)(x), function(x)
    for result, right in zip(got, wanted, strict=True):
        assert is_same(result, right)
    memories = {one.untyped_storage().data_ptr() for one in (x, *got)}
    assert len(memories) == 1 + len(got)


def test_strides_of_attention():
    q, k, v = (torch.randn(2, 2, 8, 16) for _ in range(3))
    wanted = functional.scaled_dot_product_attention(q, k, v)
    result = compiled(functional.scaled_dot_product_attention)(q, k, v)
    assert result.stride() == wanted.stride()


@pytest.mark.parametrize(
    "function",
    (
        lambda x: (x * 2).flip(1) + 1,
        lambda x: functional.pad(x * 2, (2, 2), mode="reflect") + 1,
        lambda x: (x * 2).roll(1, 1) + 1,
        lambda x: (x * 2).cumsum(1) + 1,
        lambda x: (x * 2).select_scatter(x[:, 0] * 3, 1, 1) + 1,
        lambda x: (x * 100).to(torch.int64) // x.shape[1] + 1,
    ),
)
def test_extents_that_change(function):
    """They are not fixed by an operator that Grout breaks up by its extent, and
    it is broken up once they are known."""
    run = compiled(function)
    for extent in (6, 9):
        x = torch.randn(4, extent)
        torch._dynamo.mark_dynamic(x, 1)
        for _ in range(2):
            assert error(run(x), function(x)) < 1e-6
            grout.torch.wait()


@pytest.mark.parametrize(
    "function",
    (
        lambda x: torch.select(x * 2, 1, x.shape[0] - 1) + 1,
        lambda x: (x * 2).narrow(1, x.shape[0] - 2, 2) + 1,
        lambda x: (x * 2)[:, x.shape[0] - 2 : x.shape[0]] + 1,
        lambda x: torch.tanh(x * (x.shape[0] / 3)) + 1,
    ),
)
def test_buckets_of_what_counts_rows(function):
    run = compiled(function, max_shapes=1)
    for rows in (2, 33, 34):
        x = torch.randn(rows, 90)
        torch._dynamo.mark_dynamic(x, 0)
        for _ in range(2):
            assert error(run(x), function(x)) < 1e-6
            grout.torch.wait()


def test_strides_of_buckets():
    run = compiled(lambda x: x.tanh() * 2, max_shapes=1)
    for extent in (2, 33, 34):
        x = torch.randn(2, extent, 4)
        torch._dynamo.mark_dynamic(x, 1)
        for _ in range(2):
            assert run(x).stride() == x.stride()
            grout.torch.wait()


def test_checkpoints_with_dropout():
    def function(x):
        return checkpoint(
            lambda x: functional.dropout(functional.gelu(x @ x), 0.5) * 3 + 1,
            x,
            use_reentrant=False,
        )

    x = torch.randn(16, 16, requires_grad=True)
    torch.compile(function, backend="grout")(x).sum().backward()
    assert x.grad.isfinite().all()


def test_control_flow():
    def function(x):
        return (
            torch.cond(
                x.sum() > 0, lambda x: x.sin() * 2, lambda x: x.cos() @ x, (x,)
            )
            + x * 3
        )

    run = torch.compile(function, backend="grout")
    for x in (torch.ones(6, 6), -torch.ones(6, 6)):
        assert error(run(x), function(x)) < 1e-6


def test_flex_attention():
    def function(x):
        return (
            flex_attention(
                x * 2, x, x, score_mod=lambda score, b, h, i, j: score + (i - j)
            )
            + 1
        )

    x = torch.randn(1, 2, 128, 16)
    assert (
        error(torch.compile(function, backend="grout")(x), function(x)) < 1e-5
    )


def test_shapes_that_depend_on_data(monkeypatch):
    monkeypatch.setattr(
        torch._dynamo.config, "capture_dynamic_output_shape_ops", True
    )
    run = compiled(lambda x: (x[x > 0] * 2 + 1).sum())
    for extent in (6, 9):
        x = torch.randn(extent, extent)
        assert error(run(x), (x[x > 0] * 2 + 1).sum()) < 1e-5


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16))
def test_numbers_that_halves_do_not_hold(dtype):
    functions = (
        lambda x: x * 1e5 + 0,
        lambda x: x * 100000 + 0,
        lambda x: x / 1e5 + 0,
        lambda x: x / 1e-9 + 0,
        lambda x: x * 0.1 + 0,
        lambda x: x / 3.3 + 0,
        lambda x: x * torch.tensor(1e5) + 0,
        lambda x: x / torch.tensor(1e5, dtype=torch.float64) + 0,
        lambda x: (x + 0) == 0.1,
        lambda x: (x + 0) >= 0.1,
        lambda x: (x + 0) < 0.1,
        lambda x: (x + 0) != 1e5,
        lambda x: (x + 0) < torch.tensor(0.1),
    )

    def run(x):
        return [function(x) for function in functions]

    x = torch.tensor([0.0, 0.001, 0.5, -0.3, 2.0, 0.1, torch.inf], dtype=dtype)
    for i, (got, wanted) in enumerate(zip(compiled(run)(x), run(x))):
        assert is_same(got, wanted), i


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16))
def test_alpha_of_halves(dtype):
    """Where eager's vectors end, it rounds otherwise."""
    x, y = torch.randn(2, 5000).to(dtype)

    def function(x, y):
        return torch.add(x, y, alpha=0.3) + 0

    differs = compiled(function)(x, y) != function(x, y)
    assert differs.sum() < 50


def test_comparisons_of_truth_values():
    """They are compared as integers that have a sign."""
    x = torch.tensor([True, False])
    for function in (
        lambda x: (x <= -1, x > -1),
        lambda x: (x < -(2**40), x != -1, x == -1),
        lambda x: (x >= 2, x == 1, x > -0.5, x < True),
    ):
        for result, wanted in zip(compiled(function)(x), function(x)):
            assert torch.equal(result, wanted)


@pytest.mark.parametrize("dtype", (torch.int32, torch.int64))
def test_comparisons_of_integers_with_fractions(dtype):
    """Both are compared as f32."""
    x = torch.tensor([2**24 + 1, 2**24, 2**24 - 1, -5, 5]).to(dtype)

    def function(x):
        return x > 16777216.0, x >= 16777217.0, x < 5.00000001, x == math.nan

    for result, wanted in zip(compiled(function)(x), function(x)):
        assert torch.equal(result, wanted)


def test_sums_that_are_truth_values():
    x = torch.tensor([[2.5, 0.5], [0.0, math.nan], [0.0, -0.0]])

    def function(x):
        return (
            x.sum(1, dtype=torch.bool),
            (x > 0).sum(1, dtype=torch.bool),
            (x > 0).prod(1, dtype=torch.bool),
            (x > 0).int().mul(256).sum(dtype=torch.bool),
        )

    for result, wanted in zip(compiled(function)(x), function(x)):
        assert torch.equal(result, wanted)


def test_comparisons_of_f32():
    x = torch.tensor([0.1, 0.3, -0.1])

    def function(x):
        y = x + 0
        return (
            y == 0.1,
            y > 0.3,
            y <= 0.1,
            y == math.nan,
            y != math.nan,
            y.masked_fill(y > 0.3, 5),
            functional.hardshrink(y, 0.1),
            y < torch.tensor(0.3, dtype=torch.float64),
            y >= x.double(),
        )

    for result, wanted in zip(compiled(function)(x), function(x)):
        assert is_same(result, wanted)


@pytest.mark.parametrize(
    "dtype", (torch.float64, torch.float32, torch.bfloat16)
)
def test_quotients_that_are_cut_off(dtype):
    x = torch.linspace(-3, 3, 61, dtype=dtype)

    def function(x):
        return torch.div(x, 0.1, rounding_mode="trunc") + 0

    assert is_same(compiled(function)(x), function(x))


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16))
def test_quotients_of_halves_that_are_cut_off(dtype):
    x, y = (
        (torch.randn(20000) * 10).to(dtype),
        (torch.rand(20000) + 0.5).to(dtype),
    )

    def function(x, y):
        return torch.div(x, y, rounding_mode="trunc") + 0

    assert is_same(compiled(function)(x, y), function(x, y))


def test_quotients_of_extents():
    def function(x):
        return x[: torch.div(x.shape[0], 3, rounding_mode="trunc")] * 2 + 1

    run = compiled(function, dynamic=True)
    for rows in (7, 12):
        x = torch.randn(rows, 4)
        assert is_same(run(x), function(x))


def test_constants_of_graphs_whose_shapes_change():
    def function(x):
        return x * torch.tensor([1.5, 2.5]) + torch.tensor(2.0)

    run = torch.compile(function, backend="grout", dynamic=True)
    x = torch.randn(3, 2)
    for _ in range(2):
        assert error(run(x), function(x)) < 1e-6
        grout.torch.wait()


def test_nested_tensors():
    def function(x):
        return x * 2 + 1

    x = torch.nested.nested_tensor(
        [torch.randn(3, 4), torch.randn(5, 4)], layout=torch.jagged
    )
    assert torch.equal(compiled(function)(x).values(), function(x).values())


def test_one_place():
    x = torch.tensor(2.0)
    assert compiled(lambda x: x.scatter(0, torch.tensor(0), 5.0) + x)(x) == 7


def test_forked_processes():
    run = compiled(lambda x: (x @ x.T).tanh(), dynamic=True)
    run(torch.randn(3, 4))
    grout.torch.wait()
    child = os.fork()
    if not child:
        signal.alarm(60)
        x = torch.randn(5, 4)
        run(x)
        grout.torch.wait()
        os._exit(0 if error(run(x), (x @ x.T).tanh()) < 1e-6 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_threads_whose_shapes_change():
    """Tracing in one must not disturb that in another."""

    def run(scale):
        run_one = compiled(lambda x: (x * scale).tanh() @ x.T)
        for rows in (1, 4, 2, 5, 3, 1):
            x = torch.randn(rows, 32)
            if error(run_one(x), (x * scale).tanh() @ x.T) > 1e-5:
                raise AssertionError(rows)

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(run, (0.1, 0.2, 0.3, 0.4)))
    grout.torch.wait()
