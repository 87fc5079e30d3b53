"""Orders of axes: what of them is broken up, on GPUs, too, which need not be
there, since tensors have no memory; and what they give."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.decompositions import sorting, tables

aten = torch.ops.aten


def operators(function, extent, device):
    table = tables.for_gpu() if device == "cuda" else tables.for_cpu(True)
    with FakeTensorMode():
        x = torch.empty(4, extent, device=device)
        graph = make_fx(function, decomposition_table=table)(x).graph
    return {node.target for node in graph.nodes}


def choose(x):
    return torch.topk(x, 2)[0]


def sort(x):
    return torch.sort(x)[0]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize(
    "function, operator",
    [(choose, aten.topk.default), (sort, aten.sort.default)],
)
def test_short_axes_are_broken_up(function, operator, device):
    longest = sorting.LONGEST
    assert operator not in operators(function, longest, device)
    assert operator in operators(function, longest + 1, device)


def special(*shape):
    """With equal elements, infinities, both zeros, and what is no number."""
    x = torch.randn(shape).round(decimals=1)
    x.view(-1)[::7] = -0.0
    x.view(-1)[3::11] = torch.nan
    x.view(-1)[5::17] = -torch.inf
    return x


def compiled(function):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error"},
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.sort(dim=1, stable=True),
        lambda x: (
            (x * 10)
            .nan_to_num(7)
            .int()
            .sort(dim=1, descending=True, stable=True)
        ),
    ],
)
def test_orders_are_eagers(function):
    x = special(3, 67, 2)
    got, wanted = compiled(function)(x), function(x)
    for y, z in zip(got, wanted):
        assert torch.equal(y.nan_to_num(99), z.nan_to_num(99))
        assert y.stride() == z.stride()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.topk(40)[0],
        lambda x: x.topk(3, largest=False)[0],
        lambda x: x.median(-1)[0],
        lambda x: x.nanmedian(),
        lambda x: x.kthvalue(50)[0],
    ],
)
def test_values_are_eagers(function):
    x = special(2, 67)
    got, wanted = compiled(function)(x), function(x)
    assert torch.equal(got.nan_to_num(99), wanted.nan_to_num(99))
