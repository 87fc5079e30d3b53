"""Splits rows that are several independent graphs one after another.

AKG's parallel fusion puts graphs together that depend on nothing of each other;
`_parallel_` in the name of a row says so. Their operators, inputs and outputs
follow each other in the same order, so each part is a row of its own.
"""

import re
from dataclasses import replace

from operators.graph import Constant, Graph, Store

_PARALLEL = re.compile(r"_parallel(_\d+)?$")
_END = re.compile(r"_(?:split|fusion|atomic_add|atomic_clean)_")
# Parts that are tried before the row is taken as one.
_TRIES = 200


def rebuild(row, search):
    """The graph of a row that is parallel, whose parts `search` finds, or
    None."""
    if not _PARALLEL.search(row.name):
        return None
    parts = _Splitter(row, search).split()
    return _join(row, parts) if parts else None


def _lengths(name):
    """How many operators the first parts have. A name has those of each part,
    until it is cut short, but not always all of them: it is only a hint."""
    *parts, _ = _END.split(name.removeprefix("Fused_"))
    return [part.count("_") + 1 for part in parts]


class _Splitter:
    def __init__(self, row, search):
        self._row = row
        self._search = search
        self._lengths = _lengths(row.name)
        self._graphs = {}  # By operators, inputs and outputs.
        self._hopeless = set()

    def split(self, op=0, input_=0, output=0, part=0):
        """Graphs of all that begins there, in order, or None. The first one
        has about as many operators as its part of the name, or as there are
        for each output, and about as many inputs as there are for each; the
        fewest outputs that it can have; and it lets the rest be split."""
        row = self._row
        place = op, input_, output
        if op == len(row.ops):
            done = (input_, output) == (len(row.inputs), len(row.outputs))
            return [] if done else None
        if place in self._hopeless:
            return None
        ends = range(op + 1, len(row.ops) + 1)
        inputs = range(input_, len(row.inputs) + 1)
        outputs = max(1, len(row.outputs) - output)
        mean = (
            self._lengths[part]
            if part < len(self._lengths)
            else (len(row.ops) - op) / outputs
        )
        mean_inputs = (len(row.inputs) - input_) / outputs
        for end in sorted(ends, key=lambda end: abs(end - op - mean)):
            for last_output in range(
                output + 1, min(output + end - op, len(row.outputs)) + 1
            ):
                for last_input in sorted(
                    inputs, key=lambda last: abs(last - input_ - mean_inputs)
                ):
                    piece = (
                        row.ops[op:end],
                        row.inputs[input_:last_input],
                        row.outputs[output:last_output],
                    )
                    if place == (0, 0, 0) and piece == (
                        row.ops,
                        row.inputs,
                        row.outputs,
                    ):
                        continue
                    graph = self._graph(piece)
                    rest = graph and self.split(
                        end, last_input, last_output, part + 1
                    )
                    if rest is not None:
                        return [graph, *rest]
        self._hopeless.add(place)
        return None

    def _graph(self, piece):
        if piece not in self._graphs:
            if len(self._graphs) >= _TRIES:
                return None
            ops, inputs, outputs = piece
            self._graphs[piece] = self._search(
                self._row._replace(ops=ops, inputs=inputs, outputs=outputs)
            )
        return self._graphs[piece]


def _join(row, parts):
    """One graph of all: inputs first, then the nodes of each part."""
    nodes, stores, outputs = [], [], []
    first_input, first_node = 0, len(row.inputs)

    for part in parts:
        count = len(part.inputs)

        def moved(value):
            return (
                value + first_input
                if value < count
                else value - count + first_node
            )

        nodes += [
            replace(
                node,
                operands=tuple(
                    operand if isinstance(operand, Constant) else moved(operand)
                    for operand in node.operands
                ),
            )
            for node in part.nodes
        ]
        stores += [
            Store(moved(store.target), moved(store.value))
            for store in part.stores
        ]
        outputs += map(moved, part.outputs)
        first_input += count
        first_node += len(part.nodes)
    return Graph(
        row.label, row.inputs, tuple(nodes), tuple(stores), tuple(outputs)
    )
