"""Tensors without elements. They need no computation. Results that are computed
from empty tensors alone, such as their sum, are constant. This pass creates
both without operands, so that they do not split a partition."""

from typing import Any, Optional

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_map_only

from ..graph import support
from ..graph.nodes import call
from .constants import may_be_constant
from .rewrite import Rewrite

aten = torch.ops.aten

_PUT = {
    aten.index_add,
    aten.index_copy,
    aten.index_put,
    aten.index_reduce,
    aten.scatter,
    aten.scatter_add,
    aten.scatter_reduce,
    aten.slice_scatter,
}


def replace(module: fx.GraphModule) -> None:
    """Replaces nodes that are empty, or computed from empty tensors alone, by
    constants. Replaces operators that put nothing into a tensor by a copy of
    that tensor. Drops updates of empty tensors."""
    for node in list(module.graph.nodes):
        if node.op == "call_function":
            _replace(module.graph, node)
    module.graph.eliminate_dead_code()
    module.recompile()


def _replace(graph: fx.Graph, node: fx.Node) -> None:
    if support.is_update(node):
        if support.is_empty(node.args[0]):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
        return
    with graph.inserting_before(node):
        new = (
            _empty(graph, node)
            if _is_made_empty(node)
            else _unchanged(graph, node) or _constant(graph, node)
        )
    if new is not None:
        node.replace_all_uses_with(new)


def _is_made_empty(node: fx.Node) -> bool:
    """Whether a node is to be replaced by an empty tensor. An operator that
    takes elements of an empty tensor stays if it has indices, because these may
    be out of range, which is an error."""
    return (
        support.is_empty(node)
        and not (
            isinstance(node.target, torch._ops.OpOverload)
            and node.target._schema.is_mutable
        )
        and not (
            support.is_indexed(node)
            and support.is_empty(node.args[0])
            and any(
                not support.is_empty(operand)
                for operand in node.all_input_nodes[1:]
            )
        )
    )


def _empty(graph: fx.Graph, node: fx.Node) -> Optional[fx.Node]:
    value = node.meta["val"]
    if node.target is aten.empty_strided.default:
        return None
    return call(
        graph,
        node,
        aten.empty_strided.default,
        list(value.shape),
        list(value.stride()),
        dtype=value.dtype,
        device=value.device,
    )


def _unchanged(graph: fx.Graph, node: fx.Node) -> Optional[fx.Node]:
    """If an operator puts nothing into a tensor, returns a copy of that tensor,
    provided that the copy has the strides of the result."""
    if support.packet(node) not in _PUT or not any(
        map(support.is_empty, node.all_input_nodes[1:])
    ):
        return None
    copied = call(
        graph,
        node,
        aten.clone.default,
        node.args[0],
        memory_format=torch.contiguous_format,
    )
    has_layout = copied.meta["val"].stride() == node.meta["val"].stride()
    return copied if has_layout else None


def _constant(graph: fx.Graph, node: fx.Node) -> Optional[fx.Node]:
    """If all operands are empty, and all elements of the result are one number,
    returns a tensor filled with this number."""
    operands = node.all_input_nodes
    if (
        not operands
        or not all(map(support.is_empty, operands))
        or not may_be_constant(node)
        or not node.meta["val"].is_contiguous()
    ):
        return None
    with _disable_current_modes():
        number = _evaluate(node)
    if number is None:
        return None
    value = node.meta["val"]
    return call(
        graph,
        node,
        aten.full.default,
        list(value.shape),
        number,
        dtype=value.dtype,
        device=value.device,
    )


def _evaluate(node: fx.Node) -> Any:
    """Returns the number that all elements are; None if they differ."""

    def empty(operand: fx.Node) -> torch.Tensor:
        value = operand.meta["val"]
        return torch.empty(value.shape, dtype=value.dtype)

    args, kwargs = tree_map_only(
        torch.device,
        lambda _: torch.device("cpu"),
        fx.map_arg((node.args, dict(node.kwargs)), empty),
    )
    assert callable(node.target)
    result = node.target(*args, **kwargs).reshape(-1)
    is_same = (result == result[0]) | (
        (result != result) & (result[0] != result[0])
    )
    return result[0].item() if bool(is_same.all()) else None


REWRITE = Rewrite(
    apply=lambda module, context: replace(module), after=("layouts",)
)
