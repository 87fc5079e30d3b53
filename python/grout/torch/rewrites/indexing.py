"""Lowers operators that take elements at computed indices (`places`) to
aten.index, and operators that replace such elements to aten.index_put. Checks
the indices.

Grout's kernels never read or write outside of a tensor, whatever the indices
are. An additional bool result says whether an index was out of range.
"""

from typing import Any, Callable, Iterable, Optional, Sequence

import torch
from torch import fx

from ..decompositions import scans, tables
from ..graph import support
from ..graph.nodes import call
from . import adding
from .constants import BOUNDS

aten = torch.ops.aten


MESSAGE = "grout_message"
"""Key in the metadata of nodes that replace elements: the message with which
their kernels fail if an index is out of range."""


def lower(module: fx.GraphModule, on_gpu: bool) -> tuple[fx.GraphModule, str]:
    """Returns a module with one more result, a bool that is true if an index
    was out of range, and the message for this case. If no index needs this
    check, the module has no additional result, and the message is "". GPU
    kernels that replace elements fail by themselves, as PyTorch's kernels
    do."""
    if not any(
        support.is_indexed(node)
        or support.is_scatter(node)
        or support.is_adding(node)
        for node in module.graph.nodes
    ):
        return module, ""
    table = tables.for_graph(module)
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    outside: list[fx.Node] = []
    names: dict[str, None] = {}
    results: Any = ()
    for node in module.graph.nodes:
        if support.is_indexed(node):
            copies[node] = _as_index(graph, node, copies, outside)
            names[support.name_of(node)] = None
        elif support.is_adding(node):
            copies[node] = _as_sum(graph, node, copies, outside, table)
            names[support.name_of(node)] = None
        elif support.is_scatter(node):
            before = len(outside)
            copies[node] = _as_scatter(graph, node, copies, outside)
            if on_gpu:
                del outside[before:]
                copies[node].meta[MESSAGE] = _sentence([support.name_of(node)])
            else:
                names[support.name_of(node)] = None
        elif node.op == "output":
            results = fx.map_arg(node.args[0], copies.__getitem__)
        else:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    if not outside:
        graph.output(results)
        graph.eliminate_dead_code()
        return fx.GraphModule(module, graph), ""
    first, *others = outside
    for other in others:
        first = call(graph, other, aten.logical_or.default, first, other)
    graph.output((*results, first))
    return fx.GraphModule(module, graph), _sentence(names)


def _sentence(names: Iterable[str]) -> str:
    return f"an index is out of range in {', '.join(names)}"


def origin_of(node: fx.Node) -> str:
    """Returns the name of the node for which a node of a lowered module was
    made."""
    return str(node.meta.get("grout_origin", node.name))


def _as_index(
    graph: fx.Graph,
    node: fx.Node,
    copies: dict[fx.Node, fx.Node],
    outside: list[fx.Node],
) -> fx.Node:
    before = len(graph.nodes)
    args = fx.map_arg(node.args, copies.__getitem__)
    tensor, places, has_negative = _RULES[support.packet(node)](
        graph, node, *args
    )
    _check(graph, node, tensor, places, has_negative, outside)
    if _takes_one_of_each_row(node):
        dim = args[1] % tensor.meta["val"].dim()
        result = _chosen(graph, node, tensor, dim, places[dim])
    else:
        result = call(graph, node, aten.index.Tensor, tensor, places)
    return _made_for(node, result, before)


def _takes_one_of_each_row(node: fx.Node) -> bool:
    """Whether a node gathers one element of each row, as losses do."""
    if support.packet(node) is not aten.gather:
        return False
    tensor, dim, places = node.args[:3]
    return (
        tensor.meta["val"].dtype != torch.bool
        and places.meta["val"].shape[dim] == 1
    )


def _chosen(
    graph: fx.Graph, node: fx.Node, tensor: fx.Node, dim: int, places: Any
) -> fx.Node:
    """Reads whole rows, and takes the maximum of the element whose index is
    wanted, and of numbers that are not larger. So the rows need not be in
    memory. A sum would lose the sign of -0.0."""
    value = tensor.meta["val"]
    for i, extent in enumerate(places.meta["val"].shape):
        if i != dim and extent != value.shape[i]:
            tensor = call(graph, node, aten.slice.Tensor, tensor, i, 0, extent)
    along = call(
        graph,
        node,
        aten.view.default,
        call(
            graph,
            node,
            aten.arange.default,
            value.shape[dim],
            device=value.device,
        ),
        [-1 if i == dim else 1 for i in range(value.dim())],
    )
    chosen = call(
        graph,
        node,
        aten.where.ScalarOther,
        call(graph, node, aten.eq.Tensor, along, places),
        tensor,
        scans.least(value.dtype),
    )
    return call(graph, node, aten.amax.default, chosen, [dim], True)


def _as_scatter(
    graph: fx.Graph,
    node: fx.Node,
    copies: dict[fx.Node, fx.Node],
    outside: list[fx.Node],
) -> fx.Node:
    """Lowers to an index_put whose indices do not count from the end."""
    before = len(graph.nodes)
    args = fx.map_arg(node.args, copies.__getitem__)
    tensor, places, values = _SCATTER_RULES[support.packet(node)](
        graph, node, *args
    )
    _check(graph, node, tensor, places, True, outside)
    for dim, place in enumerate(places):
        if place is not None:
            extent = tensor.meta["val"].shape[dim]
            places[dim] = call(
                graph,
                node,
                aten.where.self,
                call(graph, node, aten.lt.Scalar, place, 0),
                call(graph, node, aten.add.Tensor, place, extent),
                place,
            )
    result = call(graph, node, aten.index_put.default, tensor, places, values)
    return _made_for(node, result, before)


def _as_sum(
    graph: fx.Graph,
    node: fx.Node,
    copies: dict[fx.Node, fx.Node],
    outside: list[fx.Node],
    table: Any,
) -> fx.Node:
    """Lowers an operator that combines elements (see `adding`)."""
    before = len(graph.nodes)
    args = list(fx.map_arg(node.args, copies.__getitem__))
    if support.packet(node) is aten.index_put:
        args[1] = list(args[1])
        _check(graph, node, args[0], args[1], True, outside)
    elif support.packet(node) is not aten.embedding_dense_backward:
        x, dim, place = args[:3]
        places = [None] * (dim % x.meta["val"].dim()) + [place]
        _check(graph, node, x, places, False, outside)
        args[2] = places[-1]
    result = adding.lower(graph, node, args, table)
    return _made_for(node, result, before)


def _check(
    graph: fx.Graph,
    node: fx.Node,
    tensor: fx.Node,
    places: list[Optional[fx.Node]],
    has_negative: bool,
    outside: list[fx.Node],
) -> None:
    """Converts `places` to int64. Unless their bounds are known to be in range,
    appends to `outside` a node that says whether an index is out of range."""
    for dim, place in enumerate(places):
        if place is not None:
            bounds = place.meta.get(BOUNDS)
            if place.meta["val"].dtype != torch.int64:  # importers mix types up
                place = places[dim] = call(
                    graph, node, aten._to_copy.default, place, dtype=torch.int64
                )
            extent = tensor.meta["val"].shape[dim]
            least = -extent if has_negative else 0
            if bounds is None or bounds[0] < least or bounds[1] >= extent:
                outside.append(_is_outside(graph, node, place, least, extent))


def _made_for(node: fx.Node, result: fx.Node, before: int) -> fx.Node:
    """Returns `result` with the metadata of `node`. Marks all nodes of its
    graph from number `before` on as made for `node`."""
    result.meta = {**node.meta}
    for one in list(result.graph.nodes)[before:]:
        one.meta["grout_origin"] = node.name
    return result


def _is_outside(
    graph: fx.Graph, near: fx.Node, place: fx.Node, least: int, extent: int
) -> fx.Node:
    below = call(graph, near, aten.lt.Scalar, place, least)
    above = call(graph, near, aten.ge.Scalar, place, extent)
    return call(
        graph,
        near,
        aten.any.default,
        call(graph, near, aten.logical_or.default, below, above),
    )


Places = tuple[fx.Node, list[Optional[fx.Node]], bool]
"""A tensor, the indices for each of its dimensions (None takes all elements),
and whether negative indices count from the end."""


def _embedding(
    graph: fx.Graph, node: fx.Node, weight: fx.Node, places: fx.Node, *rest: Any
) -> Places:
    return weight, [places], False


def _index(
    graph: fx.Graph,
    node: fx.Node,
    x: fx.Node,
    places: Sequence[Optional[fx.Node]],
) -> Places:
    return x, list(places), True


def _index_select(
    graph: fx.Graph, node: fx.Node, x: fx.Node, dim: int, places: fx.Node
) -> Places:
    return x, [None] * (dim % x.meta["val"].dim()) + [places], False


def _gather(
    graph: fx.Graph,
    node: fx.Node,
    x: fx.Node,
    dim: int,
    places: fx.Node,
    **kwargs: Any,
) -> Places:
    return x, _all_places(graph, node, dim, places), False


def _all_places(
    graph: fx.Graph, node: fx.Node, dim: int, places: fx.Node
) -> list[Optional[fx.Node]]:
    """Returns indices for all dimensions: `places` for `dim`, and for each
    other dimension the position in it."""
    value = places.meta["val"]
    rank = value.dim()
    of_dim: list[Optional[fx.Node]] = []
    for i, extent in enumerate(value.shape):
        if i == dim % rank:
            of_dim.append(places)
            continue
        count = call(
            graph, node, aten.arange.default, extent, device=value.device
        )
        of_dim.append(
            call(
                graph,
                node,
                aten.view.default,
                count,
                [1] * i + [extent] + [1] * (rank - i - 1),
            )
        )
    return of_dim


Scatter = tuple[fx.Node, list[Optional[fx.Node]], fx.Node]
"""A tensor, the indices for each of its dimensions, and the values to put
there."""


def _index_put(
    graph: fx.Graph,
    node: fx.Node,
    x: fx.Node,
    places: Sequence[Optional[fx.Node]],
    values: fx.Node,
    *rest: Any,
) -> Scatter:
    return x, list(places), values


def _scatter(
    graph: fx.Graph,
    node: fx.Node,
    x: fx.Node,
    dim: int,
    places: fx.Node,
    source: Any,
) -> Scatter:
    if not isinstance(source, fx.Node):
        source = call(
            graph,
            node,
            aten.full.default,
            [],
            source,
            dtype=x.meta["val"].dtype,
            device=x.meta["val"].device,
        )
    else:
        for axis, extent in enumerate(places.meta["val"].shape):
            if extent != source.meta["val"].shape[axis]:
                source = call(
                    graph, node, aten.slice.Tensor, source, axis, 0, extent
                )
    return x, _all_places(graph, node, dim, places), source


_RULES: dict[Any, Callable[..., Places]] = {
    aten.embedding: _embedding,
    aten.gather: _gather,
    aten.index: _index,
    aten.index_select: _index_select,
}

_SCATTER_RULES: dict[Any, Callable[..., Scatter]] = {
    aten.index_put: _index_put,
    aten.scatter: _scatter,
}
