"""Casts operands to the types that importers need, or that eager uses. For
operands of mixed types, importers give invalid programs, or end the process."""

import functools
from typing import Any

import torch
from torch import fx

from ..graph import support
from ..graph.nodes import call
from .rewrite import Rewrite

aten = torch.ops.aten

_OF_ONE_TYPE = {
    aten.bitwise_and,
    aten.bitwise_or,
    aten.bitwise_right_shift,
    aten.bitwise_xor,
    aten.cat,
    aten.maximum,
    aten.minimum,
    aten.pow,
    aten.where,
}


_INTEGERS = {torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64}
_OF_WHOLE_NUMBERS = {
    aten.eq,
    aten.ge,
    aten.gt,
    aten.le,
    aten.lt,
    aten.ne,
    aten.fmod,
    aten.remainder,
}
_CLAMPS = {aten.clamp, aten.clamp_min, aten.clamp_max}


def make_equal(module: fx.GraphModule) -> None:
    """Casts the operands of some operators to the type of their result, but not
    the conditions of `where`. Replaces a number that is the first operand by a
    tensor. Casts whole numbers to the type of the integers with which they are
    compared, or which they divide or bound."""
    for node in list(module.graph.nodes):
        if _takes_whole(node):
            x, number = node.args
            node.args = (x, _wrapped(number, x.meta["val"].dtype))
        if node.op == "call_function" and support.packet(node) in _CLAMPS:
            _limit_bounds(node)
        if _begins_with_number(node):
            node.args = (_filled(module.graph, node, 0), *node.args[1:])
        if _adds_truth_value(node):
            node.args = (node.args[0], _filled(module.graph, node, 1))
        if node.op == "call_function" and support.packet(node) in _OF_ONE_TYPE:
            first = int(support.packet(node) is aten.where)
            rest = fx.map_arg(
                node.args[first:], functools.partial(_cast, module.graph, node)
            )
            node.args = (*node.args[:first], *rest)
    module.recompile()


def _takes_whole(node: fx.Node) -> bool:
    """Whether a node compares a tensor of integers with a whole number, or
    divides it by one. Eager casts the number to the type of the tensor, even if
    it does not fit: for example, 300 becomes 44 for int8. Importers would
    compute with 64 bits."""
    if node.op != "call_function":
        return False
    packet = support.packet(node)
    is_division = (
        packet == aten.div and node.kwargs.get("rounding_mode") is not None
    )
    if packet not in _OF_WHOLE_NUMBERS and not is_division:
        return False
    x, number = node.args
    return (
        isinstance(x, fx.Node)
        and type(number) is int
        and x.meta["val"].dtype in _INTEGERS
    )


def _limit_bounds(node: fx.Node) -> None:
    """Moves whole bounds of integers into the range of their type. Bounds
    outside of the range bound nothing, or eager refuses them."""
    dtype = node.args[0].meta["val"].dtype
    if dtype not in _INTEGERS:
        return
    limits = torch.iinfo(dtype)

    def limited(bound: Any) -> Any:
        if type(bound) is not int:
            return bound
        return min(max(bound, limits.min), limits.max)

    node.args = (node.args[0], *map(limited, node.args[1:]))
    node.kwargs = {name: limited(of) for name, of in node.kwargs.items()}


def _wrapped(number: int, dtype: torch.dtype) -> int:
    limits = torch.iinfo(dtype)
    return (number - limits.min) % 2**limits.bits + limits.min


def _begins_with_number(node: fx.Node) -> bool:
    """Whether the first operand is a number although the operator takes a
    tensor there, as in the graph of `0.3 + torch.ones(3)`. Importers would make
    it a tensor of f32."""
    return (
        node.op == "call_function"
        and isinstance(node.target, torch._ops.OpOverload)
        and bool(node.args)
        and isinstance(node.args[0], (bool, int, float))
        and isinstance(node.target._schema.arguments[0].type, torch.TensorType)
        and bool(node.all_input_nodes)
    )


def _adds_truth_value(node: fx.Node) -> bool:
    """Whether a node adds True or False to truth values, which is `or`, as for
    tensors. Importers would add numbers of one bit, where True + True is
    False."""
    return (
        node.op == "call_function"
        and support.packet(node) is aten.add
        and isinstance(node.args[0], fx.Node)
        and isinstance(node.args[1], bool)
        and node.meta["val"].dtype == torch.bool
    )


def _filled(graph: fx.Graph, node: fx.Node, position: int) -> fx.Node:
    """Returns a tensor without axes for the number that is an operand of a
    node. Its type is the common type of the number and the tensors: for
    example, -1 becomes 255 for uint8. But for operators that compute floats
    from integers, such as true_divide, it is the type of the result."""
    number = node.args[position]
    tensors = [operand.meta["val"] for operand in node.all_input_nodes]
    dtype = functools.reduce(
        torch.promote_types,
        (torch.result_type(number, tensor) for tensor in tensors),
    )
    result = node.meta["val"].dtype
    if result.is_floating_point and not dtype.is_floating_point:
        dtype = result
    if type(number) is int and dtype in _INTEGERS:
        number = _wrapped(number, dtype)
    with graph.inserting_before(node):
        return call(
            graph,
            node,
            aten.full.default,
            [],
            number,
            dtype=dtype,
            device=node.meta["val"].device,
        )


def _cast(graph: fx.Graph, node: fx.Node, operand: fx.Node) -> fx.Node:
    dtype = node.meta["val"].dtype
    if operand.meta["val"].dtype == dtype:
        return operand
    with graph.inserting_before(node):
        return call(graph, node, aten._to_copy.default, operand, dtype=dtype)


REWRITE = Rewrite(
    apply=lambda module, context: make_equal(module), after=("literals",)
)
