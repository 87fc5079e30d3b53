"""Comparisons of integers that their bounds decide."""

import operator

import pytest
import torch
from checking import error, leaves

import grout
from grout.torch.graph import support
from grout.torch.rewrites import decided, registry
from grout.torch.rewrites.rewrite import Rewrite

aten = torch.ops.aten


@pytest.fixture
def selections_of(monkeypatch):
    """Runs a function compiled, checks the result, and returns the number of
    selections that are left in its graph."""
    counts = []

    def apply(module, context):
        decided.decide(module, context)
        nodes = module.graph.nodes
        counts.append(sum(support.packet(node) is aten.where for node in nodes))

    rewrite = Rewrite(apply=apply, after=decided.REWRITE.after)
    monkeypatch.setattr(decided, "REWRITE", rewrite)
    registry.find.cache_clear()

    def run(function, *args):
        torch._dynamo.reset()
        options = {"fallback": "error", "cache_dir": ""}
        compiled = torch.compile(function, backend="grout", options=options)
        got, wanted = compiled(*args), function(*args)
        for x, y in zip(leaves(got), leaves(wanted), strict=True):
            assert x.dtype == y.dtype and x.stride() == y.stride()
            assert error(x, y) == 0
        return counts[-1]

    yield run
    registry.find.cache_clear()


COMPARISONS = (
    operator.ge,
    operator.gt,
    operator.le,
    operator.lt,
    operator.eq,
    operator.ne,
)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_bounds_of_clamps_decide(selections_of, compare):
    numbers = -1, 0, 1, 7, 8, 9

    def function(x, y):
        return [
            torch.where(compare(x.clamp(0, 8), number).unsqueeze(-1), y, 0)
            for number in numbers
        ]

    x, y = torch.arange(-4, 14), torch.randn(18, 3)
    # What is selected is `y`, or a number, which has no strides.
    are_y = [bool(compare(x.clamp(0, 8), number).all()) for number in numbers]
    assert selections_of(function, x, y) == are_y.count(False)


@pytest.mark.parametrize(
    "least, most", [(5, 10), (-9, -5), (1, None), (None, 1), (7, 3), (5, None)]
)
def test_clamps_of_what_has_bounds(selections_of, least, most):
    """Limits may lie beside the bounds, or be in the wrong order."""

    def function(x, y):
        clamped = x.clamp(0, 2).clamp(least, most)
        return [
            torch.where((clamped == number).unsqueeze(-1), y, y + 1)
            for number in (-5, 1, 2, 3, 5)
        ]

    selections_of(function, torch.arange(-2, 6), torch.randn(8, 3))


@pytest.mark.parametrize("length", [1, 7, 300])
def test_experts_exist(selections_of, length):
    """The masks of models that may be spread over several GPUs."""

    def function(scores, y):
        _, experts = scores.topk(2, -1)
        experts, places = torch.sort(experts.reshape(-1), stable=True)
        mask = (experts >= 8).unsqueeze(-1)
        return y[places // 2].masked_fill(mask, 0.0)

    scores, y = torch.randn(length, 8), torch.randn(length, 16)

    def without_mask(scores, y):
        experts = scores.topk(2, -1)[1].reshape(-1)
        return y[torch.sort(experts, stable=True)[1] // 2]

    expected = selections_of(without_mask, scores, y)
    assert selections_of(function, scores, y) == expected


def test_bounds_that_hold_for_some_decide_nothing(selections_of):
    def function(x, y):
        _, places = x.topk(2, -1)
        return torch.where(places > 0, y, 0)

    assert selections_of(function, torch.randn(9, 5), torch.randn(9, 2)) >= 1


def test_numbers_that_a_type_does_not_have_decide_nothing(selections_of):
    """PyTorch compares int8 with 300 as with 44."""

    def function(x, y):
        return torch.where(x.clamp(0, 50) != 300, y, y.cos())

    x, y = torch.arange(40, 48, dtype=torch.int8), torch.randn(8)
    assert selections_of(function, x, y) == 1


def test_what_is_expanded_stays(selections_of):
    def function(x, y):
        return torch.where((x.clamp(0, 3) < 4).unsqueeze(-1), y, 0)

    assert selections_of(function, torch.arange(6), torch.randn(1, 4)) == 1


def test_constants_and_concatenations_have_bounds(selections_of):
    def function(x, y):
        both = torch.cat([x.clamp(1, 4), torch.arange(3)])
        return torch.where((both <= 4).unsqueeze(-1), y, 0)

    assert selections_of(function, torch.arange(6), torch.randn(9, 4)) == 0


def test_casts_that_wrap_have_no_bounds(selections_of):
    def function(x, y):
        small = x.clamp(0, 300).to(torch.int8)
        return torch.where((small >= 0).unsqueeze(-1), y, 0)

    x = torch.tensor([0, 127, 128, 200, 255, 256])
    assert selections_of(function, x, torch.randn(6, 4)) == 1


def test_packages_are_decided(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, scores, y):
            _, places = scores.topk(1, -1)
            return torch.where(places < 8, y, y + 1)

    args = torch.randn(5, 8), torch.randn(5, 1)
    grout.export(Model(), args, tmp_path / "m.gpkg")
    got = grout.load(tmp_path / "m.gpkg")(*args)
    assert error(got, Model()(*args)) == 0
