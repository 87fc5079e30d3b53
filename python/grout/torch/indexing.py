"""Operators that take elements at places that a tensor says, as one of them,
whose places are checked.

Grout's kernels read no place outside of a tensor, whatever they are told; a
truth value beside their results says whether they were told one.
"""

from typing import Any, Callable, Optional, Sequence

import torch
from torch import fx

from . import support
from .nodes import call

aten = torch.ops.aten


def lower(module: fx.GraphModule) -> tuple[fx.GraphModule, str]:
    """A module with one result more, whether a place was outside, and how to
    say so; or the module itself, and "", if it takes nothing at places."""
    if not any(map(support.is_indexed, module.graph.nodes)):
        return module, ""
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    outside: list[fx.Node] = []
    names: dict[str, None] = {}
    results: Any = ()
    for node in module.graph.nodes:
        if support.is_indexed(node):
            copies[node] = _as_index(graph, node, copies, outside)
            names[support.name_of(node)] = None
        elif node.op == "output":
            results = fx.map_arg(node.args[0], copies.__getitem__)
        else:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    first, *others = outside
    for other in others:
        first = call(graph, other, aten.logical_or.default, first, other)
    graph.output((*results, first))
    return (fx.GraphModule(module, graph),
            f"an index is out of range in {', '.join(names)}")


def origin_of(node: fx.Node) -> str:
    """The name of the node that a node of a lowered module was made for."""
    return str(node.meta.get("grout_origin", node.name))


def _as_index(graph: fx.Graph, node: fx.Node, copies: dict[fx.Node, fx.Node],
              outside: list[fx.Node]) -> fx.Node:
    before = len(graph.nodes)
    args = fx.map_arg(node.args, copies.__getitem__)
    tensor, places, has_negative = _RULES[support.packet(node)](
        graph, node, *args)
    for dim, place in enumerate(places):
        if place is not None:
            if place.meta["val"].dtype != torch.int64:  # importers mix them up
                place = places[dim] = call(graph, node, aten._to_copy.default,
                                           place, dtype=torch.int64)
            extent = tensor.meta["val"].shape[dim]
            outside.append(_is_outside(graph, node, place, extent,
                                       has_negative))
    result = call(graph, node, aten.index.Tensor, tensor, places)
    result.meta = {**node.meta}
    for one in list(graph.nodes)[before:]:
        one.meta["grout_origin"] = node.name
    return result


def _is_outside(graph: fx.Graph, near: fx.Node, place: fx.Node, extent: int,
                has_negative: bool) -> fx.Node:
    below = call(graph, near, aten.lt.Scalar, place,
                 -extent if has_negative else 0)
    above = call(graph, near, aten.ge.Scalar, place, extent)
    return call(graph, near, aten.any.default,
                call(graph, near, aten.logical_or.default, below, above))


Places = tuple[fx.Node, list[Optional[fx.Node]], bool]
"""A tensor, the places for each of its dimensions, of which None takes all, and
whether negative ones count from the end."""


def _embedding(graph: fx.Graph, node: fx.Node, weight: fx.Node,
               places: fx.Node, *rest: Any) -> Places:
    return weight, [places], False


def _index(graph: fx.Graph, node: fx.Node, x: fx.Node,
           places: Sequence[Optional[fx.Node]]) -> Places:
    return x, list(places), True


def _index_select(graph: fx.Graph, node: fx.Node, x: fx.Node, dim: int,
                  places: fx.Node) -> Places:
    return x, [None] * (dim % x.meta["val"].dim()) + [places], False


def _gather(graph: fx.Graph, node: fx.Node, x: fx.Node, dim: int,
            places: fx.Node, **kwargs: Any) -> Places:
    value = places.meta["val"]
    rank = value.dim()
    of_dim: list[Optional[fx.Node]] = []
    for i, extent in enumerate(value.shape):
        if i == dim % rank:
            of_dim.append(places)
            continue
        count = call(graph, node, aten.arange.default, extent,
                     device=value.device)
        of_dim.append(call(graph, node, aten.view.default, count,
                           [1] * i + [extent] + [1] * (rank - i - 1)))
    return x, of_dim, False


_RULES: dict[Any, Callable[..., Places]] = {
    aten.embedding: _embedding, aten.gather: _gather,
    aten.index: _index, aten.index_select: _index_select}
