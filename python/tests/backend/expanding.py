"""Graphs whose convolutions are replaced, traced on tensors that have no memory,
so that no GPU is needed."""

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout import targets


def expanded(expand, function, *operands, target="h200"):
    """The graph of a function, after `expand`, and whether there is no
    convolution in it."""
    graph = make_fx(function, tracing_mode="fake")(*operands)
    expand(graph, targets.get(target))
    graph.graph.lint()
    return graph, not graph.graph.find_nodes(
        op="call_function", target=torch.ops.aten.convolution.default
    )


def normal(*shape, dtype=torch.float16):
    return torch.randn(shape).to(dtype)
