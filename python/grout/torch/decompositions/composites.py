"""Memory formats of functions that PyTorch decomposes before a backend sees
their operators."""

from typing import Any, Callable, Optional

import torch
from torch import fx
from torch._prims_common import suggest_memory_format
from torch.nn import functional

Format = Optional[torch.memory_format]


def _of_one_hot(node: fx.Node) -> Format:
    return torch.contiguous_format


def _of_max_pool1d(node: fx.Node) -> Format:
    """On the CPU, eager has a kernel that gives no indices, and whose result is
    contiguous."""
    value = node.meta["example_value"]
    is_alone = (
        isinstance(value, torch.Tensor)
        and value.device.type == "cpu"
        and not (value.requires_grad and torch.is_grad_enabled())
    )
    return torch.contiguous_format if is_alone else None


def _of_interpolate(node: fx.Node) -> Format:
    """For 1-D data, eager's result is contiguous. On GPUs, eager keeps channels
    last; the decomposition in the graph does not, where channels are few."""
    source = node.args[0] if node.args else node.kwargs["input"]
    mode = (
        node.args[3]
        if len(node.args) > 3
        else node.kwargs.get("mode", "nearest")
    )
    value = source.meta["example_value"]
    if value.dim() == 3:
        return torch.contiguous_format
    if (
        value.dim() == 4
        and value.device.type == "cuda"
        and mode in ("nearest", "nearest-exact", "bilinear")
    ):
        return suggest_memory_format(value)
    return None


_OF_FUNCTIONS: dict[Any, Callable[[fx.Node], Format]] = {
    functional.one_hot: _of_one_hot,
    functional.max_pool1d: _of_max_pool1d,
    torch.max_pool1d: _of_max_pool1d,
    functional.interpolate: _of_interpolate,
}
"""For each function, the memory format that eager gives its result, where the
decomposed function gives another format; None where both give the same."""


def make_as_eager(module: fx.GraphModule) -> None:
    """Adds copies to a graph of Dynamo, so that the results of the functions
    above have the memory formats that eager gives them."""
    for part in module.modules():
        if not isinstance(part, fx.GraphModule):
            continue
        for function, format_of in _OF_FUNCTIONS.items():
            for node in part.graph.find_nodes(
                op="call_function", target=function
            ):
                wanted = format_of(node)
                if wanted is not None:
                    _lay_out(part.graph, node, wanted)
        part.recompile()


def _lay_out(
    graph: fx.Graph, node: fx.Node, wanted: torch.memory_format
) -> None:
    with graph.inserting_after(node):
        copy = graph.call_method(
            "contiguous", (node,), {"memory_format": wanted}
        )
    copy.meta = {
        **node.meta,
        "example_value": node.meta["example_value"].contiguous(
            memory_format=wanted
        ),
    }
    node.replace_all_uses_with(
        copy, delete_user_cb=lambda user: user is not copy
    )
