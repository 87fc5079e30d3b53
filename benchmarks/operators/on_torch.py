"""What a graph computes, with PyTorch's tensors, on whatever device they are.

As reference.py has it (EXACT and ROUNDED), or as a program for PyTorch would,
each operator in its own type (NATIVE). The module `torch` is an argument, so
that nothing else needs it. uint32 is int32 here, which has the same bits;
operators of which these are not enough are refused.
"""

import enum

from operators.evaluation import Evaluation
from operators.graph import Constant


class Precision(enum.Enum):
    EXACT = "every operator in f64"
    ROUNDED = "every operator in f64, rounded to its type"
    NATIVE = "every operator in its type"


class NotOnTorch(Exception):
    """What PyTorch has no operator for."""


_FUNCTIONS = {
    "Add": "add",
    "Sub": "subtract",
    "Mul": "multiply",
    "RealDiv": "true_divide",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "Pow": "pow",
    "Greater": "gt",
    "GreaterEqual": "ge",
    "Less": "lt",
    "LessEqual": "le",
    "Equal": "eq",
    "NotEqual": "ne",
    "LogicalAnd": "logical_and",
    "LogicalOr": "logical_or",
    "Neg": "neg",
    "Abs": "abs",
    "Exp": "exp",
    "Log": "log",
    "Sqrt": "sqrt",
    "Rsqrt": "rsqrt",
    "Reciprocal": "reciprocal",
    "Tanh": "tanh",
    "IsInf": "isinf",
    "IsNan": "isnan",
    "LogicalNot": "logical_not",
    "CReal": "real",
    "CImag": "imag",
}
# Results of these may share the memory of their operand.
_VIEWS = ("Reshape", "Transpose", "BroadcastTo", "UnPadAkg", "CReal", "CImag")
# These do not care for a sign.
_UNSIGNED = (
    "Add",
    "Sub",
    "Mul",
    "Equal",
    "NotEqual",
    "Select",
    "Gather",
    *_VIEWS,
)


def dtype(torch, name):
    return getattr(torch, {"uint32": "int32"}.get(name, name))


def evaluate(torch, graph, inputs, precision, device):
    """The tensors of graph.results: dense, and none of them shares memory with
    another, or with an input."""
    return _Evaluation(torch, graph, inputs, precision, device).results()


class _Evaluation(Evaluation):
    def __init__(self, torch, graph, inputs, precision, device):
        self._torch = torch
        self._precision = precision
        self._device = device
        super().__init__(graph, inputs)

    def results(self):
        self._evaluate()
        return self._apart()

    def _apart(self):
        graph, torch = self._graph, self._torch
        tensors, sources = [], set()
        for value in graph.results:
            tensor = self._values[value].to(
                dtype(torch, graph.type(value).dtype)
            )
            source, dense = self._source(value)
            if not dense or source < len(graph.inputs) or source in sources:
                tensor = tensor.clone(memory_format=torch.contiguous_format)
            sources.add(source)
            tensors.append(tensor)
        return tensors

    def _source(self, value):
        """The value whose memory this one may share, and whether it is dense
        in it."""
        dense = True
        while value >= len(self._graph.inputs):
            node = self._graph.node(value)
            if isinstance(node.operands[0], Constant):
                return value, node.op not in _VIEWS
            same = node.op == "Cast" and dtype(
                self._torch, node.type.dtype
            ) == dtype(self._torch, self._graph.type(node.operands[0]).dtype)
            if node.op not in _VIEWS and not same:
                return value, dense
            dense = dense and (same or node.op == "Reshape")
            value = node.operands[0]
        return value, dense

    def _refuse_unsigned(self, node):
        types = {
            self._graph.type(operand).dtype
            for operand in node.operands
            if not isinstance(operand, Constant)
        }
        if (
            "uint32" not in types
            or node.op in _UNSIGNED
            or (node.op == "Cast" and node.type.dtype == "int32")
        ):
            return
        raise NotOnTorch(f"{node.op} of uint32 is nothing that PyTorch has")

    def _wide(self, name):
        torch = self._torch
        if self._precision is not Precision.NATIVE:
            if name in ("float32", "float16"):
                return torch.float64
            if name == "complex64":
                return torch.complex128
        return dtype(torch, name)

    def _widen(self, array, tensor):
        return array.to(self._wide(tensor.dtype))

    def _round(self, array, tensor):
        array = array.reshape(tensor.shape)
        if self._precision is not Precision.EXACT:
            array = array.to(dtype(self._torch, tensor.dtype))
        return self._widen(array, tensor)

    def _constant(self, constant, node):
        tensor = self._constant_type(node)
        value = self._torch.full(
            (),
            constant.value,
            device=self._device,
            dtype=dtype(self._torch, tensor.dtype),
        )
        return self._widen(value, tensor)

    def _function(self, operator):
        name = _FUNCTIONS.get(operator)
        return name and getattr(self._torch, name)

    def _compute(self, node, operands):
        self._refuse_unsigned(node)
        return super()._compute(node, operands)

    def _Select(self, node, condition, left, right):
        return self._torch.where(condition, left, right)

    def _Complex(self, node, real, imaginary):
        return self._torch.complex(real, imaginary)

    def _BroadcastTo(self, node, array):
        return array.expand(node.type.shape)

    def _Transpose(self, node, array):
        return array.permute(node.attributes["permutation"])

    def _ReduceSum(self, node, array):
        # Of f16 in f32, and what it is stored into is added before it rounds.
        wide = (
            self._torch.float32
            if array.dtype == self._torch.float16
            else array.dtype
        )
        return array.sum(dim=tuple(node.attributes["axes"]), dtype=wide)

    def _ReduceMax(self, node, array):
        return array.amax(dim=tuple(node.attributes["axes"]))

    def _OneHot(self, node, array):
        places = self._torch.arange(node.type.shape[-1], device=self._device)
        return array[..., None] == places

    def _PadAkg(self, node, array):
        ends = [
            end
            for before, after in zip(
                reversed(array.shape), reversed(node.type.shape)
            )
            for end in (0, after - before)
        ]
        return self._torch.nn.functional.pad(array, ends)

    def _Gather(self, node, table, index):
        return table[index.long()]
