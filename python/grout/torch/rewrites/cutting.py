"""Cuts graphs at operators that importers do not know.

The operands of such an operator become results of the imported function, and
the operator's result becomes an argument. After the import, an op joins them.
"""

import dataclasses
from typing import Any, Callable, Optional, Sequence

from torch import fx

from . import updates


@dataclasses.dataclass
class Cuts:
    """The places at which `cut` cut a graph, for `join`."""

    num_inputs: int
    num_outputs: int
    nodes: list[fx.Node]
    """The operators, in order."""
    num_operands: int
    """The number of operands of each."""


def cut(
    module: fx.GraphModule,
    is_cut: Callable[[fx.Node], bool],
    operands_of: Callable[[fx.Node], Sequence[fx.Node]],
) -> tuple[fx.GraphModule, Optional[Cuts]]:
    """Returns the graph without the operators for which `is_cut` is true, and
    its cuts. `operands_of` returns the operands of an operator, the same number
    for each. If there are no such operators, returns the graph as it is, and
    None."""
    nodes = list(module.graph.nodes)
    chosen = list(filter(is_cut, nodes))
    if not chosen:
        return module, None
    inputs = [node for node in nodes if node.op == "placeholder"]
    results = updates.results_of(module)
    graph = fx.Graph()
    copies = {node: graph.node_copy(node) for node in inputs}
    for i, node in enumerate(chosen):
        copies[node] = graph.placeholder(f"cut_{i}")
        copies[node].meta = dict(node.meta)
    for node in nodes:
        if node.op != "output" and node not in copies:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    operands = [list(operands_of(node)) for node in chosen]
    graph.output(tuple(copies[node] for node in [*results, *sum(operands, [])]))
    return (
        fx.GraphModule(module, graph),
        Cuts(len(inputs), len(results), chosen, len(operands[0])),
    )


def join(
    module: Any,
    cuts: Optional[Cuts],
    build: Callable[[fx.Node, Sequence[Any], Any, Any], Any],
) -> None:
    """Joins `main` where it was cut. `build` gets an operator, its operands, the
    type of its result, and an op; it builds the operator before this op, and
    returns it."""
    if cuts is None:
        return
    func = main_of(module)
    block = func.regions[0].blocks[0]
    with module.context, func.location:
        end = terminator(block)
        for i, node in enumerate(cuts.nodes):
            result = block.arguments[cuts.num_inputs + i]
            first = cuts.num_outputs + cuts.num_operands * i
            operands = list(end.operands)[first : first + cuts.num_operands]
            joint = build(node, operands, result.type, end)
            result.replace_all_uses_with(joint.result)
            move_users_behind(block, joint)
        keep(func, cuts.num_inputs, len(cuts.nodes), cuts.num_outputs)


def main_of(module: Any) -> Any:
    """Returns the function of an imported graph."""
    return next(
        op for op in module.body.operations if op.operation.name == "func.func"
    ).operation


def terminator(block: Any) -> Any:
    return list(block.operations)[-1].operation


def move_users_behind(block: Any, joint: Any) -> None:
    """Moves the ops before `joint` that depend on `joint` to the end."""
    end = terminator(block)
    moved = {joint.result}
    for op in list(block.operations):
        op = op.operation
        if op == joint:
            break
        if _uses(op, moved):
            op.move_before(end)
            moved.update(op.results)


def _uses(op: Any, values: set[Any]) -> bool:
    """Whether an op, or an op in its regions, uses one of `values`."""
    if any(operand in values for operand in op.operands):
        return True
    return any(
        _uses(inner.operation, values)
        for region in op.regions
        for block in region.blocks
        for inner in block.operations
    )


def keep(func: Any, num_inputs: int, num_cut: int, num_outputs: int) -> None:
    """Drops the arguments and results that the cuts have added behind the
    inputs and outputs of the graph."""
    from torch_mlir import ir

    block = func.regions[0].blocks[0]
    end = terminator(block)
    results = list(end.operands)[:num_outputs]
    ir.Operation.create(
        "func.return", operands=results, ip=ir.InsertionPoint(end)
    )
    end.erase()
    for _ in range(num_cut):
        block.erase_argument(num_inputs)
    func.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(
            [argument.type for argument in block.arguments],
            [value.type for value in results],
        )
    )
