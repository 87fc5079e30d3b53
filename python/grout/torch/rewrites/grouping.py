"""Imports products of groups of rows as tgemm.grouped_matmul, which importers do
not know: a graph is cut at each such product before it is imported.

The rewrite replaces products of the library transformers, which loop over the
groups, and the gradients of these products.
"""

import operator
from typing import Any, Mapping, Optional, Sequence

import torch
from torch import fx

from ..decompositions import grouped, ragged, tables
from ..graph import support
from ..graph.nodes import replace_by
from . import cutting
from .rewrite import Context, Rewrite

aten = torch.ops.aten

_LOOP = "transformers.grouped_mm_fallback.default"
_GRADIENTS = "transformers.grouped_mm_fallback_backward.default"


def cut(
    module: fx.GraphModule,
) -> tuple[fx.GraphModule, Optional[cutting.Cuts]]:
    def operands_of(node: fx.Node) -> list[fx.Node]:
        x, matrices, ends = grouped.operands_of(node)
        return [x, grouped.stored(matrices)[0], ends]

    return cutting.cut(module, grouped.is_grouped, operands_of)


def join(module: Any, cuts: Optional[cutting.Cuts]) -> None:
    def build(
        node: fx.Node, operands: Sequence[Any], result: Any, end: Any
    ) -> Any:
        from torch_mlir import ir

        attributes: dict[str, Any] = {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, 0, 1])
        }
        _, matrices, _ = grouped.operands_of(node)
        if grouped.stored(matrices)[1]:
            attributes["transpose_rhs"] = ir.UnitAttr.get()
        return ir.Operation.create(
            "tgemm.grouped_matmul",
            results=[result],
            operands=operands,
            attributes=attributes,
            regions=1,
            ip=ir.InsertionPoint(end),
        )

    module.context.allow_unregistered_dialects = True
    cutting.join(module, cuts, build)


def _gradient_of_rows(
    x: torch.Tensor,
    matrices: torch.Tensor,
    ends: torch.Tensor,
    gradient: torch.Tensor,
) -> torch.Tensor:
    return grouped.rows_or_zeros(gradient, matrices.transpose(1, 2), ends)


def _gradient_of_matrices(
    x: torch.Tensor,
    matrices: torch.Tensor,
    ends: torch.Tensor,
    gradient: torch.Tensor,
) -> torch.Tensor:
    return ragged.product(x.t(), gradient, ends)


def replace_loops(module: fx.GraphModule, context: Context) -> None:
    """Replaces loops over groups by products that Grout computes."""
    for node in list(module.graph.nodes):
        name = support.name_of(node)
        if (
            name not in (_LOOP, _GRADIENTS)
            or context.device is None
            or support.is_excluded(node, context.excluded)
        ):
            continue
        operands = [*node.args, *node.kwargs.values()]
        _, matrices, ends, *gradients = operands
        if any(
            grouped.find_problem(rows, matrices, ends)
            for rows in (operands[0], *gradients)
        ):
            continue
        table = tables.for_graph(module)
        if name == _LOOP:
            replace_by(
                module.graph, node, grouped.rows_or_zeros, operands, table
            )
        else:
            _replace_gradients(module.graph, node, operands, table)
        module.graph.erase_node(node)
    module.recompile()


def _replace_gradients(
    graph: fx.Graph,
    node: fx.Node,
    operands: Sequence[fx.Node],
    table: Mapping[Any, Any],
) -> None:
    """Replaces the results of a node that returns two gradients."""
    for user in list(node.users):
        assert user.target is operator.getitem
        function = (_gradient_of_rows, _gradient_of_matrices)[user.args[1]]
        replace_by(graph, user, function, operands, table)
        graph.erase_node(user)


REWRITE = Rewrite(apply=replace_loops)
