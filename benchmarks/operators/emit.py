"""Writes a graph as a function of linalg on tensors.

Each operator becomes one op of linalg (or a reshape of tensor), which computes
in the element type of its result. Only two keep a wider type inside: a ReduceSum
in f16 accumulates in f32 and rounds once, and an Exp, Log, Tanh, Pow, Sqrt or
Rsqrt in f16 is computed in f32 and rounded.
"""

import math

from operators import semantics, shapes
from operators.graph import Constant

_TYPES = {"float32": "f32", "float16": "f16", "int32": "i32", "uint32": "i32",
          "bool": "i1", "complex64": "complex<f32>"}

_FLOAT_OPS = {"Add": "arith.addf", "Sub": "arith.subf", "Mul": "arith.mulf",
              "RealDiv": "arith.divf", "Maximum": "arith.maximumf",
              "Minimum": "arith.minimumf", "Pow": "math.powf",
              "Neg": "arith.negf", "Abs": "math.absf", "Exp": "math.exp",
              "Log": "math.log", "Sqrt": "math.sqrt", "Rsqrt": "math.rsqrt",
              "Tanh": "math.tanh"}
_INTEGER_OPS = {"Add": "arith.addi", "Sub": "arith.subi", "Mul": "arith.muli",
                "Maximum": "arith.max{}i", "Minimum": "arith.min{}i",
                "Abs": "math.absi"}
_WIDE = ("Exp", "Log", "Tanh", "Pow", "Sqrt", "Rsqrt")
_FLOAT_PREDICATES = {"Greater": "ogt", "GreaterEqual": "oge", "Less": "olt",
                     "LessEqual": "ole", "Equal": "oeq", "NotEqual": "une"}
_INTEGER_PREDICATES = {"Greater": "{}gt", "GreaterEqual": "{}ge",
                       "Less": "{}lt", "LessEqual": "{}le", "Equal": "eq",
                       "NotEqual": "ne"}


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


class _Function:
    def __init__(self, graph):
        self._graph = graph
        self._lines = []
        self._count = 0
        self._names = [f"%arg{i}" for i in range(len(graph.inputs))]
        self._indent = "  "

    def text(self):
        graph = self._graph
        self._accumulated = graph.accumulated()
        for value, node in enumerate(graph.nodes, len(graph.inputs)):
            self._value = value
            self._names.append(self._emit(node))
        stored = {store.value: store.target for store in graph.stores}
        results = list(graph.results)
        names = [self._names[value] for value in results]
        for place, value in enumerate(results):
            if value in stored and value not in self._accumulated:
                names[place] = self._copy(value, stored[value])
        types = ", ".join(tensor_type(graph.type(value)) for value in results)
        arguments = ", ".join(f"%arg{i}: {tensor_type(tensor)}"
                              for i, tensor in enumerate(graph.inputs))
        return (f"func.func @{graph.name}({arguments}) -> ({types}) {{\n"
                + "".join(line + "\n" for line in self._lines)
                + f"  return {', '.join(names)} : {types}\n}}\n")

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
        return self._assign(f"arith.constant {literal(value, dtype)} "
                            f": {_TYPES[dtype]}" if dtype != "bool" else
                            f"arith.constant {literal(value, dtype)}")

    def _empty(self, tensor):
        return self._assign(f"tensor.empty() : {tensor_type(tensor)}")

    def _fill(self, value, tensor):
        type_ = _TYPES[tensor.dtype]
        scalar = self._constant(value, tensor.dtype)
        empty = self._empty(tensor)
        return self._assign(f"linalg.fill ins({scalar} : {type_}) "
                            f"outs({empty} : {tensor_type(tensor)}) "
                            f"-> {tensor_type(tensor)}")

    def _copy(self, value, target):
        type_ = tensor_type(self._graph.type(value))
        return self._assign(
            f"linalg.copy ins({self._names[value]} : {type_}) "
            f"outs({self._names[target]} : {type_}) -> {type_}")

    def _map(self, tensor, rank):
        """The map of an operand that is broadcast to `rank` dimensions."""
        first = rank - len(tensor.shape)
        result = self._result.shape
        places = ["0" if extent == 1 and result[first + i] != 1
                  else f"d{first + i}" for i, extent in enumerate(tensor.shape)]
        dims = ", ".join(f"d{i}" for i in range(rank))
        return f"affine_map<({dims}) -> ({', '.join(places)})>"

    def _generic(self, operands, result, body, maps=None, init=None):
        """`body` gets names of scalars, those of constants too, writes
        operations, and returns the name of what is yielded."""
        graph = self._graph
        self._result = result
        tensors = [value for value in dict.fromkeys(operands)
                   if not isinstance(value, Constant)]
        init = init or self._empty(result)
        rank = len(result.shape)
        maps = maps or [self._map(graph.type(value), rank)
                        for value in tensors] + [self._map(result, rank)]
        iterators = ", ".join(['"parallel"'] * rank)
        ins = ", ".join(self._names[value] for value in tensors)
        types = ", ".join(tensor_type(graph.type(value)) for value in tensors)
        ins = f" ins({ins} : {types})" if tensors else ""
        name = self._name()
        out_type = tensor_type(result)
        self._line(f"{name} = linalg.generic {{indexing_maps = "
                   f"[{', '.join(maps)}], iterator_types = [{iterators}]}}"
                   f"{ins} outs({init} : {out_type}) {{")
        arguments = [f"%in{name[1:]}_{i}: {_TYPES[graph.type(value).dtype]}"
                     for i, value in enumerate(tensors)]
        arguments.append(f"%out{name[1:]}: {_TYPES[result.dtype]}")
        self._line(f"^bb0({', '.join(arguments)}):")
        self._indent += "  "
        scalars = [f"%in{name[1:]}_{tensors.index(value)}"
                   if not isinstance(value, Constant)
                   else self._constant(value.value, self._operand_type(operands))
                   for value in operands]
        self._line(f"linalg.yield {body(scalars)} : {_TYPES[result.dtype]}")
        self._indent = self._indent[:-2]
        self._line(f"}} -> {out_type}")
        return name

    def _operand_type(self, operands):
        """Of constants: that of the last operand that is a tensor."""
        return [self._graph.type(value).dtype for value in operands
                if not isinstance(value, Constant)][-1]

    # Operators.

    def _emit(self, node):
        for method, names in self._METHODS:
            if node.op in names:
                return method(self, node)
        return self._scalar(node)

    def _scalar(self, node):
        dtype = self._operand_type(node.operands)
        result = node.type.dtype

        def body(scalars):
            return _BODIES[node.op](self, node.op, scalars, dtype, result)
        return self._generic(node.operands, node.type, body)

    def _arithmetic(self, op, scalars, dtype, result):
        if dtype in semantics.INTEGERS:
            if op == "Neg":
                zero = self._constant(0, dtype)
                return self._assign(f"arith.subi {zero}, {scalars[0]} : i32")
            text = _INTEGER_OPS[op].format("u" if dtype == "uint32" else "s")
            return self._assign(f"{text} {', '.join(scalars)} : i32")
        wide = dtype == "float16" and op in _WIDE
        if wide:
            scalars = [self._convert(scalar, dtype, "float32")
                       for scalar in scalars]
        type_ = "f32" if wide else _TYPES[dtype]
        name = self._assign(f"{_FLOAT_OPS[op]} {', '.join(scalars)} : {type_}")
        return self._convert(name, "float32", dtype) if wide else name

    def _reciprocal(self, op, scalars, dtype, result):
        one = self._constant(1.0, dtype)
        return self._assign(
            f"arith.divf {one}, {scalars[0]} : {_TYPES[dtype]}")

    def _sum(self, op, scalars, dtype, result):
        total = scalars[0]
        for scalar in scalars[1:]:
            total = self._arithmetic("Add", [total, scalar], dtype, result)
        return total

    def _compare(self, op, scalars, dtype, result):
        if dtype in semantics.INTEGERS:
            predicate = _INTEGER_PREDICATES[op].format(
                "u" if dtype == "uint32" else "s")
            kind = "cmpi"
        else:
            predicate, kind = _FLOAT_PREDICATES[op], "cmpf"
        return self._assign(f"arith.{kind} {predicate}, {', '.join(scalars)} "
                            f": {_TYPES[dtype]}")

    def _logical(self, op, scalars, dtype, result):
        if op == "LogicalNot":
            true = self._constant(1, "bool")
            return self._assign(f"arith.xori {scalars[0]}, {true} : i1")
        text = {"LogicalAnd": "arith.andi", "LogicalOr": "arith.ori"}[op]
        return self._assign(f"{text} {', '.join(scalars)} : i1")

    def _classify(self, op, scalars, dtype, result):
        if op == "IsNan":
            return self._assign(f"arith.cmpf uno, {scalars[0]}, {scalars[0]} "
                                f": {_TYPES[dtype]}")
        infinity = self._constant(math.inf, dtype)
        magnitude = self._assign(f"math.absf {scalars[0]} : {_TYPES[dtype]}")
        return self._assign(f"arith.cmpf oeq, {magnitude}, {infinity} "
                            f": {_TYPES[dtype]}")

    def _select(self, op, scalars, dtype, result):
        return self._assign(f"arith.select {', '.join(scalars)} "
                            f": {_TYPES[result]}")

    def _complex(self, op, scalars, dtype, result):
        if op == "Complex":
            return self._assign(f"complex.create {', '.join(scalars)} "
                                ": complex<f32>")
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
            op = ("arith.sitofp" if source == "int32" else "arith.uitofp")
        elif source in floats:
            op = "arith.fptosi"
        else:
            op = "arith.extui"
        return self._assign(
            f"{op} {scalar} : {_TYPES[source]} to {_TYPES[target]}")

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
                f"{list(range(first))}")
        return self._generic((operand,), node.type, lambda scalars: scalars[0])

    def _transpose(self, node):
        (operand,) = node.operands
        init = self._empty(node.type)
        return self._assign(
            f"linalg.transpose ins({self._names[operand]} : "
            f"{tensor_type(self._graph.type(operand))}) outs({init} : "
            f"{tensor_type(node.type)}) permutation = "
            f"{list(node.attributes['permutation'])}")

    def _reshape(self, node):
        (operand,) = node.operands
        return self._reshape_to(self._names[operand],
                                self._graph.type(operand), node.type.shape)

    def _reshape_to(self, name, tensor, shape):
        """Collapses each run of axes to one, then expands these."""
        if tensor.shape == shape:
            return name
        groups = (shapes.regroup(tensor.shape, shape)
                  if tensor.shape and shape else [])
        middle = tensor._replace(shape=tuple(
            math.prod(tensor.shape[i] for i in left) for left, _ in groups))
        if middle.shape != tensor.shape:
            name = self._assign(
                f"tensor.collapse_shape {name} {[left for left, _ in groups]} "
                f": {tensor_type(tensor)} into {tensor_type(middle)}")
        if middle.shape == shape:
            return name
        result = middle._replace(shape=shape)
        groups = [right for _, right in groups]
        return self._assign(
            f"tensor.expand_shape {name} {groups} output_shape {list(shape)} "
            f": {tensor_type(middle)} into {tensor_type(result)}")

    def _reduce(self, node):
        """Reduces to the axes that are left, in f32 where it sums f16, and
        reshapes."""
        (operand,) = node.operands
        tensor = self._graph.type(operand)
        axes = node.attributes["axes"]
        left = tensor._replace(shape=tuple(
            extent for i, extent in enumerate(tensor.shape) if i not in axes))
        sums = node.op == "ReduceSum"
        name = self._names[operand]
        wide = sums and tensor.dtype == "float16"
        if wide:
            wider = tensor._replace(dtype="float32")
            name = self._convert_tensor(name, tensor, wider)
            tensor, left = wider, left._replace(dtype="float32")
        target = self._accumulated.get(self._value)
        if target is None:
            init = self._fill(0.0 if sums else -math.inf, left)
        else:
            stored = self._graph.inputs[target]
            init = self._reshape_to(self._names[target], stored, left.shape)
            if wide:
                init = self._convert_tensor(
                    init, left._replace(dtype="float16"), left)
        combiner = "arith.addf" if sums else "arith.maximumf"
        name = self._assign(
            f"linalg.reduce {{ {combiner} }} ins({name} : "
            f"{tensor_type(tensor)}) outs({init} : {tensor_type(left)}) "
            f"dimensions = {list(axes)}")
        if wide:
            narrow = left._replace(dtype="float16")
            name, left = self._convert_tensor(name, left, narrow), narrow
        return self._reshape_to(name, left, node.type.shape)

    def _convert_tensor(self, name, source, target):
        self._names.append(name)
        value = len(self._names) - 1
        kept = self._graph
        self._graph = _Typed(kept, value, source)
        result = self._generic((value,), target, lambda scalars: self._convert(
            scalars[0], source.dtype, target.dtype))
        self._graph = kept
        self._names.pop()
        return result

    def _one_hot(self, node):
        """1 where the index of the last dimension is the input."""
        rank = len(node.type.shape)
        dims = ", ".join(f"d{i}" for i in range(rank))
        inner = ", ".join(f"d{i}" for i in range(rank - 1))
        maps = [f"affine_map<({dims}) -> ({inner})>",
                f"affine_map<({dims}) -> ({dims})>"]

        def body(scalars):
            index = self._assign(f"linalg.index {rank - 1} : index")
            place = self._assign(f"arith.index_cast {index} : index to i32")
            same = self._assign(f"arith.cmpi eq, {place}, {scalars[0]} : i32")
            return self._convert(same, "bool", node.type.dtype)
        return self._generic(node.operands, node.type, body, maps)

    def _elem_any(self, node):
        """1 if there is an element that is true, else 0."""
        (operand,) = node.operands
        tensor = self._graph.type(operand)
        scalar = tensor._replace(shape=())
        init = self._fill(0, scalar)
        name = self._assign(
            f"linalg.reduce {{ arith.ori }} ins({self._names[operand]} : "
            f"{tensor_type(tensor)}) outs({init} : {tensor_type(scalar)}) "
            f"dimensions = {list(range(len(tensor.shape)))}")
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
                f": {tensor_type(tensor)} to {tensor_type(node.type)}")
        high = [after - before for before, after
                in zip(tensor.shape, node.type.shape)]
        zero = self._constant(0, tensor.dtype)
        name = self._name()
        indices = ", ".join(f"%at{name[1:]}_{i}: index"
                            for i in range(len(low)))
        self._line(f"{name} = tensor.pad {self._names[operand]} low{low} "
                   f"high{high} {{")
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
        maps = [f"affine_map<({dims}) -> ({outer})>",
                f"affine_map<({dims}) -> ({dims})>"]

        def body(scalars):
            row = self._assign(f"arith.index_cast {scalars[0]} : i32 to index")
            rest = [self._assign(f"linalg.index {i} : index")
                    for i in range(ahead, rank)]
            return self._assign(
                f"tensor.extract {self._names[table]}"
                f"[{', '.join([row] + rest)}] : {tensor_type(tensor)}")
        return self._generic((index,), node.type, body, maps)

    _METHODS = ((_broadcast_to, ("BroadcastTo",)),
                (_transpose, ("Transpose",)), (_reshape, ("Reshape",)),
                (_reduce, semantics.REDUCE), (_one_hot, ("OneHot",)),
                (_elem_any, ("ElemAny",)), (_pad, ("PadAkg", "UnPadAkg")),
                (_gather, ("Gather",)))


class _Typed:
    """A graph with one more value, of a type of its own."""

    def __init__(self, graph, value, tensor):
        self._graph, self._value, self._tensor = graph, value, tensor

    def type(self, value):
        return (self._tensor if value == self._value
                else self._graph.type(value))


_BODIES = {
    **dict.fromkeys(semantics.BINARY + semantics.UNARY, _Function._arithmetic),
    "Reciprocal": _Function._reciprocal, "AddN": _Function._sum,
    **dict.fromkeys(semantics.COMPARE, _Function._compare),
    **dict.fromkeys(semantics.LOGICAL + ("LogicalNot",), _Function._logical),
    **dict.fromkeys(semantics.CLASSIFY, _Function._classify),
    "Select": _Function._select, "Cast": _Function._cast,
    **dict.fromkeys(("Complex", "CReal", "CImag"), _Function._complex),
}
