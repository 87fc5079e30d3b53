"""Memory formats and errors of functions that PyTorch decomposes before a
backend sees their operators."""

import inspect
from typing import Any, Callable, Optional

import torch
from torch import fx
from torch._prims_common import suggest_memory_format
from torch.nn import functional
from torch.utils._python_dispatch import _disable_current_modes

from .eager import ERRORS, EagerError, run_quietly

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


def _run_one_hot(x: torch.Tensor, node: fx.Node) -> None:
    functional.one_hot(x, 1)


def _run_interpolate(x: torch.Tensor, node: fx.Node) -> None:
    given = inspect.signature(functional.interpolate).bind(
        *node.args, **node.kwargs
    )
    functional.interpolate(
        x,
        [1] * (x.dim() - 2),
        mode=given.arguments.get("mode", "nearest"),
        antialias=given.arguments.get("antialias", False),
    )


_REFUSING: dict[Any, Callable[[torch.Tensor, fx.Node], None]] = {
    functional.one_hot: _run_one_hot,
    functional.interpolate: _run_interpolate,
}
"""Functions whose decompositions accept types that eager refuses: how eager runs
the node of a graph on a tensor of one element, which is 0."""


def _raise_as_eager(node: fx.Node) -> None:
    """Raises EagerError if eager's kernel refuses the type of the first
    operand."""
    value = node.all_input_nodes[0].meta["example_value"]
    if value.device.type != "cpu":
        return
    with _disable_current_modes():
        x = torch.zeros([1] * value.dim(), dtype=value.dtype)
        try:
            run_quietly(_REFUSING[node.target], x, node)
        except ERRORS as error:
            raise EagerError(error) from error


def make_as_eager(module: fx.GraphModule) -> None:
    """Adds copies to a graph of Dynamo, so that the results of the functions
    above have the memory formats that eager gives them. Raises EagerError where
    eager raises an error."""
    for part in module.modules():
        if not isinstance(part, fx.GraphModule):
            continue
        for function in _REFUSING:
            for node in part.graph.find_nodes(
                op="call_function", target=function
            ):
                _raise_as_eager(node)
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
