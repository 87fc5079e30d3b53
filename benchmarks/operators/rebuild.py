"""Finds a graph with the operators, inputs and outputs of a row.

The table has the operators in the order of the program, but not which values
each of them takes. The search goes through the operators and keeps the cheapest
partial graphs (a beam); what a choice costs is stated in `candidates`. A graph
is complete when every input is read, every output has a value of its type, and
no other value is without a use.
"""

import heapq
from collections import Counter
from dataclasses import replace

from operators import candidates, semantics
from operators.graph import Constant, Graph
from operators.partial import Partial

_BEAMS = (12, 100, 600)
# Partial graphs kept of those that have the same left to do.
_ALIKE = 3


class CannotRebuild(Exception):
    """Says why."""


def rebuild(row):
    for op in row.ops:
        reason = semantics.refusal(op)
        if reason:
            raise CannotRebuild(reason)
    for width in _BEAMS:
        graph = _search(row, width)
        if graph:
            return graph
    raise CannotRebuild("no graph of these operators has these inputs and "
                        "outputs")


def _taken(op):
    """How many values an operator can take at most."""
    if op == "AddN":
        return 1000
    if op == "Select":
        return 3
    if op in (semantics.BINARY + semantics.COMPARE + semantics.LOGICAL
              + semantics.STORE + ("Complex", "Gather")):
        return 2
    return 1


class _Bounds:
    """Whether what is left to do can be done by the operators that are left."""

    def __init__(self, row):
        self._outputs = Counter(row.outputs)
        self._row = row
        count = len(row.ops)
        self._takes = [0] * (count + 1)     # Values taken from each place on.
        self._makes = [0] * (count + 1)     # Values made.
        for i in range(count - 1, -1, -1):
            self._takes[i] = self._takes[i + 1] + _taken(row.ops[i])
            self._makes[i] = self._makes[i + 1] + (
                row.ops[i] not in semantics.STORE)

    def allow(self, place, types, unread, dangling):
        """Before the operator at `place`, with results of `types`."""
        loose = len(unread) + len(dangling)
        takes, makes = self._takes[place], self._makes[place]
        if loose + makes - takes > len(self._row.outputs):
            return False
        have = Counter(types)
        missing = sum(max(0, count - have[tensor])
                      for tensor, count in self._outputs.items())
        if missing > makes:
            return False
        free = Counter(types[value - len(self._row.inputs)]
                       for value in dangling)
        excess = len(unread) + sum(max(0, count - self._outputs[tensor])
                                   for tensor, count in free.items())
        return excess <= takes

    def key(self, partial, step, unread, dangling):
        """The same for partial graphs that can be completed alike."""
        types = partial.types + ((step.node.type,) if step.node else ())
        have = Counter(types[len(partial.inputs):])
        return (unread, tuple(types[value] for value in dangling),
                dangling[-1:] == (len(types) - 1,) and step.node is not None,
                tuple(min(have[tensor], count)
                      for tensor, count in self._outputs.items()),
                len(partial.stores) + (step.store is not None))


def _search(row, width):
    bounds = _Bounds(row)
    count = len(row.inputs)
    beam = [Partial.start(row)]
    for i, op in enumerate(row.ops):
        found = []
        for partial in beam:
            for step in candidates.steps(partial, op, row):
                unread, dangling = partial.left(step)
                types = partial.types[count:]
                if step.node:
                    types += (step.node.type,)
                if bounds.allow(i + 1, types, unread, dangling):
                    found.append((partial.cost + step.cost, len(found),
                                  partial, step, unread, dangling))
        beam = []
        alike = Counter()
        heapq.heapify(found)
        while found and len(beam) < width:
            _, _, partial, step, unread, dangling = heapq.heappop(found)
            key = bounds.key(partial, step, unread, dangling)
            alike[key] += 1
            if alike[key] <= _ALIKE:
                beam.append(partial.take(step))
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
    nodes = tuple(_filled(node, value in outputs) for value, node
                  in zip(partial.produced, partial.nodes))
    return Graph(row.label, row.inputs, nodes, partial.stores, outputs)


def _filled(node, is_output):
    """A fill that is an output clears it; others are filled with 1."""
    if (node.op == "BroadcastTo" and isinstance(node.operands[0], Constant)
            and not is_output):
        return replace(node, operands=(Constant(1.0),))
    return node
