"""Updates of tensors in place: above all, of KV caches, whose elements are
replaced at computed indices.
"""

from typing import Optional

import torch
from torch import fx

from ..graph import orders, support
from ..graph.nodes import call
from .rewrite import Rewrite

aten = torch.ops.aten


def mark(module: fx.GraphModule) -> None:
    """Marks the updates of a graph's inputs that its kernels can do in place:
    no other node uses the old elements. Moves each such update directly behind
    the node that computes the new elements. Users of an update then use the
    tensor that it updates."""
    for node in list(module.graph.nodes):
        if support.is_update(node):
            if _can_be_in_place(node):
                node.meta[support.IN_PLACE] = True
                node.args[1].append(node)
            node.replace_all_uses_with(node.args[0])


def _can_be_in_place(update: fx.Node) -> bool:
    target, value, *_ = update.args
    users = {update}
    while isinstance(value, fx.Node) and support.is_scatter(value):
        before = value.args[0]
        assert isinstance(before, fx.Node)
        if before is target:
            users.add(value)
            break
        if len(before.users) != 1:
            return False
        value = before
    assert isinstance(target, fx.Node)
    tensor = target.meta["val"]
    return (
        target.op == "placeholder"
        and len(users) == 2
        and set(target.users) == users
        and orders.is_dense(tensor.shape, tensor.stride())
    )


def expose(
    module: fx.GraphModule,
) -> tuple[fx.GraphModule, list[Optional[int]]]:
    """Returns a module that also returns the tensors that it updates in place,
    after its other results. Also returns, for each result, the number of the
    input that it updates, or None if the result is a tensor of its own."""
    results = results_of(module)
    inputs = [node for node in module.graph.nodes if node.op == "placeholder"]
    numbers: list[Optional[int]] = [None] * len(results)
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    for node in module.graph.nodes:
        if node.op != "output":
            copies[node] = graph.node_copy(node, copies.__getitem__)
        if support.is_update(node):
            target, value = node.args[:2]
            if value not in results:
                results.append(value)
                numbers.append(None)
            numbers[results.index(value)] = inputs.index(target)
    graph.output(tuple(copies[node] for node in results))
    return fx.GraphModule(module, graph), numbers


def results_of(module: fx.GraphModule) -> list[fx.Node]:
    """Returns the nodes that are the results of a graph."""
    output = next(node for node in module.graph.nodes if node.op == "output")
    return list(output.args[0])


def scatter_parts(
    graph: fx.Graph, node: fx.Node, copies: dict[fx.Node, fx.Node]
) -> tuple[fx.Node, fx.Node, fx.Node, list[int]]:
    """Returns the operands of a tensor.scatter for an index_put: the original
    tensor, the slices to put into it, the indices of each slice along some
    axes, and these axes. The indices have been checked before."""
    tensor, places, values = (
        fx.map_arg(argument, copies.__getitem__) for argument in node.args[:3]
    )
    axes = [axis for axis, place in enumerate(places) if place is not None]
    shape = list(
        torch.broadcast_shapes(
            *(places[axis].meta["val"].shape for axis in axes)
        )
    )
    columns = [
        call(
            graph,
            node,
            aten.expand.default,
            call(graph, node, aten.unsqueeze.default, places[axis], -1),
            [*shape, 1],
        )
        for axis in axes
    ]
    numbers = (
        columns[0]
        if len(columns) == 1
        else call(graph, node, aten.cat.default, columns, -1)
    )

    # The axes of the indices are at the first axis that has indices, if such
    # axes are neighbours, and otherwise in front.
    extents = list(tensor.meta["val"].shape)
    rest = [extent for axis, extent in enumerate(extents) if axis not in axes]
    rank = len(shape)
    are_neighbours = axes == list(range(axes[0], axes[0] + len(axes)))
    begin = axes[0] if are_neighbours else 0
    values = call(
        graph,
        node,
        aten.expand.default,
        values,
        [*rest[:begin], *shape, *rest[begin:]],
    )
    order = [
        *range(begin, begin + rank),
        *range(begin),
        *range(begin + rank, rank + len(rest)),
    ]
    if order != sorted(order):
        values = call(graph, node, aten.permute.default, values, order)
    return tensor, values, numbers, axes


REWRITE = Rewrite(apply=lambda module, context: mark(module), after=("ranges",))
