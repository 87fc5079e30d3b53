"""Graphs of operators.

Values are numbered: inputs first, then the result of each node in order. A
graph has no value that nothing uses and that is no result.
"""

from dataclasses import dataclass, field

from operators.table import Tensor


@dataclass(frozen=True)
class Constant:
    value: float


@dataclass(frozen=True)
class Node:
    op: str
    operands: tuple  # Numbers of values, and Constants.
    type: Tensor
    attributes: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Store:
    """InplaceAssign or Assign: the input `target` becomes `value`."""

    target: int
    value: int


@dataclass(frozen=True)
class Graph:
    name: str
    inputs: tuple  # of Tensor
    nodes: tuple  # of Node
    stores: tuple  # of Store
    outputs: tuple  # Numbers of values.

    def type(self, value):
        count = len(self.inputs)
        return (
            self.inputs[value]
            if value < count
            else self.nodes[value - count].type
        )

    def node(self, value):
        """Of a value that is no input."""
        return self.nodes[value - len(self.inputs)]

    @property
    def values(self):
        return range(len(self.inputs) + len(self.nodes))

    def uses(self):
        """How often each value is an operand; stores and results are none."""
        counts = [0] * len(self.values)
        for node in self.nodes:
            for operand in node.operands:
                if not isinstance(operand, Constant):
                    counts[operand] += 1
        return counts

    @property
    def results(self):
        """Outputs, then what stores leave in inputs and no output has."""
        stored = {}
        for store in self.stores:
            stored[store.target] = store.value
        return self.outputs + tuple(
            value for value in stored.values() if value not in self.outputs
        )

    def accumulated(self):
        """{sum: input}: sums that do nothing but update an input, and are
        added to it, as AKG's kernels do it with atomic additions."""
        counts = self.uses()
        found = {}
        for store in self.stores:
            if (
                store.value >= len(self.inputs)
                and not counts[store.value]
                and self.node(store.value).op == "ReduceSum"
                and store.target not in found.values()
            ):
                found[store.value] = store.target
        return found

    def __str__(self):
        def operand(item):
            return (
                f"{item.value:g}" if isinstance(item, Constant) else f"%{item}"
            )

        lines = [
            f"%{i}: {tensor} = input" for i, tensor in enumerate(self.inputs)
        ]
        for i, node in enumerate(self.nodes, len(self.inputs)):
            text = f"%{i}: {node.type} = {node.op}"
            text += "(" + ", ".join(map(operand, node.operands)) + ")"
            if node.attributes:
                text += " " + ", ".join(
                    f"{key} {value}" for key, value in node.attributes.items()
                )
            lines.append(text)
        lines += [f"%{store.target} := %{store.value}" for store in self.stores]
        lines.append("outputs " + ", ".join(f"%{i}" for i in self.outputs))
        return "\n".join(lines)
