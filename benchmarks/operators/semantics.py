"""What is known of each operator of the table: operands, types, constants."""

BINARY = ("Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Pow")
COMPARE = ("Greater", "GreaterEqual", "Less", "LessEqual", "Equal", "NotEqual")
LOGICAL = ("LogicalAnd", "LogicalOr")
UNARY = ("Neg", "Abs", "Exp", "Log", "Sqrt", "Rsqrt", "Reciprocal", "Tanh")
CLASSIFY = ("IsInf", "IsNan")
REDUCE = ("ReduceSum", "ReduceMax")
STORE = ("InplaceAssign", "Assign")

# Operands may change places.
COMMUTATIVE = (
    "Add",
    "Mul",
    "Maximum",
    "Minimum",
    "Equal",
    "NotEqual",
    "LogicalAnd",
    "LogicalOr",
    "AddN",
)

FLOATS = ("float32", "float16")
INTEGERS = ("int32", "uint32")
NUMBERS = FLOATS + INTEGERS

_REFUSED = {
    "MatMul": "MatMul is a matrix product, not memory-bound",
    "Conv2D": "Conv2D is a convolution, not memory-bound",
}

_ELSEWHERE = (
    "AddN",
    "BroadcastTo",
    "Cast",
    "Complex",
    "CReal",
    "CImag",
    "ElemAny",
    "Gather",
    "LogicalNot",
    "OneHot",
    "PadAkg",
    "Reshape",
    "Select",
    "Transpose",
    "UnPadAkg",
)
KNOWN = (
    BINARY + COMPARE + LOGICAL + UNARY + CLASSIFY + REDUCE + STORE + _ELSEWHERE
)

# Values that keep results well conditioned for inputs around 1: (where it is
# the left operand, where it is another one).
_CONSTANTS = {
    "Add": (1.0, 1.0),
    "Sub": (2.0, 0.125),
    "Mul": (0.5, 0.5),
    "RealDiv": (1.0, 2.0),
    "Maximum": (0.75, 0.75),
    "Minimum": (1.25, 1.25),
    "Pow": (0.75, 1.5),
    "Select": (1.0, 1.0),
}


def refusal(op):
    """Why an operator has no graph, or None."""
    if op in _REFUSED:
        return _REFUSED[op]
    return None if op in KNOWN else f"the operator {op} is not known"


def constant(op, dtype, left):
    """The value of a scalar operand that the table does not tell."""
    value = _CONSTANTS.get(op, (1.0, 1.0))[0 if left else 1]
    return float(max(1, round(value))) if dtype in INTEGERS else value
