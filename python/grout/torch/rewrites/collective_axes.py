"""Collectives along other axes than the first.

torch.distributed cuts and concatenates along the first axis alone. So DTensor
moves other axes there, for example with two ranks:

    y = grout.all_gather(x, 2, group_name, 0)
    z = aten.cat([y[:n], y[n:]], 1)

The rewrite replaces this by z = grout.all_gather(x, 2, group_name, 1), and
reduce-scatters of such concatenations likewise. Then nothing is copied.
"""

from typing import Any, NamedTuple, Optional

import torch
from torch import fx

from ..graph import collectives
from ..graph.nodes import call
from .rewrite import Rewrite

aten = torch.ops.aten


class _Piece(NamedTuple):
    """A part of a tensor: all elements from `begin` on along an axis, as far as
    the part goes."""

    source: fx.Node
    axis: int
    begin: int


def move(module: fx.GraphModule) -> None:
    """Moves axes of concatenations into collectives."""
    for node in list(module.graph.nodes):
        if node.target is collectives.REDUCE_SCATTER:
            _move_into_scatter(module.graph, node)
        elif node.target is aten.cat.default:
            _move_into_gather(module.graph, node)
    module.graph.eliminate_dead_code()
    module.recompile()


def _move_into_scatter(graph: fx.Graph, node: fx.Node) -> None:
    x, ranks, name, dim = node.args
    found = _rearranged(x, ranks)
    if found is None or dim != 0 or _axis_of(x) != 0:
        return
    source, axis = found
    with graph.inserting_before(node):
        moved = call(graph, node, node.target, source, ranks, name, axis)
    node.replace_all_uses_with(moved)


def _move_into_gather(graph: fx.Graph, node: fx.Node) -> None:
    parts: Any = node.args[0]
    found = _rearranged(node, len(parts))
    if found is None:
        return
    gather, axis = found
    if (
        gather.target is not collectives.ALL_GATHER
        or collectives.ranks_of(gather) != len(parts)
        or collectives.dims_of(gather) != {"dim": 0}
        or axis != 0
        or _readers_of(gather) != {node}
    ):
        return
    x, ranks, name, _ = gather.args
    with graph.inserting_before(gather):
        moved = call(
            graph, gather, gather.target, x, ranks, name, _axis_of(node)
        )
    node.replace_all_uses_with(moved)


def _rearranged(node: Any, count: int) -> Optional[tuple[fx.Node, int]]:
    """Returns a tensor and an axis if a node concatenates the `count` equal
    parts of the tensor along this axis, in order; otherwise None."""
    if not isinstance(node, fx.Node) or node.target is not aten.cat.default:
        return None
    pieces = list(map(_piece, node.args[0]))
    first = pieces[0]
    if first is None or len(pieces) != count:
        return None
    source, axis, _ = first
    extent = source.meta["val"].shape[axis]
    wanted = [
        _Piece(source, axis, extent // count * number)
        for number in range(count)
    ]
    shapes = {part.meta["val"].shape for part in node.args[0]}
    if pieces != wanted or len(shapes) != 1 or extent % count:
        return None
    return source, axis


def _piece(node: fx.Node) -> Optional[_Piece]:
    """Returns which part of a tensor a node is; None if it is none."""
    if node.target is not aten.slice.Tensor:
        return None
    defaults = (0, 0, None, 1)
    arguments: Any = [*node.args, *defaults[len(node.args) - 1 :]]
    source, axis, begin, _, step = arguments
    if step != 1:
        return None
    return _Piece(source, axis % source.meta["val"].dim(), begin)


def _axis_of(node: fx.Node) -> int:
    """Returns the axis of a concatenation."""
    axis = node.args[1] if len(node.args) > 1 else node.kwargs.get("dim", 0)
    assert isinstance(axis, int)
    return axis % node.meta["val"].dim()


def _readers_of(node: fx.Node) -> set[fx.Node]:
    """Returns the nodes that read a node, or parts of it."""
    return {
        reader
        for user in node.users
        for reader in (
            list(user.users) if user.target is aten.slice.Tensor else [user]
        )
    }


REWRITE = Rewrite(
    apply=lambda module, context: move(module), after=("collectives",)
)
