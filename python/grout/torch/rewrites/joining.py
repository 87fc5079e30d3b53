"""Collectives in imported programs.

Importers do not know Grout's collectives (see graph/collectives.py). So a graph
is cut there before it is imported, and joined by ops of the dialect
`collective`.
"""

import itertools
from typing import Any, Optional, Sequence

from torch import fx

from ..graph import collectives
from . import cutting


def cut(
    module: fx.GraphModule,
) -> tuple[fx.GraphModule, Optional[cutting.Cuts]]:
    return cutting.cut(
        module,
        collectives.is_collective,
        lambda node: [collectives.operand_of(node)],
    )


def join(module: Any, cuts: Optional[cutting.Cuts]) -> None:
    channels = itertools.count()

    def build(
        node: fx.Node, operands: Sequence[Any], result: Any, end: Any
    ) -> Any:
        from torch_mlir import ir

        numbers = {
            "ranks": collectives.ranks_of(node),
            # Equal tensors on this rank may differ on other ranks.
            "channel": next(channels),
            **collectives.dims_of(node),
        }
        kind = ir.IntegerType.get_signless(64)
        return ir.Operation.create(
            f"collective.{collectives.name_of(node)}",
            results=[result],
            operands=operands,
            attributes={
                name: ir.IntegerAttr.get(kind, number)
                for name, number in numbers.items()
            },
            ip=ir.InsertionPoint(end),
        )

    module.context.allow_unregistered_dialects = True
    cutting.join(module, cuts, build)
