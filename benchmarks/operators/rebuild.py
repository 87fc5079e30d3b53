"""Finds a graph with the operators, inputs and outputs of a row.

The table has the operators in the order of the program, but not which values
each of them takes. The search goes through the operators and keeps the cheapest
partial graphs (a beam); what a choice costs is stated in `candidates`. A graph
is complete when every input is read, every output has a value of its type, and
no other value is without a use. Rows that are several graphs one after another
are first split into these (`segments`).
"""

import heapq
from collections import Counter
from dataclasses import replace

from operators import candidates, segments, semantics
from operators.graph import Constant, Graph
from operators.partial import Partial

# (width, urgency): the later ones prefer graphs that have taken more values.
_BEAMS = ((12, 0.0), (60, 1.0), (60, 2.0), (200, 3.0))
# Operators that take truth values, and those that make them.
_ASKING = semantics.LOGICAL + ("LogicalNot", "Select", "ElemAny")
_MAKING = semantics.COMPARE + semantics.CLASSIFY + ("Cast",)
# Partial graphs kept of those that have the same left to do.
_ALIKE = 3


class CannotRebuild(Exception):
    """Says why."""


def rebuild(row):
    for op in row.ops:
        reason = semantics.refusal(op)
        if reason:
            raise CannotRebuild(reason)
    graph = segments.rebuild(row, lambda part: _first(part, _BEAMS[:1]))
    graph = graph or _first(row, _BEAMS)
    if graph:
        return graph
    raise CannotRebuild(
        "no graph of these operators has these inputs and outputs"
    )


def _first(row, beams):
    """The graph of the first beam that finds one, or None."""
    return next(filter(None, (_search(row, *beam) for beam in beams)), None)


def _taken(op):
    """How many values an operator can take at most."""
    if op == "AddN":
        return 1000
    if op == "Select":
        return 3
    if op in (
        semantics.BINARY
        + semantics.COMPARE
        + semantics.LOGICAL
        + semantics.STORE
        + ("Complex", "Gather")
    ):
        return 2
    return 1


class _Bounds:
    """Whether what is left to do can be done by the operators that are left."""

    def __init__(self, row):
        self._outputs = Counter(row.outputs)
        self._row = row
        count = len(row.ops)
        self._takes = [0] * (count + 1)  # Values taken from each place on.
        self._makes = [0] * (count + 1)  # Values made.
        # Whether a truth value is asked for before an operator can make one.
        self._asks = [False] * (count + 1)
        for i in range(count - 1, -1, -1):
            self._asks[i] = row.ops[i] in _ASKING or (
                self._asks[i + 1] and row.ops[i] not in _MAKING
            )
            self._takes[i] = self._takes[i + 1] + _taken(row.ops[i])
            self._makes[i] = self._makes[i + 1] + (
                row.ops[i] not in semantics.STORE
            )

    def allow(self, place, partial):
        """Before the operator at `place`."""
        if self._asks[place] and not any(
            tensor.dtype == "bool" for tensor in partial.types
        ):
            return False
        loose = len(partial.unread) + len(partial.dangling)
        takes, makes = self._takes[place], self._makes[place]
        if loose + makes - takes > len(self._row.outputs):
            return False
        have = self._made(partial)
        missing = sum(
            count - have[tensor] for tensor, count in self._outputs.items()
        )
        if missing > makes:
            return False
        free = Counter(partial.type(value) for value in partial.dangling)
        excess = len(partial.unread) + sum(
            max(0, count - self._outputs[tensor])
            for tensor, count in free.items()
        )
        return excess <= takes

    def _made(self, partial):
        """How many results there are of the type of each output, as far as
        outputs need them."""
        types = partial.types[len(partial.inputs) :]
        return {
            tensor: min(count, types.count(tensor))
            for tensor, count in self._outputs.items()
        }

    def key(self, partial):
        """The same for partial graphs that can be completed alike."""
        return (
            partial.unread,
            tuple(map(partial.type, partial.dangling)),
            partial.last in partial.dangling,
            tuple(self._made(partial).values()),
            len(partial.stores),
        )


def _search(row, width, urgency):
    bounds = _Bounds(row)
    beam = [Partial.start(row)]
    for i, op in enumerate(row.ops):
        found = []
        for partial in beam:
            loose = {*partial.unread, *partial.dangling}
            for cost, step in candidates.steps(partial, op, row):
                cost -= urgency * len(loose.intersection(step.taken))
                found.append(
                    (partial.cost + cost, len(found), cost, partial, step)
                )
        heapq.heapify(found)
        beam = []
        alike = Counter()
        while found and len(beam) < width:
            *_, cost, partial, step = heapq.heappop(found)
            then = partial.take(cost, step)
            key = bounds.key(then)
            if alike[key] < _ALIKE and bounds.allow(i + 1, then):
                alike[key] += 1
                beam.append(then)
    best = None
    for partial in beam:
        outputs = partial.match(row.outputs)
        if outputs is not None:
            cost, values = outputs
            if best is None or partial.cost + cost < best[0]:
                best = partial.cost + cost, partial, values
    if best is None:
        return None
    _, partial, outputs = best
    nodes = tuple(
        _filled(node, value in outputs)
        for value, node in zip(partial.produced, partial.nodes)
    )
    return Graph(row.label, row.inputs, nodes, partial.stores, outputs)


def _filled(node, is_output):
    """A fill that is an output clears it; others are filled with 1."""
    if (
        node.op == "BroadcastTo"
        and isinstance(node.operands[0], Constant)
        and not is_output
    ):
        return replace(node, operands=(Constant(1.0),))
    return node
