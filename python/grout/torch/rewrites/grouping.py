"""Imports products of groups of rows as tgemm.grouped_matmul, which importers do
not know.

Therefore, a graph is cut at each such product before it is imported, as it is
at operators that scatter elements. The rows, the matrices and the ends of the
groups become results of the imported function, and the product becomes an
argument. Afterwards, a tgemm.grouped_matmul joins them.

The rewrite replaces products of the library transformers, which loop over the
groups.
"""

import dataclasses
from typing import Any, Optional

import torch
from torch import fx

from ..decompositions import grouped, tables
from ..graph import support
from ..graph.nodes import replace_by
from . import scattering, updates
from .rewrite import Context, Rewrite

aten = torch.ops.aten

_LOOP = "transformers.grouped_mm_fallback.default"


@dataclasses.dataclass
class Cuts:
    """The inputs, outputs and products of a graph, counted for `join`."""

    num_inputs: int
    num_outputs: int
    transposed: list[bool]
    """For each product, whether its matrices are stored transposed."""


def cut(module: fx.GraphModule) -> tuple[fx.GraphModule, Optional[Cuts]]:
    """Returns the graph without products of groups, and its cuts. If it has no
    such products, returns the graph as it is, and None."""
    nodes = list(module.graph.nodes)
    products = list(filter(grouped.is_grouped, nodes))
    if not products:
        return module, None
    inputs = [node for node in nodes if node.op == "placeholder"]
    results = updates.results_of(module)
    graph = fx.Graph()
    copies = {node: graph.node_copy(node) for node in inputs}
    for i, node in enumerate(products):
        copies[node] = graph.placeholder(f"product_{i}")
        copies[node].meta = dict(node.meta)
    for node in nodes:
        if node.op != "output" and node not in copies:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    more: list[fx.Node] = []
    transposed = []
    for node in products:
        matrices, is_transposed = grouped.stored(node)
        transposed.append(is_transposed)
        more += (
            copies[n] for n in (node.args[0], matrices, grouped.ends_of(node))
        )
    graph.output((*(copies[node] for node in results), *more))
    return (
        fx.GraphModule(module, graph),
        Cuts(len(inputs), len(results), transposed),
    )


def join(module: Any, cuts: Optional[Cuts]) -> None:
    """Adds tgemm.grouped_matmul ops where `main` was cut."""
    if cuts is None:
        return
    from torch_mlir import ir

    func = scattering.main_of(module)
    block = func.regions[0].blocks[0]
    module.context.allow_unregistered_dialects = True
    with module.context, func.location:
        end = scattering.terminator(block)
        for i, is_transposed in enumerate(cuts.transposed):
            result = block.arguments[cuts.num_inputs + i]
            first = cuts.num_outputs + 3 * i
            attributes: dict[str, Any] = {
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, 0, 1])
            }
            if is_transposed:
                attributes["transpose_rhs"] = ir.UnitAttr.get()
            product = ir.Operation.create(
                "tgemm.grouped_matmul",
                results=[result.type],
                operands=list(end.operands)[first : first + 3],
                attributes=attributes,
                regions=1,
                ip=ir.InsertionPoint(end),
            )
            result.replace_all_uses_with(product.result)
            scattering.move_users_behind(block, product)
        scattering.keep(
            func, cuts.num_inputs, len(cuts.transposed), cuts.num_outputs
        )


def _product(
    x: torch.Tensor, matrices: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    """Returns the products, and zeros for rows in no group."""
    rows = torch.arange(x.shape[0], dtype=torch.int32, device=x.device)
    product = aten._grouped_mm.default(x, matrices, ends)
    return torch.where((rows < ends[-1]).unsqueeze(-1), product, 0)


def replace_loops(module: fx.GraphModule, context: Context) -> None:
    """Replaces loops over groups by products of groups."""
    device = context.device
    for node in list(module.graph.nodes):
        if support.name_of(node) != _LOOP or support.is_excluded(
            node, context.excluded
        ):
            continue
        ends = node.args[2].meta["val"]
        if device is None or ends.dtype != torch.int32:
            continue
        table = tables.for_graph(module)
        replace_by(module.graph, node, _product, list(node.args), table)
        module.graph.erase_node(node)
    module.recompile()


REWRITE = Rewrite(apply=replace_loops)
