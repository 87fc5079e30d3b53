"""Bounds of indices that a graph computes."""

from torch import fx

from ..graph import support
from . import constants
from .constants import BOUNDS
from .integers import Integers
from .rewrite import Context, Rewrite


def note_bounds(module: fx.GraphModule) -> None:
    """Notes the bounds of indices, as constants.BOUNDS. Indices with bounds
    inside of the tensor are not checked."""
    constants.note_bounds(module)
    operands = [
        operand
        for node in module.graph.nodes
        if support.is_indexed(node) or support.is_scatter(node)
        for operand in node.all_input_nodes
        if BOUNDS not in operand.meta
    ]
    if not operands:
        return
    integers = Integers(module)
    for operand in operands:
        if bounds := integers.of(operand):
            operand.meta[BOUNDS] = bounds


def _note_all(module: fx.GraphModule, context: Context) -> None:
    note_bounds(module)


REWRITE = Rewrite(apply=_note_all, after=("simplify",))
