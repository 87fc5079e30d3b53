"""What of sorts is broken up on GPUs. Tensors have no memory, so no GPU is
needed."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch import decompositions, sorting

aten = torch.ops.aten


def operators(function, extent, device):
    table = (decompositions.for_gpu() if device == "cuda"
             else decompositions.for_cpu(True))
    with FakeTensorMode():
        x = torch.empty(4, extent, device=device)
        graph = make_fx(function, decomposition_table=table)(x).graph
    return {node.target for node in graph.nodes}


def choose(x):
    return torch.topk(x, 2)[0]


def sort(x):
    return torch.sort(x)[0]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_elements_of_short_axes_are_chosen(device):
    longest = sorting.LONGEST
    assert aten.topk.default not in operators(choose, longest, device)
    assert aten.topk.default in operators(choose, longest + 1, device)


def test_whole_axes_are_sorted_on_the_cpu_alone():
    assert aten.sort.default not in operators(sort, 8, "cpu")
    assert aten.sort.default in operators(sort, 8, "cuda")
