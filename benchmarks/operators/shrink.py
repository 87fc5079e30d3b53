"""The same graph with smaller extents, to run it.

Extents that must be equal change together. Where a reshape joins or splits
axes, only the outermost axis of either side changes, both by the same factor.
Remainders modulo 8 are kept, where the extents allow it, and innermost axes as
long as others can be reduced: alignment decides how operators are vectorised.
"""

import math
from dataclasses import replace

from operators import shapes
from operators.graph import Constant, Graph

_MODULUS = 8


class _Union:
    """Disjoint sets."""

    def __init__(self):
        self._parents = {}

    def find(self, item):
        self._parents.setdefault(item, item)
        while self._parents[item] != item:
            item = self._parents[item]
        return item

    def join(self, a, b):
        self._parents[self.find(a)] = self.find(b)


class _Extents:
    """Sets of axes, each an axis of a value, that have one extent, and sets of
    these that change by one factor."""

    def __init__(self, graph):
        self._graph = graph
        self._equal = _Union()
        self._linked = _Union()
        self._frozen = []
        for value, node in enumerate(graph.nodes, len(graph.inputs)):
            self._visit(value, node)
        for store in graph.stores:
            self._align(store.value, store.target)
        self.extents = {}
        for value in graph.values:
            for axis, extent in enumerate(graph.type(value).shape):
                self.extents[self._equal.find((value, axis))] = extent

    def _shape(self, value):
        return self._graph.type(value).shape

    def _join(self, a, b):
        self._equal.join(a, b)

    def _align(self, operand, value):
        """As elementwise operators do."""
        shape, result = self._shape(operand), self._shape(value)
        first = len(result) - len(shape)
        for axis, extent in enumerate(shape):
            if extent == result[first + axis]:
                self._join((operand, axis), (value, first + axis))

    def _visit(self, value, node):
        operands = [
            operand
            for operand in node.operands
            if not isinstance(operand, Constant)
        ]
        if node.op == "Reshape":
            self._reshape(operands[0], value)
        elif node.op == "Transpose":
            for axis, source in enumerate(node.attributes["permutation"]):
                self._join((operands[0], source), (value, axis))
        elif node.op in ("ReduceSum", "ReduceMax"):
            rank = len(self._shape(operands[0]))
            kept = [
                axis
                for axis in range(rank)
                if axis not in node.attributes["axes"]
            ]
            same = rank == len(node.type.shape)
            for place, axis in enumerate(kept):
                self._join(
                    (operands[0], axis), (value, axis if same else place)
                )
        elif node.op == "OneHot":
            for axis in range(len(self._shape(operands[0]))):
                self._join((operands[0], axis), (value, axis))
        elif node.op == "Gather":
            table, index = operands
            ahead = len(self._shape(index))
            for axis in range(ahead):
                self._join((index, axis), (value, axis))
            for axis in range(1, len(self._shape(table))):
                self._join((table, axis), (value, ahead + axis - 1))
        elif node.op in ("PadAkg", "UnPadAkg"):
            self._align(operands[0], value)
            for axis, extent in enumerate(node.type.shape):
                if extent != self._shape(operands[0])[axis]:
                    self._frozen += [(operands[0], axis), (value, axis)]
        elif node.op != "ElemAny":
            for operand in operands:
                self._align(operand, value)

    def _reshape(self, operand, value):
        source, target = self._shape(operand), self._shape(value)
        for left, right in shapes.regroup(source, target):
            left = [(operand, i) for i in left if source[i] != 1]
            right = [(value, i) for i in right if target[i] != 1]
            if len(left) == len(right) == 1:
                self._join(left[0], right[0])
            elif left and right:
                self._linked.join(left[0], right[0])
                self._frozen += left[1:] + right[1:]

    def finish(self):
        """{axis: (the extent's set, the sets that change with it)}, without
        those that cannot change."""
        links = _Union()
        for axis in list(self._linked._parents):
            links.join(
                self._equal.find(axis),
                self._equal.find(self._linked.find(axis)),
            )
        frozen = {links.find(self._equal.find(axis)) for axis in self._frozen}
        groups = {}
        for root in self.extents:
            groups.setdefault(links.find(root), []).append(root)
        result = {}
        for value in self._graph.values:
            for axis, extent in enumerate(self._shape(value)):
                root = self._equal.find((value, axis))
                group = links.find(root)
                if extent > 1 and group not in frozen:
                    result[value, axis] = groups[group]
        return result

    def root(self, value, axis):
        return self._equal.find((value, axis))


def shrink(graph, limit):
    """No value has more than `limit` elements, if that can be."""
    sets = _Extents(graph)
    free = sets.finish()
    extents = sets.extents

    def shape(value):
        return tuple(
            extents[sets.root(value, axis)]
            for axis in range(len(graph.type(value).shape))
        )

    stuck = set()
    while True:
        large = [
            value
            for value in graph.values
            if value not in stuck and math.prod(shape(value)) > limit
        ]
        if not large:
            break
        value = max(large, key=lambda value: math.prod(shape(value)))
        if not _reduce(value, shape(value), free, extents, limit):
            stuck.add(value)

    def resized(value, tensor):
        return tensor._replace(shape=shape(value))

    count = len(graph.inputs)
    return Graph(
        graph.name,
        tuple(resized(i, tensor) for i, tensor in enumerate(graph.inputs)),
        tuple(
            replace(node, type=resized(value, node.type))
            for value, node in enumerate(graph.nodes, count)
        ),
        graph.stores,
        graph.outputs,
    )


def _reduce(value, shape, free, extents, limit):
    """Reduces the outermost axis that can be, the innermost one last."""
    factor = -(-math.prod(shape) // limit)
    axes = [axis for axis, extent in enumerate(shape) if extent > 1]
    for axis in axes:
        group = free.get((value, axis))
        if group and _divide(group, extents, factor, axis == axes[-1]):
            return True
    return False


def _divide(group, extents, factor, innermost):
    before = {root: extents[root] for root in group}
    if len(group) == 1:
        (extent,) = before.values()
        least = 64 if innermost else 1
        smaller = max(extent // factor, least)
        smaller += (extent - smaller) % _MODULUS
        if smaller >= extent:
            return False
        extents[group[0]] = smaller
        return True
    common = math.gcd(*before.values())
    divisors = [n for n in range(2, common + 1) if common % n == 0]
    if not divisors:
        return False
    chosen = next((n for n in divisors if n >= factor), divisors[-1])
    for root, extent in before.items():
        extents[root] = extent // chosen
    return True
