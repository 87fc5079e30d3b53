"""Products whose rows GPUs cannot load, made wider by zeros."""

from typing import Any, Sequence

import torch
from torch import fx

from . import support

aten = torch.ops.aten

_BYTES = 16
"""Rows begin at multiples of this."""

_LARGEST = 1 << 21
"""Elements of an operand. Copying more takes longer than the product gains."""

_INHERITED = ("nn_module_stack", "fwd_nn_module_stack", "stack_trace")


def pad_products(module: fx.GraphModule) -> None:
    """Pads the operands of products in f16 and bf16 along the two axes that are
    contiguous in one of them, and cuts the results."""
    for node in list(module.graph.nodes):
        if node.op == "call_function" and support.is_product(node):
            _pad(module.graph, node)
    module.recompile()


def _missing(extent: int, value: torch.Tensor) -> int:
    return -extent % (_BYTES // value.dtype.itemsize)


def _pad(graph: fx.Graph, node: fx.Node) -> None:
    value = node.meta["val"]
    if value.dtype not in (torch.float16, torch.bfloat16):
        return
    x, y = node.args
    assert isinstance(x, fx.Node) and isinstance(y, fx.Node)
    inner, columns = y.meta["val"].shape[-2:]
    more_inner, more = _missing(inner, value), _missing(columns, value)
    if not more_inner and not more:
        return
    if max(x.meta["val"].numel() if more_inner else 0,
           y.meta["val"].numel()) > _LARGEST:
        return
    users = list(node.users)
    with graph.inserting_before(node):
        node.args = (_widened(graph, node, x, (0, more_inner)),
                     _widened(graph, node, y, (0, more, 0, more_inner)))
    node.meta.pop("tensor_meta", None)  # which importers read
    node.meta["val"] = node.target(*(operand.meta["val"]
                                     for operand in node.args))
    last = node
    if more:
        with graph.inserting_after(node):
            part = _call(graph, node, aten.slice.Tensor,
                         node, value.dim() - 1, 0, columns)
        with graph.inserting_after(part):
            last = _call(graph, node, aten.clone.default, part)
        last.meta["val"] = value
    for user in users:
        user.replace_input_with(node, last)


def _widened(graph: fx.Graph, near: fx.Node, operand: fx.Node,
             pads: Sequence[int]) -> fx.Node:
    if not any(pads):
        return operand
    return _call(graph, near, aten.constant_pad_nd.default, operand,
                 list(pads), 0.0)


def _call(graph: fx.Graph, near: fx.Node, target: Any, *args: Any) -> fx.Node:
    node = graph.call_function(target, args)
    node.meta = {name: near.meta[name] for name in _INHERITED
                 if name in near.meta}
    node.meta["val"] = target(*(
        argument.meta["val"] if isinstance(argument, fx.Node) else argument
        for argument in args))
    return node
