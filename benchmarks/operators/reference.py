"""What a graph computes, with NumPy.

Each operator is computed in float64, and its result rounded to its type, as a
framework does that keeps the result of every operator in a tensor. Without
rounding the results show what error the inputs make of roundings.
"""

import numpy as np

from operators.evaluation import Evaluation

_FUNCTIONS = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "RealDiv": np.divide,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "Pow": np.power,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Equal": np.equal,
    "NotEqual": np.not_equal,
    "LogicalAnd": np.logical_and,
    "LogicalOr": np.logical_or,
    "Neg": np.negative,
    "Abs": np.abs,
    "Exp": np.exp,
    "Log": np.log,
    "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x),
    "Reciprocal": lambda x: 1 / x,
    "Tanh": np.tanh,
    "IsInf": np.isinf,
    "IsNan": np.isnan,
    "LogicalNot": np.logical_not,
    "CReal": np.real,
    "CImag": np.imag,
}
_EXACT = {
    "float32": np.float64,
    "float16": np.float64,
    "complex64": np.complex128,
}


def evaluate(graph, inputs, rounded=True):
    """The arrays of graph.results."""
    return _Evaluation(graph, inputs, rounded).results()


class _Evaluation(Evaluation):
    def __init__(self, graph, inputs, rounded):
        self._rounded = rounded
        super().__init__(graph, inputs)

    def results(self):
        graph = self._graph
        with np.errstate(all="ignore"):
            self._evaluate()
            return [
                self._values[value].astype(graph.type(value).dtype)
                for value in graph.results
            ]

    def _widen(self, array, tensor):
        return array.astype(_EXACT.get(tensor.dtype, tensor.dtype))

    def _round(self, array, tensor):
        array = np.asarray(array).reshape(tensor.shape)
        if self._rounded or tensor.dtype not in _EXACT:
            array = array.astype(tensor.dtype)
        return self._widen(array, tensor)

    def _constant(self, constant, node):
        return self._round(constant.value, self._constant_type(node))

    def _function(self, operator):
        return _FUNCTIONS.get(operator)

    def _Select(self, node, condition, left, right):
        return np.where(condition, left, right)

    def _Complex(self, node, real, imaginary):
        return real + 1j * imaginary

    def _BroadcastTo(self, node, array):
        return np.broadcast_to(array, node.type.shape)

    def _Transpose(self, node, array):
        return array.transpose(node.attributes["permutation"])

    def _ReduceSum(self, node, array):
        return array.sum(axis=node.attributes["axes"])

    def _ReduceMax(self, node, array):
        return array.max(axis=node.attributes["axes"])

    def _OneHot(self, node, array):
        return array[..., None] == np.arange(node.type.shape[-1])

    def _PadAkg(self, node, array):
        result = np.zeros(node.type.shape, array.dtype)
        result[tuple(map(slice, array.shape))] = array
        return result

    def _Gather(self, node, table, index):
        return table[index]
