"""What evaluating a graph takes, whatever its arrays are."""

import abc

from operators.graph import Constant


class Evaluation(abc.ABC):
    """Computes the values of a graph. Operators are functions of arrays, by
    `_function`, or methods with their names, of the node and arrays."""

    def __init__(self, graph, inputs):
        self._graph = graph
        self._values = [
            self._widen(value, tensor)
            for value, tensor in zip(inputs, graph.inputs)
        ]

    def _evaluate(self):
        graph = self._graph
        accumulated = graph.accumulated()
        for value, node in enumerate(graph.nodes, len(graph.inputs)):
            operands = [
                self._constant(operand, node)
                if isinstance(operand, Constant)
                else self._values[operand]
                for operand in node.operands
            ]
            result = self._compute(node, operands)
            if value in accumulated:
                target = self._values[accumulated[value]]
                result = result.reshape(node.type.shape) + target
            self._values.append(self._round(result, node.type))

    def _compute(self, node, operands):
        function = self._function(node.op)
        if function:
            return function(*operands)
        return getattr(self, f"_{node.op}")(node, *operands)

    @abc.abstractmethod
    def _function(self, operator):
        """What it is of arrays alone, or None."""

    @abc.abstractmethod
    def _widen(self, array, tensor):
        """In the type in which what has `tensor`'s is computed."""

    @abc.abstractmethod
    def _round(self, array, tensor):
        """With the shape, and rounded to the type, of `tensor`; widened."""

    @abc.abstractmethod
    def _constant(self, constant, node):
        """An operand of `node`."""

    def _constant_type(self, node):
        """That of the operands that are tensors, without a shape."""
        types = [
            self._graph.type(value)
            for value in node.operands
            if not isinstance(value, Constant)
        ]
        return (types[-1] if types else node.type)._replace(shape=())

    def _AddN(self, node, first, *rest):
        for array in rest:
            first = self._round(first + array, node.type)
        return first

    def _Cast(self, node, array):
        return array != 0 if node.type.dtype == "bool" else array

    def _Reshape(self, node, array):
        return array.reshape(node.type.shape)

    def _ElemAny(self, node, array):
        return array.any()

    def _UnPadAkg(self, node, array):
        return array[tuple(map(slice, node.type.shape))]
