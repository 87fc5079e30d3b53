"""Imports products of groups of rows as tgemm.grouped_matmul, which importers do
not know: a graph is cut at each such product before it is imported.

The rewrite replaces products of the library transformers, which loop over the
groups.
"""

from typing import Any, Optional, Sequence

import torch
from torch import fx

from ..decompositions import grouped, tables
from ..graph import support
from ..graph.nodes import replace_by
from . import cutting
from .rewrite import Context, Rewrite

aten = torch.ops.aten

_LOOP = "transformers.grouped_mm_fallback.default"


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


def _product(
    x: torch.Tensor, matrices: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    """Returns the products, and zeros for rows in no group."""
    rows = torch.arange(x.shape[0], dtype=torch.int32, device=x.device)
    product = aten._grouped_mm.default(x, matrices, ends)
    return torch.where((rows < ends[-1]).unsqueeze(-1), product, 0)


def replace_loops(module: fx.GraphModule, context: Context) -> None:
    """Replaces loops over groups by products that Grout computes."""
    for node in list(module.graph.nodes):
        if support.name_of(node) != _LOOP or support.is_excluded(
            node, context.excluded
        ):
            continue
        operands = grouped.operands_of(node)
        if context.device is None or grouped.find_problem(*operands):
            continue
        table = tables.for_graph(module)
        replace_by(module.graph, node, _product, operands, table)
        module.graph.erase_node(node)
    module.recompile()


REWRITE = Rewrite(apply=replace_loops)
