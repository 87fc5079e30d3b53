"""Bounds of indices that a graph computes."""

from typing import Optional

import torch
from torch import fx

from ..graph import support
from . import constants
from .constants import BOUNDS
from .rewrite import Context, Rewrite

aten = torch.ops.aten

_SAME_ELEMENTS = {
    aten.clone,
    aten.expand,
    aten.permute,
    aten.select,
    aten.slice,
    aten.squeeze,
    aten.transpose,
    aten.unsqueeze,
    aten.view,
    aten._unsafe_view,
    aten.reshape,
}


def has_same_elements(node: fx.Node) -> bool:
    """Whether all elements of a node's value are elements of its first
    operand."""
    return (
        node.op == "call_function"
        and support.packet(node) in _SAME_ELEMENTS
        and node.target is not aten.view.dtype
    )


def note_bounds(module: fx.GraphModule) -> None:
    """Notes the bounds of indices that are clamped, as constants.BOUNDS.
    Indices with bounds inside of the tensor are not checked."""
    for node in module.graph.nodes:
        if support.is_indexed(node) or support.is_scatter(node):
            for operand in node.all_input_nodes:
                if BOUNDS not in operand.meta and (
                    bounds := _bounds_of(operand)
                ):
                    operand.meta[BOUNDS] = bounds


def _bounds_of(node: fx.Node) -> Optional[tuple[int, int]]:
    while has_same_elements(node):
        node = node.args[0]
    if (
        node.target is not aten.clamp.default
        or node.meta["val"].is_floating_point()
    ):
        return None
    least, most = (*node.args, None, None)[1:3]
    if not isinstance(least, int) or not isinstance(most, int) or least > most:
        return None
    return least, most


def _note_all(module: fx.GraphModule, context: Context) -> None:
    """Notes the bounds of constant and of clamped indices."""
    constants.note_bounds(module)
    note_bounds(module)


REWRITE = Rewrite(apply=_note_all, after=("simplify",))
