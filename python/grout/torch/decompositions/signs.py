"""Sign bits of floats, including NaN. Importers have no operator that reads
bits.

Therefore, a graph is cut at each signbit before it is imported, as it is at
operators that scatter elements. The operand of the signbit becomes a result of
the imported function, and the sign bits become an argument. Afterwards, a
comparison of bits joins the two.
"""

import dataclasses
from typing import Any, Optional

import torch
from torch import fx

from ..rewrites import scattering, updates

aten = torch.ops.aten


@dataclasses.dataclass
class Cuts:
    """The inputs, outputs and sign bits of a graph, counted for `join`."""

    num_inputs: int
    num_outputs: int
    count: int


def _is_cut(node: fx.Node) -> bool:
    return node.target is aten.signbit.default


def cut(module: fx.GraphModule) -> tuple[fx.GraphModule, Optional[Cuts]]:
    """Returns the graph without sign bits, and its cuts. If it has no sign
    bits, returns the graph as it is, and None."""
    nodes = list(module.graph.nodes)
    signs = list(filter(_is_cut, nodes))
    if not signs:
        return module, None
    inputs = [node for node in nodes if node.op == "placeholder"]
    results = updates.results_of(module)
    graph = fx.Graph()
    copies = {node: graph.node_copy(node) for node in inputs}
    for i, node in enumerate(signs):
        copies[node] = graph.placeholder(f"sign_{i}")
        copies[node].meta = dict(node.meta)
    for node in nodes:
        if node.op != "output" and node not in copies:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output(
        (
            *(copies[node] for node in results),
            *(copies[node.args[0]] for node in signs),
        )
    )
    return (
        fx.GraphModule(module, graph),
        Cuts(len(inputs), len(results), len(signs)),
    )


def join(module: Any, cuts: Optional[Cuts]) -> None:
    """Adds comparisons where `main` was cut."""
    if cuts is None:
        return
    func = scattering.main_of(module)
    block = func.regions[0].blocks[0]
    with module.context, func.location:
        end = scattering.terminator(block)
        for i in range(cuts.count):
            sign = block.arguments[cuts.num_inputs + i]
            compared = _compare(
                list(end.operands)[cuts.num_outputs + i], sign.type, end
            )
            sign.replace_all_uses_with(compared.result)
            scattering.move_users_behind(block, compared)
        scattering.keep(func, cuts.num_inputs, cuts.count, cuts.num_outputs)


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
