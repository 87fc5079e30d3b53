"""Sign bits of floats, including NaN. Importers have no operator that reads
bits. Therefore, a graph is cut at each signbit before it is imported. Afterwards,
a comparison of bits joins it."""

from typing import Any, Optional, Sequence

import torch
from torch import fx

from ..rewrites import cutting

aten = torch.ops.aten


def cut(
    module: fx.GraphModule,
) -> tuple[fx.GraphModule, Optional[cutting.Cuts]]:
    return cutting.cut(
        module,
        lambda node: node.target is aten.signbit.default,
        lambda node: node.all_input_nodes,
    )


def join(module: Any, cuts: Optional[cutting.Cuts]) -> None:
    def build(
        node: fx.Node, operands: Sequence[Any], result: Any, end: Any
    ) -> Any:
        return _compare(operands[0], result, end)

    cutting.join(module, cuts, build)


def _compare(x: Any, result: Any, end: Any) -> Any:
    """Whether the elements of `x` are less than 0 as integers."""
    from torch_mlir import ir

    before = ir.InsertionPoint(end)
    empty = ir.Operation.create("tensor.empty", results=[result], ip=before)
    rank = ir.RankedTensorType(x.type).rank
    maps = [ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))] * 2
    generic = ir.Operation.create(
        "linalg.generic",
        results=[result],
        operands=[x, empty.result],
        attributes={
            "indexing_maps": ir.ArrayAttr.get(maps),
            "iterator_types": ir.ArrayAttr.get(
                [ir.Attribute.parse("#linalg.iterator_type<parallel>")] * rank
            ),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
        },
        regions=1,
        ip=before,
    )
    of_x, of_result = (
        ir.ShapedType(value).element_type for value in (x.type, result)
    )
    body = generic.regions[0].blocks.append(of_x, of_result)
    with ir.InsertionPoint(body):
        bits = ir.IntegerType.get_signless(ir.FloatType(of_x).width)
        number = ir.Operation.create(
            "arith.bitcast", results=[bits], operands=[body.arguments[0]]
        )
        zero = ir.Operation.create(
            "arith.constant",
            results=[bits],
            attributes={"value": ir.IntegerAttr.get(bits, 0)},
        )
        less = ir.Operation.create(
            "arith.cmpi",
            results=[of_result],
            operands=[number.result, zero.result],
            attributes={
                "predicate": ir.IntegerAttr.get(
                    ir.IntegerType.get_signless(64), 2
                )
            },
        )  # signed less than
        ir.Operation.create("linalg.yield", operands=[less.result])
    return generic
