"""Operands in the type of the result, for operators of which importers know no
others: what they make of mixed types is no program, or ends the process."""

import functools

import torch
from torch import fx

from . import support
from .nodes import call

aten = torch.ops.aten

_OF_ONE_TYPE = {
    aten.bitwise_and, aten.bitwise_or, aten.bitwise_xor, aten.cat,
    aten.maximum, aten.minimum, aten.pow, aten.where,
}


def make_equal(module: fx.GraphModule) -> None:
    """Casts operands, but for the conditions of choices."""
    for node in list(module.graph.nodes):
        if node.op == "call_function" and support.packet(node) in _OF_ONE_TYPE:
            first = int(support.packet(node) is aten.where)
            rest = fx.map_arg(node.args[first:], functools.partial(
                _cast, module.graph, node))
            node.args = (*node.args[:first], *rest)
    module.recompile()


def _cast(graph: fx.Graph, node: fx.Node, operand: fx.Node) -> fx.Node:
    dtype = node.meta["val"].dtype
    if operand.meta["val"].dtype == dtype:
        return operand
    with graph.inserting_before(node):
        return call(graph, node, aten._to_copy.default, operand, dtype=dtype)
