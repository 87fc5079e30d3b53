"""Concatenations of concatenations, as in the wide branches of an inception
module."""

from typing import Any

import torch
from torch import fx

from .rewrite import Rewrite

aten = torch.ops.aten


def flatten(module: fx.GraphModule) -> None:
    """Replaces an operand of a concatenation by its parts, if the operand is a
    concatenation along the same axis that has no other user. Each part is then
    copied once, and has the layout of the whole."""
    for node in module.graph.nodes:
        if _is_concatenation(node):
            axis = _axis(node)
            node.args = (
                [
                    part
                    for operand in node.args[0]
                    for part in _parts(node, operand, axis)
                ],
                axis,
            )
            node.kwargs = {}
    module.graph.eliminate_dead_code()
    module.recompile()


def _is_concatenation(node: Any) -> bool:
    """Whether a node is a concatenation whose parts all have its rank. PyTorch
    also allows empty parts of another rank."""
    return (
        isinstance(node, fx.Node)
        and node.op == "call_function"
        and node.target is aten.cat.default
        and all(
            isinstance(part, fx.Node)
            and part.meta["val"].dim() == node.meta["val"].dim()
            for part in node.args[0]
        )
    )


def _axis(node: fx.Node) -> int:
    axis = node.args[1] if len(node.args) > 1 else node.kwargs.get("dim", 0)
    assert isinstance(axis, int)
    return axis % node.meta["val"].dim()


def _parts(whole: fx.Node, operand: fx.Node, axis: int) -> list[fx.Node]:
    """Returns the parts of an operand that is a concatenation to flatten;
    otherwise the operand alone."""
    if (
        not _is_concatenation(operand)
        or len(operand.users) != 1
        or whole.args[0].count(operand) != 1
        or _axis(operand) != axis
    ):
        return [operand]
    parts: list[fx.Node] = list(operand.args[0])
    # Parts of other types stay together, so that each is converted once.
    is_same = all(
        part.meta["val"].dtype == whole.meta["val"].dtype
        for part in [*parts, operand]
    )
    return parts if is_same else [operand]


REWRITE = Rewrite(
    apply=lambda module, context: flatten(module), after=("convolving",)
)
