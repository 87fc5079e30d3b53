"""Places whose bounds are known to be inside are not checked."""

import functools

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.rewrites import ranges
from grout.torch.rewrites.constants import BOUNDS

INDEX = torch.ops.aten.index.Tensor

shifted = torch.bitwise_right_shift


def put(i, accumulate=False):
    """The inverse of a permutation, as routers compute it."""
    place, values = i.clamp(0, 3), torch.arange(1, 5)
    return torch.zeros(4, dtype=torch.int64).index_put(
        [place], values, accumulate
    )


def wrapped(i):
    """300 wraps around to 44: the scalar tensor does not decide the type."""
    narrow = i.clamp(0, 6).to(torch.int8)
    return torch.where(i > 2, narrow, torch.full((), 300)).long()


@pytest.mark.parametrize(
    "places, bounds",
    [
        (lambda i: i.clamp(0, 6), (0, 6)),
        (lambda i: i.clamp(-2, 6).unsqueeze(1).expand(4, 3), (-2, 6)),
        (lambda i: i.clamp(0, 6) + 1, None),
        (lambda i: i.clamp(min=0), None),
        (lambda i: i.clamp(6, 0), (0, 0)),
        (lambda i: shifted(i.clamp(-5, 13), torch.full((), 1)), (-3, 6)),
        (lambda i: shifted(i.clamp(0, 6), i), None),
        (lambda i: shifted(i.clamp(0, 6), torch.full((), 64)), None),
        (put, (0, 4)),
        (functools.partial(put, accumulate=True), None),
        (lambda i: torch.full((4,), 0).scatter(0, i.clamp(0, 3), 5), (0, 5)),
        (lambda i: i.scatter(0, i.clamp(0, 3), 5), None),
        (lambda i: torch.empty(4, dtype=torch.int64).scatter(0, i, 5), None),
        (wrapped, None),
        (lambda i: i, None),
        (lambda i: i.to(torch.int32).clamp(0, 6).view(torch.int64), None),
    ],
    ids=[
        *["clamped", "viewed", "changed", "half", "turned round", "shifted"],
        *["shifted by inputs", "shifted away", "put", "added", "scattered"],
        *[
            "scattered into inputs",
            "scattered into nothing",
            "wrapped",
            "unknown",
            "bits",
        ],
    ],
)
def test_bounds(places, bounds):
    graph = make_fx(lambda x, i: x[places(i)], tracing_mode="fake")(
        torch.randn(7, 2), torch.arange(4)
    )
    ranges.note_bounds(graph)
    (node,) = graph.graph.find_nodes(op="call_function", target=INDEX)
    assert node.args[1][0].meta.get(BOUNDS) == bounds
