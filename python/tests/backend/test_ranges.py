"""Places that are clamped are inside, and so are not checked."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.rewrites import ranges
from grout.torch.rewrites.constants import BOUNDS

INDEX = torch.ops.aten.index.Tensor


@pytest.mark.parametrize(
    "places, bounds",
    [
        (lambda i: i.clamp(0, 6), (0, 6)),
        (lambda i: i.clamp(-2, 6).unsqueeze(1).expand(4, 3), (-2, 6)),
        (lambda i: i.clamp(0, 6) + 1, None),
        (lambda i: i.clamp(min=0), None),
        (lambda i: i.clamp(6, 0), None),
        (lambda i: i, None),
        (lambda i: i.to(torch.int32).clamp(0, 6).view(torch.int64), None),
    ],
    ids=["clamped", "viewed", "changed", "half", "empty", "unknown", "bits"],
)
def test_bounds(places, bounds):
    graph = make_fx(lambda x, i: x[places(i)], tracing_mode="fake")(
        torch.randn(7, 2), torch.arange(4)
    )
    ranges.note_bounds(graph)
    (node,) = graph.graph.find_nodes(op="call_function", target=INDEX)
    assert node.args[1][0].meta.get(BOUNDS) == bounds
