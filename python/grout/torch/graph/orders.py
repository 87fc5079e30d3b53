"""Tensors whose axes have another order in memory, such as images with channels
last. Partitions read and write such tensors in that order, without copies."""

from typing import Optional, Sequence

import torch
from torch import fx

aten = torch.ops.aten

Order = tuple[int, ...]


def order_of(shape: Sequence[int], stride: Sequence[int]) -> Optional[Order]:
    """If a tensor is dense in another order than that of its axes, returns its
    axes from the outermost in memory to the innermost; otherwise None."""
    if is_dense(shape, stride):
        return None
    order = sorted(range(len(shape)), key=lambda axis: (-stride[axis], axis))
    return (
        tuple(order)
        if is_dense(
            [shape[axis] for axis in order], [stride[axis] for axis in order]
        )
        else None
    )


def is_dense(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether a tensor is contiguous in the order of its axes."""
    expected = 1
    for extent, distance in zip(reversed(shape), reversed(stride)):
        if extent != 1 and distance != expected:
            return False
        expected *= extent
    return True


def inputs_of(module: fx.GraphModule) -> list[Optional[Order]]:
    """Returns the orders of a graph's inputs."""
    return [
        _order(node) for node in module.graph.nodes if node.op == "placeholder"
    ]


def apply(module: fx.GraphModule) -> fx.GraphModule:
    """Returns a graph whose inputs and results have their axes in the order of
    memory."""
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    for node in module.graph.nodes:
        if node.op == "output":
            graph.output(
                tuple(
                    _to_memory(graph, value, copies[value])
                    for value in node.args[0]
                )
            )
            continue
        copy = graph.node_copy(node, copies.__getitem__)
        copy.meta = dict(node.meta)
        copies[node] = copy
        if node.op == "placeholder" and (order := _order(node)):
            copy.meta["val"] = node.meta["val"].permute(order)
            copy.meta.pop("tensor_meta", None)  # outdated; importers read it
            inverse = sorted(range(len(order)), key=order.__getitem__)
            copies[node] = _permute(
                graph, node, copy, inverse, node.meta["val"]
            )
    return fx.GraphModule(module, graph)


def _order(node: fx.Node) -> Optional[Order]:
    value = node.meta["val"]
    return order_of(value.shape, value.stride())


def _to_memory(graph: fx.Graph, original: fx.Node, copy: fx.Node) -> fx.Node:
    order = _order(original)
    if not order:
        return copy
    return _permute(
        graph, original, copy, order, original.meta["val"].permute(order)
    )


def _permute(
    graph: fx.Graph,
    near: fx.Node,
    operand: fx.Node,
    order: Sequence[int],
    value: torch.Tensor,
) -> fx.Node:
    node = graph.call_function(aten.permute.default, (operand, list(order)))
    node.meta = {
        key: one for key, one in near.meta.items() if key != "tensor_meta"
    }
    node.meta["val"] = value
    return node
