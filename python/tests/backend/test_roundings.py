"""Where results of f16 and bf16 are rounded."""

import pytest
import torch
from torch import nn

HALVES = (torch.float16, torch.bfloat16)


def run(function, *args, **options):
    torch._dynamo.reset()
    compiled = torch.compile(
        function,
        backend="grout",
        options={
            "fallback": "error",
            "min_block_size": 1,
            "cache_dir": "",
            **options,
        },
    )
    with torch.no_grad():
        return compiled(*args)


def away(result, wanted):
    return ((result.double() - wanted).norm() / wanted.norm()).item()


def chain(x):
    return (x * 1.7 + x.sin()) * x.cos() - x


@pytest.mark.parametrize("dtype", HALVES)
def test_chains_are_rounded_once(dtype):
    x = torch.randn(64, 96).to(dtype)
    wanted = chain(x.double())
    result = run(chain, x)
    once = away(wanted.to(dtype), wanted)
    assert away(result, wanted) < 1.02 * once
    assert away(run(chain, x, rounding="eager"), wanted) > 1.3 * once


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("rounding", ["once", "eager"])
def test_linear_layers_are_rounded_once(dtype, rounding):
    layer = nn.Linear(96, 160).to(dtype)
    x = torch.randn(32, 96).to(dtype)
    wanted = nn.functional.linear(
        x.double(), layer.weight.double(), layer.bias.double()
    ).detach()
    result = run(layer, x, rounding=rounding)
    assert away(result, wanted) < 1.02 * away(wanted.to(dtype), wanted)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize(
    "operator",
    [
        torch.add,
        torch.sub,
        torch.mul,
        torch.div,
        lambda x, y: (x + y) * y - x / y,
        lambda x, y: x * 1.7 + y * 0.3,
        lambda x, y: ((x * y) + x) * y + x,
    ],
)
def test_eager_rounding_is_eagers(dtype, operator):
    x, y = (torch.randn(40, 30).to(dtype) for _ in range(2))
    result = run(operator, x, y, rounding="eager")
    assert torch.equal(result, operator(x, y))


@pytest.mark.parametrize("dtype", (*HALVES, torch.float32))
@pytest.mark.parametrize(
    "first", [lambda x: x / 3, lambda x: x * 1.7 + 0.3, lambda x: x.exp() * x]
)
def test_values_are_the_same_wherever_they_are_read(dtype, first):
    """A row has its largest element, and a result equals what it is made of."""

    def function(x):
        s = first(x)
        return (s == s.amax(-1, keepdim=True)).sum(), (s == s.clone()).all()

    found, is_same = run(function, torch.randn(9, 50).to(dtype))
    assert found >= 9 and is_same


@pytest.mark.parametrize("dtype", HALVES)
def test_results_are_what_later_operators_read(dtype):
    def function(x, y):
        s = x * y + x
        return s, s == s.relu(), s * 2 - s

    s, is_same, rest = run(
        function, torch.randn(64).to(dtype), torch.randn(64).to(dtype)
    )
    assert torch.equal(is_same, s == s.relu())
    assert torch.equal(rest, s)


@pytest.mark.parametrize("dtype", HALVES)
def test_what_is_compared_is_rounded(dtype):
    x, y = (torch.randn(500).to(dtype) for _ in range(2))
    assert run(lambda x, y, z: (x * y) == z, x, y, x * y).all()


@pytest.mark.parametrize("dtype", HALVES)
def test_written_casts_round(dtype):
    def lost(x):
        return x - x.to(dtype).float()

    x = torch.randn(7, 20)
    assert torch.equal(run(lost, x), lost(x))
    assert run(lost, x).abs().max() > 0


@pytest.mark.parametrize("dtype", HALVES)
def test_high_and_low_parts_make_up_a_number(dtype):
    def split(x):
        high = x.to(dtype)
        return high, (x - high.float()).to(dtype)

    x = torch.randn(7, 20)
    for part, wanted in zip(run(split, x), split(x)):
        assert torch.equal(part, wanted)


@pytest.mark.parametrize("dtype", HALVES)
def test_residuals_are_not_rounded(dtype):
    def layers(x, y, z):
        s = x + y
        return s + z, s.exp()

    x, y, z = (torch.randn(40, 30).to(dtype) for _ in range(3))
    wanted = x.float() + y.float() + z.float()
    assert torch.equal(run(layers, x, y, z)[0], wanted.to(dtype))
    assert torch.equal(run(layers, x, y, z, rounding="eager")[0], x + y + z)
    assert not torch.equal(wanted.to(dtype), x + y + z)


def test_roundings_are_named():
    with pytest.raises(Exception, match="rounding is one of once, eager"):
        run(chain, torch.randn(4), rounding="always")
