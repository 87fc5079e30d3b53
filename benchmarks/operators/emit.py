"""Writes a graph as a function of linalg on tensors.

Each operator becomes one op of linalg, or a reshape, a pad or a slice of
tensor, and computes in the element type of its operands. Two have a wider type
inside: a ReduceSum of f16 accumulates in f32 and rounds once, and Exp, Log,
Tanh, Pow, Sqrt and Rsqrt of f16 are computed in f32 and rounded.
"""

import math

from operators import semantics, shapes
from operators.graph import Constant

_TYPES = {
    "float32": "f32",
    "float16": "f16",
    "int32": "i32",
    "uint32": "i32",
    "bool": "i1",
    "complex64": "complex<f32>",
}

_FLOAT_OPS = {
    "Add": "arith.addf",
    "Sub": "arith.subf",
    "Mul": "arith.mulf",
    "RealDiv": "arith.divf",
    "Maximum": "arith.maximumf",
    "Minimum": "arith.minimumf",
    "Pow": "math.powf",
    "Neg": "arith.negf",
    "Abs": "math.absf",
    "Exp": "math.exp",
    "Log": "math.log",
    "Sqrt": "math.sqrt",
    "Rsqrt": "math.rsqrt",
    "Tanh": "math.tanh",
}
_INTEGER_OPS = {
    "Add": "arith.addi",
    "Sub": "arith.subi",
    "Mul": "arith.muli",
    "Maximum": "arith.max{}i",
    "Minimum": "arith.min{}i",
    "Abs": "math.absi",
}
_WIDE = ("Exp", "Log", "Tanh", "Pow", "Sqrt", "Rsqrt")
_FLOAT_PREDICATES = {
    "Greater": "ogt",
    "GreaterEqual": "oge",
    "Less": "olt",
    "LessEqual": "ole",
    "Equal": "oeq",
    "NotEqual": "une",
}
_INTEGER_PREDICATES = {
    "Greater": "{}gt",
    "GreaterEqual": "{}ge",
    "Less": "{}lt",
    "LessEqual": "{}le",
    "Equal": "eq",
    "NotEqual": "ne",
}


def tensor_type(tensor):
    extents = "".join(f"{extent}x" for extent in tensor.shape)
    return f"tensor<{extents}{_TYPES[tensor.dtype]}>"


def function(graph):
    """The text of a func.func by the graph's name: inputs are its arguments,
    and graph.results its results."""
    return _Function(graph).text()


def literal(value, dtype):
    if dtype == "bool":
        return "true" if value else "false"
    if dtype in semantics.INTEGERS:
        return str(int(value))
    if math.isinf(value):
        bits = {"float32": 0x7F800000, "float16": 0x7C00}[dtype]
        if value < 0:
            bits |= {"float32": 0x80000000, "float16": 0x8000}[dtype]
        return f"0x{bits:X}"
    return f"{value:.9e}"


def _map(shape, result):
    """The map of an operand of `shape` that is broadcast to `result`."""
    first = len(result) - len(shape)
    places = [
        "0" if extent == 1 and result[first + i] != 1 else f"d{first + i}"
        for i, extent in enumerate(shape)
    ]
    dims = ", ".join(f"d{i}" for i in range(len(result)))
    return f"affine_map<({dims}) -> ({', '.join(places)})>"


class _Function:
    def __init__(self, graph):
        self._graph = graph
        self._lines = []
        self._count = 0
        self._names = [f"%arg{i}" for i in range(len(graph.inputs))]
        self._indent = "  "
        self._accumulated = graph.accumulated()

    def text(self):
        graph = self._graph
        for value, node in enumerate(graph.nodes, len(graph.inputs)):
            self._names.append(self._emit(value, node))
        stored = {store.value: store.target for store in graph.stores}
        results = list(graph.results)
        names = [self._names[value] for value in results]
        for place, value in enumerate(results):
            if value in stored and value not in self._accumulated:
                names[place] = self._copy(value, stored[value])
        types = ", ".join(tensor_type(graph.type(value)) for value in results)
        arguments = ", ".join(
            f"%arg{i}: {tensor_type(tensor)}"
            for i, tensor in enumerate(graph.inputs)
        )
        return (
            f"func.func @{graph.name}({arguments}) -> ({types}) {{\n"
            + "".join(line + "\n" for line in self._lines)
            + f"  return {', '.join(names)} : {types}\n}}\n"
        )

    # Pieces.

    def _line(self, text):
        self._lines.append(self._indent + text)

    def _name(self):
        self._count += 1
        return f"%{self._count - 1}"

    def _assign(self, text):
        name = self._name()
        self._line(f"{name} = {text}")
        return name

    def _constant(self, value, dtype):
        return self._assign(
            f"arith.constant {literal(value, dtype)} : {_TYPES[dtype]}"
            if dtype != "bool"
            else f"arith.constant {literal(value, dtype)}"
        )

    def _empty(self, tensor):
        return self._assign(f"tensor.empty() : {tensor_type(tensor)}")

    def _fill(self, value, tensor):
        type_ = _TYPES[tensor.dtype]
        scalar = self._constant(value, tensor.dtype)
        empty = self._empty(tensor)
        return self._assign(
            f"linalg.fill ins({scalar} : {type_}) "
            f"outs({empty} : {tensor_type(tensor)}) "
            f"-> {tensor_type(tensor)}"
        )

    def _copy(self, value, target):
        type_ = tensor_type(self._graph.type(value))
        return self._assign(
            f"linalg.copy ins({self._names[value]} : {type_}) "
            f"outs({self._names[target]} : {type_}) -> {type_}"
        )

    def _source(self, operand):
        """(name, type) of a value; constants stay what they are."""
        if isinstance(operand, Constant):
            return operand
        return self._names[operand], self._graph.type(operand)

    def _generic(self, sources, result, body, maps=None):
        """An elementwise linalg.generic of sources that are broadcast, unless
        `maps` are given. `body` gets names of scalars, those of constants too,
        writes operations, and returns the name of what is yielded."""
        tensors = [
            source
            for source in dict.fromkeys(sources)
            if not isinstance(source, Constant)
        ]
        init = self._empty(result)
        maps = maps or [
            _map(tensor.shape, result.shape)
            for tensor in [type_ for _, type_ in tensors] + [result]
        ]
        iterators = ", ".join(['"parallel"'] * len(result.shape))
        name = self._name()
        self._line(
            f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{iterators}]}} "
            f"ins({', '.join(tensor for tensor, _ in tensors)} : "
            f"{', '.join(tensor_type(type_) for _, type_ in tensors)}) "
            f"outs({init} : {tensor_type(result)}) {{"
        )
        scalars = {
            source: f"%in{name[1:]}_{i}" for i, source in enumerate(tensors)
        }
        arguments = [
            f"{scalar}: {_TYPES[source[1].dtype]}"
            for source, scalar in scalars.items()
        ]
        arguments.append(f"%out{name[1:]}: {_TYPES[result.dtype]}")
        self._line(f"^bb0({', '.join(arguments)}):")
        self._indent += "  "
        # Constants have the type of the last operand that is a tensor.
        dtype = [
            source[1].dtype
            for source in sources
            if not isinstance(source, Constant)
        ][-1]
        yielded = body(
            [
                self._constant(source.value, dtype)
                if isinstance(source, Constant)
                else scalars[source]
                for source in sources
            ]
        )
        self._line(f"linalg.yield {yielded} : {_TYPES[result.dtype]}")
        self._indent = self._indent[:-2]
        self._line(f"}} -> {tensor_type(result)}")
        return name

    # Operators.

    def _emit(self, value, node):
        if node.op in semantics.REDUCE:
            return self._reduce(node, self._accumulated.get(value))
        method = self._METHODS.get(node.op)
        return method(self, node) if method else self._scalar(node)

    def _scalar(self, node):
        sources = [self._source(operand) for operand in node.operands]
        dtype = [
            source[1].dtype
            for source in sources
            if not isinstance(source, Constant)
        ][-1]

        def body(scalars):
            return _BODIES[node.op](
                self, node.op, scalars, dtype, node.type.dtype
            )

        return self._generic(sources, node.type, body)

    def _arithmetic(self, op, scalars, dtype, result):
        if dtype in semantics.INTEGERS:
            if op == "Neg":
                zero = self._constant(0, dtype)
                return self._assign(f"arith.subi {zero}, {scalars[0]} : i32")
            text = _INTEGER_OPS[op].format("u" if dtype == "uint32" else "s")
            return self._assign(f"{text} {', '.join(scalars)} : i32")
        wide = dtype == "float16" and op in _WIDE
        if wide:
            scalars = [
                self._convert(scalar, dtype, "float32") for scalar in scalars
            ]
        type_ = "f32" if wide else _TYPES[dtype]
        name = self._assign(f"{_FLOAT_OPS[op]} {', '.join(scalars)} : {type_}")
        return self._convert(name, "float32", dtype) if wide else name

    def _reciprocal(self, op, scalars, dtype, result):
        one = self._constant(1.0, dtype)
        return self._assign(f"arith.divf {one}, {scalars[0]} : {_TYPES[dtype]}")

    def _sum(self, op, scalars, dtype, result):
        total = scalars[0]
        for scalar in scalars[1:]:
            total = self._arithmetic("Add", [total, scalar], dtype, result)
        return total

    def _compare(self, op, scalars, dtype, result):
        if dtype in semantics.INTEGERS:
            predicate = _INTEGER_PREDICATES[op].format(
                "u" if dtype == "uint32" else "s"
            )
            kind = "cmpi"
        else:
            predicate, kind = _FLOAT_PREDICATES[op], "cmpf"
        return self._assign(
            f"arith.{kind} {predicate}, {', '.join(scalars)} : {_TYPES[dtype]}"
        )

    def _logical(self, op, scalars, dtype, result):
        if op == "LogicalNot":
            true = self._constant(1, "bool")
            return self._assign(f"arith.xori {scalars[0]}, {true} : i1")
        text = {"LogicalAnd": "arith.andi", "LogicalOr": "arith.ori"}[op]
        return self._assign(f"{text} {', '.join(scalars)} : i1")

    def _classify(self, op, scalars, dtype, result):
        if op == "IsNan":
            return self._assign(
                f"arith.cmpf uno, {scalars[0]}, {scalars[0]} : {_TYPES[dtype]}"
            )
        infinity = self._constant(math.inf, dtype)
        magnitude = self._assign(f"math.absf {scalars[0]} : {_TYPES[dtype]}")
        return self._assign(
            f"arith.cmpf oeq, {magnitude}, {infinity} : {_TYPES[dtype]}"
        )

    def _select(self, op, scalars, dtype, result):
        return self._assign(
            f"arith.select {', '.join(scalars)} : {_TYPES[result]}"
        )

    def _complex(self, op, scalars, dtype, result):
        if op == "Complex":
            return self._assign(
                f"complex.create {', '.join(scalars)} : complex<f32>"
            )
        part = {"CReal": "re", "CImag": "im"}[op]
        return self._assign(f"complex.{part} {scalars[0]} : complex<f32>")

    def _cast(self, op, scalars, dtype, result):
        return self._convert(scalars[0], dtype, result)

    def _convert(self, scalar, source, target):
        if _TYPES[source] == _TYPES[target]:
            return scalar
        if target == "bool":
            zero = self._constant(0.0, source)
            return self._compare("NotEqual", [scalar, zero], source, target)
        floats = semantics.FLOATS
        if source in floats and target in floats:
            op = "arith.extf" if target == "float32" else "arith.truncf"
        elif target in floats:
            op = "arith.sitofp" if source == "int32" else "arith.uitofp"
        elif source in floats:
            op = "arith.fptosi"
        else:
            op = "arith.extui"
        return self._assign(
            f"{op} {scalar} : {_TYPES[source]} to {_TYPES[target]}"
        )

    def _broadcast_to(self, node):
        (operand,) = node.operands
        if isinstance(operand, Constant):
            return self._fill(operand.value, node.type)
        tensor = self._graph.type(operand)
        first = len(node.type.shape) - len(tensor.shape)
        if node.type.shape[first:] == tensor.shape:
            init = self._empty(node.type)
            return self._assign(
                f"linalg.broadcast ins({self._names[operand]} : "
                f"{tensor_type(tensor)}) outs({init} : "
                f"{tensor_type(node.type)}) dimensions = "
                f"{list(range(first))}"
            )
        return self._generic(
            [self._source(operand)], node.type, lambda scalars: scalars[0]
        )

    def _transpose(self, node):
        (operand,) = node.operands
        init = self._empty(node.type)
        return self._assign(
            f"linalg.transpose ins({self._names[operand]} : "
            f"{tensor_type(self._graph.type(operand))}) outs({init} : "
            f"{tensor_type(node.type)}) permutation = "
            f"{list(node.attributes['permutation'])}"
        )

    def _reshape(self, node):
        (operand,) = node.operands
        return self._reshape_to(
            self._names[operand], self._graph.type(operand), node.type.shape
        )

    def _reshape_to(self, name, tensor, shape):
        """Collapses each run of axes to one, then expands these."""
        if tensor.shape == shape:
            return name
        groups = (
            shapes.regroup(tensor.shape, shape)
            if tensor.shape and shape
            else []
        )
        middle = tensor._replace(
            shape=tuple(
                math.prod(tensor.shape[i] for i in left) for left, _ in groups
            )
        )
        if middle.shape != tensor.shape:
            name = self._assign(
                f"tensor.collapse_shape {name} {[left for left, _ in groups]} "
                f": {tensor_type(tensor)} into {tensor_type(middle)}"
            )
        if middle.shape == shape:
            return name
        result = middle._replace(shape=shape)
        groups = [right for _, right in groups]
        return self._assign(
            f"tensor.expand_shape {name} {groups} output_shape {list(shape)} "
            f": {tensor_type(middle)} into {tensor_type(result)}"
        )

    def _reduce(self, node, target):
        """Reduces to the axes that are left, in f32 where it sums f16, and
        reshapes. Begins with the input `target`, if there is one."""
        (operand,) = node.operands
        tensor = self._graph.type(operand)
        axes = node.attributes["axes"]
        left = tensor._replace(
            shape=tuple(
                extent for i, extent in enumerate(tensor.shape) if i not in axes
            )
        )
        sums = node.op == "ReduceSum"
        name = self._names[operand]
        wide = sums and tensor.dtype == "float16"
        if wide:
            wider = tensor._replace(dtype="float32")
            name = self._convert_tensor(name, tensor, wider)
            tensor, left = wider, left._replace(dtype="float32")
        if target is None:
            init = self._fill(0.0 if sums else -math.inf, left)
        else:
            stored = self._graph.inputs[target]
            init = self._reshape_to(self._names[target], stored, left.shape)
            if wide:
                init = self._convert_tensor(
                    init, left._replace(dtype="float16"), left
                )
        combiner = "arith.addf" if sums else "arith.maximumf"
        name = self._assign(
            f"linalg.reduce {{ {combiner} }} ins({name} : "
            f"{tensor_type(tensor)}) outs({init} : {tensor_type(left)}) "
            f"dimensions = {list(axes)}"
        )
        if wide:
            narrow = left._replace(dtype="float16")
            name, left = self._convert_tensor(name, left, narrow), narrow
        return self._reshape_to(name, left, node.type.shape)

    def _convert_tensor(self, name, source, target):
        return self._generic(
            [(name, source)],
            target,
            lambda scalars: self._convert(
                scalars[0], source.dtype, target.dtype
            ),
        )

    def _one_hot(self, node):
        """1 where the index of the last dimension is the input."""
        rank = len(node.type.shape)
        dims = ", ".join(f"d{i}" for i in range(rank))
        inner = ", ".join(f"d{i}" for i in range(rank - 1))
        maps = [
            f"affine_map<({dims}) -> ({inner})>",
            f"affine_map<({dims}) -> ({dims})>",
        ]

        def body(scalars):
            index = self._assign(f"linalg.index {rank - 1} : index")
            place = self._assign(f"arith.index_cast {index} : index to i32")
            same = self._assign(f"arith.cmpi eq, {place}, {scalars[0]} : i32")
            return self._convert(same, "bool", node.type.dtype)

        return self._generic(
            [self._source(node.operands[0])], node.type, body, maps
        )

    def _elem_any(self, node):
        """1 if there is an element that is true, else 0."""
        (operand,) = node.operands
        tensor = self._graph.type(operand)
        scalar = tensor._replace(shape=())
        init = self._fill(0, scalar)
        name = self._assign(
            f"linalg.reduce {{ arith.ori }} ins({self._names[operand]} : "
            f"{tensor_type(tensor)}) outs({init} : {tensor_type(scalar)}) "
            f"dimensions = {list(range(len(tensor.shape)))}"
        )
        wide = scalar._replace(dtype=node.type.dtype)
        name = self._convert_tensor(name, scalar, wide)
        return self._reshape_to(name, wide, node.type.shape)

    def _pad(self, node):
        (operand,) = node.operands
        tensor = self._graph.type(operand)
        low = [0] * len(tensor.shape)
        if node.op == "UnPadAkg":
            return self._assign(
                f"tensor.extract_slice {self._names[operand]}{low} "
                f"{list(node.type.shape)} {[1] * len(low)} "
                f": {tensor_type(tensor)} to {tensor_type(node.type)}"
            )
        high = [
            after - before
            for before, after in zip(tensor.shape, node.type.shape)
        ]
        zero = self._constant(0, tensor.dtype)
        name = self._name()
        indices = ", ".join(
            f"%at{name[1:]}_{i}: index" for i in range(len(low))
        )
        self._line(
            f"{name} = tensor.pad {self._names[operand]} low{low} high{high} {{"
        )
        self._line(f"^bb0({indices}):")
        self._line(f"  tensor.yield {zero} : {_TYPES[tensor.dtype]}")
        self._line(f"}} : {tensor_type(tensor)} to {tensor_type(node.type)}")
        return name

    def _gather(self, node):
        """Rows of the table by index."""
        table, index = node.operands
        tensor = self._graph.type(table)
        rank, ahead = len(node.type.shape), len(self._graph.type(index).shape)
        dims = ", ".join(f"d{i}" for i in range(rank))
        outer = ", ".join(f"d{i}" for i in range(ahead))
        maps = [
            f"affine_map<({dims}) -> ({outer})>",
            f"affine_map<({dims}) -> ({dims})>",
        ]

        def body(scalars):
            row = self._assign(f"arith.index_cast {scalars[0]} : i32 to index")
            rest = [
                self._assign(f"linalg.index {i} : index")
                for i in range(ahead, rank)
            ]
            return self._assign(
                f"tensor.extract {self._names[table]}"
                f"[{', '.join([row] + rest)}] : {tensor_type(tensor)}"
            )

        return self._generic([self._source(index)], node.type, body, maps)

    _METHODS = {
        "BroadcastTo": _broadcast_to,
        "Transpose": _transpose,
        "Reshape": _reshape,
        "OneHot": _one_hot,
        "ElemAny": _elem_any,
        "PadAkg": _pad,
        "UnPadAkg": _pad,
        "Gather": _gather,
    }


_BODIES = {
    **dict.fromkeys(semantics.BINARY + semantics.UNARY, _Function._arithmetic),
    "Reciprocal": _Function._reciprocal,
    "AddN": _Function._sum,
    **dict.fromkeys(semantics.COMPARE, _Function._compare),
    **dict.fromkeys(semantics.LOGICAL + ("LogicalNot",), _Function._logical),
    **dict.fromkeys(semantics.CLASSIFY, _Function._classify),
    "Select": _Function._select,
    "Cast": _Function._cast,
    **dict.fromkeys(("Complex", "CReal", "CImag"), _Function._complex),
}
