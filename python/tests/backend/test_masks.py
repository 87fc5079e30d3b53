"""What masks do."""

import functools
import math

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.rewrites import masks

SHOWN = torch.ones(4, 6, dtype=torch.bool).tril()
ONLY_FIRST = torch.arange(6) == 0

NOTHING = masks.Effect(hides_future=False, changes_others=False)
CAUSAL = masks.Effect(hides_future=True, changes_others=False)
CAUSAL_AND_MORE = masks.Effect(hides_future=True, changes_others=True)
OTHER = masks.Effect(hides_future=False, changes_others=True)


def effect_of(make, queries, keys, *inputs):
    graph = make_fx(lambda *inputs: make(*inputs), tracing_mode="fake")(*inputs)
    result = graph.graph.output_node().args[0]
    return masks.Masks(graph).effect_of(result, queries, keys)


@pytest.mark.parametrize(
    "shown, queries, effect",
    [
        (SHOWN, 4, CAUSAL),
        (SHOWN.expand(2, 3, 4, 6), 4, CAUSAL),
        (ONLY_FIRST, 1, CAUSAL),
        # One row for all queries.
        (ONLY_FIRST, 4, CAUSAL_AND_MORE),
        (ONLY_FIRST[None, None, None], 4, CAUSAL_AND_MORE),
        (torch.arange(6) == 1, 4, OTHER),
        (ONLY_FIRST < 2, 4, NOTHING),
        # One column for all keys.
        (torch.ones(4, 1, dtype=torch.bool), 4, NOTHING),
        (torch.arange(4)[:, None] > 0, 4, OTHER),
        # A window.
        (SHOWN & ~SHOWN.roll(2, 0).tril(-2), 4, CAUSAL_AND_MORE),
        (SHOWN.roll(1, 1), 4, OTHER),
    ],
)
@pytest.mark.parametrize("is_added", [False, True])
def test_constant_masks(shown, queries, effect, is_added):
    numbers = shown.to(torch.int64).flatten().tolist()

    def make():
        mask = torch.tensor(numbers).view(shown.shape) != 0
        return torch.where(mask, 0.0, -math.inf) if is_added else mask

    assert effect_of(make, queries, 6) == effect


def causal(queries, keys):
    return torch.arange(keys) <= torch.arange(queries).unsqueeze(-1)


@pytest.mark.parametrize("length", [8192, 8191])
@pytest.mark.parametrize("heads", [1, 32])
def test_large_masks(length, heads):
    """As PyTorch gives them to its kernels: for all heads. They are computed
    in blocks of rows."""

    def make(effect):
        shown = causal(length, length)
        if effect == CAUSAL_AND_MORE:
            shown = shown & (torch.arange(length) != 5)
        if effect == OTHER:
            last = torch.arange(length).unsqueeze(-1) == length - 1
            shown = torch.where(last, torch.arange(length) != 3, shown)
            shown = shown | (torch.arange(length).unsqueeze(-1) == 6)
        mask = torch.where(shown, 0.0, -math.inf).to(torch.bfloat16)
        return mask.expand(1, heads, length, length)

    for effect in (CAUSAL, CAUSAL_AND_MORE, OTHER):
        found = effect_of(functools.partial(make, effect), length, length)
        assert found == effect


def test_conditions_that_inputs_add():
    """What a graph hides from all queries stays hidden, whatever inputs hide
    besides."""
    words = torch.ones(2, 6, dtype=torch.bool)

    def padded(words):
        return causal(6, 6) & words[:, None, None, :]

    def added(words):
        return torch.where(padded(words), 0.0, -math.inf).half()

    def either(words):
        return causal(6, 6) | words[:, None, None, :]

    def scores(words):
        return torch.where(words[:, None, None, :], 0.0, causal(6, 6) * 1.0)

    def ones(words):
        return padded(words).half()

    def not_zero(words):
        return torch.where(padded(words), 0.0, -math.inf).bool()

    for make in (padded, added):
        assert effect_of(make, 6, 6, words) == CAUSAL_AND_MORE
    for make in (either, scores, ones, not_zero):
        assert effect_of(make, 6, 6, words) == OTHER


@pytest.mark.parametrize("length", [6, 4096])
def test_what_pytorch_adds_for_cudnn(length):
    """It hides a key from a query that sees another key. Queries that see none
    see all keys alike."""

    def added(shown):
        return torch.where(
            shown,
            torch.full((), 0.0, dtype=torch.bfloat16),
            torch.full((), masks.HIDDEN, dtype=torch.bfloat16),
        ).expand(2, 8, length, length)

    def make():
        return added(causal(length, length))

    def without_first():
        return added(causal(length, length) & (torch.arange(length) > 0))

    assert effect_of(make, length, length) == CAUSAL
    assert effect_of(without_first, length, length) == OTHER


def test_types_of_large_masks():
    """An expanded f32 number times an f16 tensor is f32, which has -1e30. All
    keys are alike, so none is hidden."""
    length = 4096

    def make():
        signs = torch.where(causal(length, length), 1.0, 1.0).half()
        return torch.full((), -1e30).expand(length, length) * signs

    assert effect_of(make, length, length) == OTHER


def test_random_masks_are_unknown():
    def make():
        return torch.rand(6, 6) < 2

    assert effect_of(make, 6, 6) == OTHER


def test_masks_of_no_keys():
    def make():
        return torch.ones(4, 0, dtype=torch.bool)

    assert effect_of(make, 4, 0) == NOTHING
