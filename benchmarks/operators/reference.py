"""What a graph computes, with NumPy.

Each operator is computed in float64, and its result rounded to its type, as a
framework does that keeps the result of every operator in a tensor. Without
rounding the results show what error the inputs make of roundings.
"""

import numpy as np

from operators.graph import Constant

_BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply,
           "RealDiv": np.divide, "Maximum": np.maximum,
           "Minimum": np.minimum, "Pow": np.power,
           "Greater": np.greater, "GreaterEqual": np.greater_equal,
           "Less": np.less, "LessEqual": np.less_equal, "Equal": np.equal,
           "NotEqual": np.not_equal, "LogicalAnd": np.logical_and,
           "LogicalOr": np.logical_or}
_UNARY = {"Neg": np.negative, "Abs": np.abs, "Exp": np.exp, "Log": np.log,
          "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x),
          "Reciprocal": lambda x: 1 / x, "Tanh": np.tanh, "IsInf": np.isinf,
          "IsNan": np.isnan, "LogicalNot": np.logical_not, "CReal": np.real,
          "CImag": np.imag}
_EXACT = {"float32": np.float64, "float16": np.float64,
          "complex64": np.complex128}


def evaluate(graph, inputs, rounded=True):
    """The arrays of graph.results."""
    return _Evaluation(graph, inputs, rounded).results()


class _Evaluation:
    def __init__(self, graph, inputs, rounded):
        self._graph = graph
        self._rounded = rounded
        self._values = [self._widen(value, tensor) for value, tensor
                        in zip(inputs, graph.inputs)]

    def results(self):
        graph = self._graph
        with np.errstate(all="ignore"):
            accumulated = graph.accumulated()
            for value, node in enumerate(graph.nodes, len(graph.inputs)):
                operands = [
                    self._constant(operand, node)
                    if isinstance(operand, Constant)
                    else self._values[operand] for operand in node.operands]
                result = self._compute(node, operands)
                if value in accumulated:
                    target = self._values[accumulated[value]]
                    result = result.reshape(node.type.shape) + target
                self._values.append(self._round(result, node.type))
            return [self._values[value].astype(graph.type(value).dtype)
                    for value in graph.results]

    def _widen(self, array, tensor):
        return array.astype(_EXACT.get(tensor.dtype, tensor.dtype))

    def _round(self, array, tensor):
        array = np.asarray(array).reshape(tensor.shape)
        if self._rounded or tensor.dtype not in _EXACT:
            array = array.astype(tensor.dtype)
        return self._widen(array, tensor)

    def _constant(self, operand, node):
        """In the type of the operands that are tensors, rounded to it."""
        types = [self._graph.type(value) for value in node.operands
                 if not isinstance(value, Constant)]
        tensor = types[-1] if types else node.type
        return self._round(operand.value, tensor._replace(shape=()))

    def _compute(self, node, operands):
        if node.op in _BINARY:
            return _BINARY[node.op](*operands)
        if node.op in _UNARY:
            return _UNARY[node.op](*operands)
        return getattr(self, f"_{node.op}")(node, *operands)

    def _AddN(self, node, first, *rest):
        for array in rest:
            first = self._round(first + array, node.type)
        return first

    def _Select(self, node, condition, left, right):
        return np.where(condition, left, right)

    def _Complex(self, node, real, imaginary):
        return real + 1j * imaginary

    def _Cast(self, node, array):
        return array != 0 if node.type.dtype == "bool" else array

    def _BroadcastTo(self, node, array):
        return np.broadcast_to(array, node.type.shape)

    def _Reshape(self, node, array):
        return array.reshape(node.type.shape)

    def _Transpose(self, node, array):
        return array.transpose(node.attributes["permutation"])

    def _ReduceSum(self, node, array):
        return array.sum(axis=node.attributes["axes"])

    def _ReduceMax(self, node, array):
        return array.max(axis=node.attributes["axes"])

    def _ElemAny(self, node, array):
        return array.any()

    def _OneHot(self, node, array):
        return array[..., None] == np.arange(node.type.shape[-1])

    def _PadAkg(self, node, array):
        result = np.zeros(node.type.shape, array.dtype)
        result[tuple(map(slice, array.shape))] = array
        return result

    def _UnPadAkg(self, node, array):
        return array[tuple(map(slice, node.type.shape))]

    def _Gather(self, node, table, index):
        return table[index]
