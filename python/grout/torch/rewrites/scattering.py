"""Imports operators that replace elements at computed indices as
tensor.scatter. Importers would give another op, which has no loops.

Therefore, a graph is cut at each such operator before it is imported. The
operator's original tensor, new values and indices become results of the
imported function, and the operator's result becomes an argument. Afterwards, a
tensor.scatter joins them.
"""

import dataclasses
from typing import Any, Optional

from torch import fx

from ..graph import support
from . import updates
from .cutting import keep, main_of, move_users_behind, terminator
from .indexing import MESSAGE


@dataclasses.dataclass
class Cuts:
    """The places at which `cut` cut a graph, for `join`."""

    num_inputs: int
    num_outputs: int
    axes: list[list[int]]
    """For each operator, in order, the axes that have indices."""
    messages: list[str]
    """For each operator, the message with which it fails if an index is out of
    range; "" if it does not fail."""
    in_place: dict[int, int]
    """The inputs that results update in place: input numbers by result
    numbers."""


def cut(module: fx.GraphModule) -> tuple[fx.GraphModule, Optional[Cuts]]:
    """Returns the graph without operators that scatter, and without updates,
    and its cuts. If it has no such operators, returns the graph as it is, and
    None."""
    nodes = list(module.graph.nodes)
    if not any(map(support.is_scatter, nodes)):
        return module, None
    inputs = [node for node in nodes if node.op == "placeholder"]
    results = updates.results_of(module)
    cuts = Cuts(len(inputs), len(results), [], [], {})
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    for node in inputs:
        copies[node] = graph.node_copy(node)
    for i, node in enumerate(filter(support.is_scatter, nodes)):
        copies[node] = graph.placeholder(f"scattered_{i}")
        copies[node].meta = dict(node.meta)
    more: list[fx.Node] = []
    for node in nodes:
        if support.is_scatter(node):
            *parts, axes = updates.scatter_parts(graph, node, copies)
            more += parts
            cuts.axes.append(axes)
            cuts.messages.append(node.meta.get(MESSAGE, ""))
        elif support.is_update(node):
            target, value = node.args[:2]
            cuts.in_place[results.index(value)] = inputs.index(target)
        elif node.op != "output" and node not in copies:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output((*(copies[node] for node in results), *more))
    return fx.GraphModule(module, graph), cuts


def join(module: Any, cuts: Optional[Cuts]) -> None:
    """Adds tensor.scatter ops where `main` was cut, and marks the arguments
    that are updated in place."""
    if cuts is None:
        return
    from torch_mlir import ir

    func = main_of(module)
    block = func.regions[0].blocks[0]
    with module.context, func.location:
        end = terminator(block)
        for i, (axes, message) in enumerate(zip(cuts.axes, cuts.messages)):
            attributes = {
                "scatter_dims": ir.DenseI64ArrayAttr.get(axes),
                "unique": ir.UnitAttr.get(),
            }
            if message:
                attributes["grout.assert"] = ir.StringAttr.get(message)
            result = block.arguments[cuts.num_inputs + i]
            dest, source, places = list(end.operands)[
                cuts.num_outputs + 3 * i : cuts.num_outputs + 3 * i + 3
            ]
            scatter = ir.Operation.create(
                "tensor.scatter",
                results=[result.type],
                operands=[source, dest, places],
                attributes=attributes,
                ip=ir.InsertionPoint(end),
            )
            result.replace_all_uses_with(scatter.result)
            move_users_behind(block, scatter)
        keep(func, cuts.num_inputs, len(cuts.axes), cuts.num_outputs)
        func.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [_attributes(number, cuts) for number in range(cuts.num_inputs)]
        )


def _attributes(argument: int, cuts: Cuts) -> Any:
    from torch_mlir import ir

    number = ir.IntegerType.get_signless(64)
    for result, of in cuts.in_place.items():
        if of == argument:
            return ir.DictAttr.get(
                {"grout.in_place": ir.IntegerAttr.get(number, result)}
            )
    return ir.DictAttr.get({})
