"""Pads the operands of GEMMs with zeros where GPUs could not load their
rows."""

from typing import Container, Sequence

import torch
from torch import fx

from ... import targets
from ..graph import support
from ..graph.nodes import call

aten = torch.ops.aten

_LARGEST = 1 << 21
"""The largest number of elements of an operand to pad. Copying a larger operand
takes longer than the GEMM gains."""


def pad_products(module: fx.GraphModule, skipped: Container[fx.Node]) -> None:
    """Pads the operands of GEMMs that are not in `skipped`, along the axes that
    are contiguous in one of the operands, and cuts the results to their
    size."""
    for node in list(module.graph.nodes):
        if (
            node.op == "call_function"
            and support.is_matrix_product(node)
            and node not in skipped
        ):
            _pad(module.graph, node)
    module.recompile()


def unit() -> int:
    """Returns the number of elements to whose multiples rows are padded. The
    same number serves f32, which is multiplied as 16-bit types."""
    return targets.row_unit()


def _missing(extent: int) -> int:
    return -extent % unit()


def _pad(graph: fx.Graph, node: fx.Node) -> None:
    value = node.meta["val"]
    if value.dtype not in (torch.float16, torch.bfloat16, torch.float32):
        return
    x, y = node.args
    assert isinstance(x, fx.Node) and isinstance(y, fx.Node)
    inner, columns = y.meta["val"].shape[-2:]
    more_inner = _missing(inner) or (unit() if _is_cut(x) else 0)
    is_turned = not more_inner and _is_transpose(y)
    more = (
        0 if is_turned else _missing(columns) or (unit() if _is_cut(y) else 0)
    )
    if not more_inner and not more:
        return
    if (
        max(x.meta["val"].numel() if more_inner else 0, y.meta["val"].numel())
        > _LARGEST
    ):
        return
    users = list(node.users)
    with graph.inserting_before(node):
        node.args = (
            _widened(graph, node, x, (0, more_inner)),
            _widened(graph, node, y, (0, more, 0, more_inner)),
        )
    node.meta.pop("tensor_meta", None)  # outdated; importers read it
    node.meta["val"] = node.target(
        *(operand.meta["val"] for operand in node.args)
    )
    last = node
    if more:
        with graph.inserting_after(node):
            part = call(
                graph,
                node,
                aten.slice.Tensor,
                node,
                value.dim() - 1,
                0,
                columns,
            )
        with graph.inserting_after(part):
            last = call(graph, node, aten.clone.default, part)
        last.meta["val"] = value
    for user in users:
        user.replace_input_with(node, last)


def _is_transpose(y: fx.Node) -> bool:
    """Whether y is the transpose of a contiguous tensor. Then y needs no more
    columns, because the elements of its rows are not neighbours in memory. The
    rows of the result may begin at any address."""
    if support.packet(y) not in (aten.permute, aten.transpose, aten.t):
        return False
    source = y.args[0]
    assert isinstance(source, fx.Node)
    return source.meta["val"].is_contiguous() and y.meta["val"].stride(-1) != 1


def _is_cut(operand: fx.Node) -> bool:
    """Whether an operand is a part of a computed tensor whose rows do not begin
    at multiples of 16 bytes. Padding such an operand makes it a tensor of its
    own."""
    value, source = operand.meta["val"], operand
    while support.is_private_view(source):
        source = source.all_input_nodes[0]
    return (
        source.op == "call_function"
        and value.stride(-1) == 1
        and any(
            _missing(stride)
            for stride, extent in zip(value.stride()[:-1], value.shape)
            if extent != 1
        )
    )


def _widened(
    graph: fx.Graph, near: fx.Node, operand: fx.Node, pads: Sequence[int]
) -> fx.Node:
    if not any(pads):
        return operand
    return call(
        graph, near, aten.constant_pad_nd.default, operand, list(pads), 0.0
    )
