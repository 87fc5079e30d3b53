"""Strides that say nothing new keep nothing from Grout."""

import pytest
import torch
from checking import error
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx

import grout
from grout.torch import records
from grout.torch.rewrites.simplify import simplify

aten = torch.ops.aten


class Excited(nn.Module):
    """Squeeze-and-excitation behind a convolution."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 3, padding=1)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.squeeze = nn.Conv2d(16, 8, 1)
        self.excite = nn.Conv2d(8, 16, 1)

    def forward(self, x):
        y = self.conv(x)
        scale = self.excite(self.squeeze(self.pool(y)).relu()).sigmoid()
        return y * scale


@pytest.mark.parametrize(
    "format", (torch.contiguous_format, torch.channels_last)
)
def test_squeeze_and_excitation_is_one_partition(format):
    model = Excited().eval().to(memory_format=format)
    x = torch.randn(2, 16, 7, 5).contiguous(memory_format=format)
    run = torch.compile(model, backend="grout", options={"fallback": "error"})
    with torch.no_grad(), records.listen() as operators:
        got, wanted = run(x), model(x)
    assert error(got, wanted) < 2e-6
    assert got.stride() == wanted.stride()
    assert {one.partition for one in operators if not one.is_view} == {0}


def count_views(function, x):
    graph = make_fx(function)(x)
    simplify(graph)
    graph.graph.lint()
    torch.testing.assert_close(graph(x), function(x))
    return len(
        graph.graph.find_nodes(
            op="call_function", target=aten.as_strided.default
        )
    )


def test_only_strides_of_single_elements_are_passed_by():
    x = torch.randn(3, 4, 1, 1)
    assert (
        count_views(lambda x: x.as_strided((3, 4, 1, 1), (4, 1, 4, 4)) + 1, x)
        == 0
    )
    assert (
        count_views(lambda x: x.as_strided((3, 4, 1, 1), (1, 3, 4, 4)) + 1, x)
        == 1
    )
    assert (
        count_views(lambda x: x.as_strided((2, 4, 1, 1), (4, 1, 1, 1)) + 1, x)
        == 1
    )
    assert (
        count_views(
            lambda x: x[1:].as_strided((2, 4, 1, 1), (4, 1, 1, 1), 0) + 1, x
        )
        == 1
    )


def test_other_shapes_of_all_elements_are_views():
    x = torch.randn(2, 3, 4)
    assert count_views(lambda x: x.as_strided((6, 4), (4, 1)) + 1, x) == 0
    # Some elements, another order, and a tensor with gaps.
    assert count_views(lambda x: x.as_strided((5, 4), (4, 1)) + 1, x) == 1
    assert count_views(lambda x: x.as_strided((4, 6), (1, 4)) + 1, x) == 1
    x = torch.randn(2, 6, 4)[:, ::2]
    assert count_views(lambda x: x.as_strided((6, 4), (4, 1)) + 1, x) == 1


def test_group_norms_are_one_partition():
    model = nn.Sequential(nn.GroupNorm(4, 8), nn.SiLU()).bfloat16().eval()
    report = grout.report(
        model, [torch.randn(2, 8, 6, 6).bfloat16()], target="h200"
    )
    assert "in 1 partition" in str(report)


def test_results_keep_their_strides():
    x = torch.randn(2, 8, 3, 3).to(memory_format=torch.channels_last)
    pool = nn.AdaptiveAvgPool2d(1)
    run = torch.compile(pool, backend="grout", options={"fallback": "eager"})
    assert run(x).stride() == pool(x).stride() == (8, 1, 8, 8)
