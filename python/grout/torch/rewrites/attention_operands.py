"""Strides and ranks of attention's operands for which PyTorch has no kernel.

PyTorch decomposes attention with such an operand into GEMMs in f32 before a
backend sees it. So this module makes operands that PyTorch's kernels accept.
"""

from typing import Any, Optional

import torch
from torch import fx

_FUNCTION = torch.nn.functional.scaled_dot_product_attention
_OPERATOR = torch.ops.aten.scaled_dot_product_attention.default
_NAMES = ("query", "key", "value", "attn_mask")


def lay_out(module: fx.GraphModule, on_gpu: bool) -> None:
    """Changes the operands of attention in a graph of Dynamo or of
    torch.export. PyTorch's kernels want masks whose last stride is 1, and that
    have as many axes as the queries. For example, masks that transformers makes
    by `expand`, and T5 by `permute`, have another last stride. On GPUs, the
    last stride of queries, keys and values must be 1, too."""
    for part in module.modules():
        if not isinstance(part, fx.GraphModule):
            continue
        for target in (_FUNCTION, _OPERATOR):
            for node in part.graph.find_nodes(
                op="call_function", target=target
            ):
                _lay_out(part.graph, node, on_gpu)
        part.recompile()


def _lay_out(graph: fx.Graph, attention: fx.Node, on_gpu: bool) -> None:
    query = _value_of(_operand(attention, 0))
    for place, name in enumerate(_NAMES):
        operand = _operand(attention, place)
        value = _value_of(operand)
        if operand is None or value is None or not value.dim():
            continue
        is_mask = name == "attn_mask"
        if is_mask and query is not None and 2 < value.dim() < query.dim():
            operand = _insert(
                graph, attention, operand, torch.ops.aten.unsqueeze.default, 0
            )
            value = _value_of(operand)
            assert value is not None
        if value.stride(-1) != 1 and (is_mask or on_gpu):
            _insert(
                graph, attention, operand, torch.ops.aten.contiguous.default
            )


def _operand(attention: fx.Node, place: int) -> Optional[fx.Node]:
    given = (
        attention.args[place]
        if len(attention.args) > place
        else attention.kwargs.get(_NAMES[place])
    )
    return given if isinstance(given, fx.Node) else None


def _value_of(operand: Optional[fx.Node]) -> Optional[torch.Tensor]:
    if operand is None:
        return None
    value = operand.meta.get("example_value", operand.meta.get("val"))
    return value if isinstance(value, torch.Tensor) else None


def _insert(
    graph: fx.Graph,
    attention: fx.Node,
    operand: fx.Node,
    function: Any,
    *args: int,
) -> fx.Node:
    """Inserts a call of `function` between an operand and `attention`, and
    returns it."""
    with graph.inserting_before(attention):
        made = graph.call_function(function, (operand, *args))
    made.meta = {
        name: function(value, *args)
        if name in ("example_value", "val")
        else value
        for name, value in operand.meta.items()
    }
    attention.replace_input_with(operand, made)
    return made
