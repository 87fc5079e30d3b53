"""What programs of emulated.program mean, in NumPy: by their text, so that what
generates it and what says its meaning have nothing in common.

Floats are Bounded, integers are arrays of their type, which wrap.
"""

import dataclasses
import re

import numpy as np
from emulated import elements

from attack import bounded
from attack.bounded import Bounded

_UNSIGNED = {"minui": np.minimum, "maxui": np.maximum}
_INTEGER = {
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "maxsi": np.maximum,
    "minsi": np.minimum,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
}
_COMPARE = {
    "sgt": np.greater,
    "ult": np.less,
    "eq": np.equal,
    "sge": np.greater_equal,
}


class Unknown(Exception):
    """The oracle has no meaning for an operation."""


def is_float(dtype):
    return dtype in elements.FLOATS


def evaluate(text, inputs):
    """The results of a function; `inputs` are arrays as elements.draw makes
    them."""
    arguments = re.search(r"func\.func @\w+\((.*?)\) ->", text)[1]
    values = {}
    for (name, type_), array in zip(
        re.findall(r"(%\w+): (tensor<[^>]*>)", arguments), inputs, strict=True
    ):
        values[name] = _wrap(
            elements.decode(array, _parse(type_)[1]), _parse(type_)[1]
        )
    with np.errstate(all="ignore"):
        for statement in _statements(text):
            _execute(statement, values)
    returned = re.search(r"^  return (.*?) : ", text, re.M)[1]
    return [values[name] for name in returned.split(", ")]


def _parse(type_):
    """(shape, element type) of a tensor's type."""
    *shape, dtype = type_[len("tensor<") : -1].split("x")
    return tuple(map(int, shape)), dtype


def _wrap(array, dtype):
    if is_float(dtype):
        return bounded.exact(array)
    return np.asarray(array, _array_type(dtype))


def _array_type(dtype):
    return np.int64 if dtype == "index" else elements.array_type(dtype)


def _map(value, move):
    return value.map(move) if isinstance(value, Bounded) else move(value)


def _statements(text):
    found = []
    for line in text.splitlines():
        if re.match(r"  %v\d+", line):
            found.append(line)
        elif found and not line.startswith("  return") and line != "}":
            found[-1] += "\n" + line
    return found


def _execute(statement, values):
    left, right = statement.strip().split(" = ", 1)
    name, _, count = left.partition(":")
    op = re.match(r"[a-z_.]+", right)[0]
    if op not in _OPS:
        raise Unknown(op)
    result = _OPS[op](right, values)
    if count:
        values.update({f"{name}#{i}": each for i, each in enumerate(result)})
    else:
        values[name] = result[0] if op == "linalg.generic" else result


def _lists(text):
    return [
        [int(i) for i in part.split(",") if i.strip()]
        for part in re.findall(r"\[([-\d, ]*)\]", text)
    ]


def _types(text):
    return [_parse(type_) for type_ in re.findall(r"tensor<[^>]*>", text)]


def _operands(text, values):
    """Those of ins(...) and outs(...)."""
    names = [
        part.split(" : ")[0].split(", ")
        for part in re.findall(r"(?:ins|outs)\(([^)]*)\)", text)
    ]
    return [[values[name] for name in part] for part in names]


def _empty(text, values):
    shape, dtype = _types(text)[-1]
    return (
        bounded.unknown(shape)
        if is_float(dtype)
        else np.zeros(shape, _array_type(dtype))
    )


def _constant(text, values):
    found = re.match(r"arith\.constant (\S+)(?: : (\w+))?", text)
    return _literal(found[1], found[2] or "i1")


def _literal(text, dtype):
    if is_float(dtype):
        return bounded.rounded(bounded.exact(float(text)), dtype)
    number = {"true": 1, "false": 0}.get(text) if dtype == "i1" else int(text)
    return np.asarray(number).astype(_array_type(dtype))


def _fill(text, values):
    (scalar,), _ = _operands(text, values)
    shape, _ = _types(text)[-1]
    return _map(scalar, lambda array: np.broadcast_to(array, shape).copy())


def _transpose(text, values):
    (x,), _ = _operands(text, values)
    order = _lists(text)[-1]
    return _map(x, lambda array: array.transpose(order))


def _operand(text, values):
    return values[re.search(r"%[\w#]+", text)[0]]


def _pad(text, values):
    x = _operand(text, values)
    low, high = _lists(text)[:2]
    number = values[re.search(r"tensor\.yield (%\w+)", text)[1]]
    widths = list(zip(low, high))
    if not isinstance(x, Bounded):
        return np.pad(x, widths, constant_values=number)
    return Bounded(
        *(
            np.pad(part, widths, constant_values=float(padding))
            for part, padding in zip(
                dataclasses.astuple(x), dataclasses.astuple(number)
            )
        )
    )


def _slice(text):
    offsets, sizes, strides = _lists(text)[:3]
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1, stride)
        for offset, size, stride in zip(offsets, sizes, strides)
    )


def _extract(text, values):
    shape, _ = _types(text)[-1]
    return _map(
        _operand(text, values), lambda array: array[_slice(text)].reshape(shape)
    )


def _insert(text, values):
    names = re.search(r"(%[\w#]+) into (%[\w#]+)", text)
    source, target = values[names[1]], values[names[2]]

    def insert(small, large):
        result = np.array(large)
        result[_slice(text)] = small
        return result

    if not isinstance(source, Bounded):
        return insert(source, target)
    return Bounded(
        *map(insert, dataclasses.astuple(source), dataclasses.astuple(target))
    )


def _reshape(text, values):
    shape, _ = _types(text)[-1]
    return _map(_operand(text, values), lambda array: array.reshape(shape))


def _matmul(text, values):
    (a, b), (start,) = _operands(text, values)
    if re.search(r"n, k\)>", text):
        b = _map(b, lambda array: array.swapaxes(-1, -2))
    return bounded.product(a, b, start, _types(text)[-1][1])


def _softmax(text, values):
    (x,), _ = _operands(text, values)
    dim = int(re.search(r"dimension\((\d+)\)", text)[1])
    return bounded.softmax(x, dim, _types(text)[-1][1])


def _generic(text, values):
    return _Generic(text, values).run()


_OPS = {
    "tensor.empty": _empty,
    "arith.constant": _constant,
    "linalg.fill": _fill,
    "linalg.transpose": _transpose,
    "tensor.pad": _pad,
    "tensor.extract_slice": _extract,
    "tensor.insert_slice": _insert,
    "tensor.collapse_shape": _reshape,
    "tensor.expand_shape": _reshape,
    "linalg.matmul": _matmul,
    "linalg.batch_matmul": _matmul,
    "linalg.softmax": _softmax,
    "linalg.generic": _generic,
}


class _Generic:
    def __init__(self, text, values):
        self.inputs, self.outputs = _operands(text, values)
        self.maps = [
            [expr.strip() for expr in found.split(",")] if found.strip() else []
            for found in re.findall(
                r"affine_map<\([^)]*\) -> \(([^)]*)\)>", text
            )
        ]
        self.reduced = [
            kind == "reduction"
            for kind in re.findall(r'"(reduction|parallel)"', text)
        ]
        self.extents = self._find_extents()
        self.block = re.findall(
            r"(%\w+): (\w+)", re.search(r"\^bb0\((.*?)\):", text)[1]
        )
        lines = [line.strip() for line in text.splitlines()]
        start = (
            next(i for i, line in enumerate(lines) if line.startswith("^bb0"))
            + 1
        )
        end = next(
            i for i, line in enumerate(lines) if line.startswith("linalg.yield")
        )
        self.body = [line.split(" = ", 1) for line in lines[start:end]]
        self.yielded = re.match(r"linalg\.yield (.*?) : ", lines[end])[1].split(
            ", "
        )

    def _find_extents(self):
        extents = [None] * len(self.reduced)
        for map_, operand in zip(self.maps, self.inputs + self.outputs):
            shape = (
                operand.value if isinstance(operand, Bounded) else operand
            ).shape
            for expr, extent in zip(map_, shape, strict=True):
                if re.fullmatch(r"d\d+", expr):
                    extents[int(expr[1:])] = extent
        if None in extents:
            raise Unknown("a loop whose extent no operand tells")
        return extents

    def _grid(self):
        """Index of each loop at all points; loops that reduce come first."""
        order = [
            i for i, is_reduced in enumerate(self.reduced) if is_reduced
        ] + [i for i, is_reduced in enumerate(self.reduced) if not is_reduced]
        grid = np.indices([self.extents[i] for i in order])
        count = sum(self.reduced)
        size = int(np.prod([self.extents[i] for i in order[:count]], dtype=int))
        shape = (size, *(self.extents[i] for i in order[count:]))
        loops = [None] * len(order)
        for position, i in enumerate(order):
            loops[i] = grid[position].reshape(shape)
        return loops, shape

    @staticmethod
    def _at(expr, loops):
        """An affine expression: of one dimension, and numbers."""
        return eval(
            expr.replace("floordiv", "//").replace("mod", "%"),
            {"__builtins__": {}},
            {f"d{i}": loop for i, loop in enumerate(loops)},
        )

    def run(self):
        loops, shape = self._grid()
        gathered = []
        for map_, operand in zip(self.maps, self.inputs):
            index = tuple(self._at(expr, loops) for expr in map_)
            gathered.append(
                _map(
                    operand, lambda array: np.broadcast_to(array[index], shape)
                )
            )
        first = [loop[0] for loop in loops]
        out = tuple(
            self._at(expr, first) for expr in self.maps[len(self.inputs)]
        )
        old = [
            _map(operand, lambda array: np.broadcast_to(array[out], shape[1:]))
            for operand in self.outputs
        ]
        new = self._fold(loops, gathered, old, shape)
        return [
            self._scatter(operand, out, result)
            for operand, result in zip(self.outputs, new)
        ]

    @staticmethod
    def _scatter(operand, index, result):
        def put(array, part):
            array = np.array(array)
            array[index] = part
            return array

        if not isinstance(operand, Bounded):
            return put(operand, result)
        return Bounded(
            *map(put, dataclasses.astuple(operand), dataclasses.astuple(result))
        )

    def _fold(self, loops, gathered, old, shape):
        combined = self._combine_all(loops, gathered, old)
        if combined is not None:
            return combined
        for r in range(shape[0]):
            at = [_map(value, lambda array: array[r]) for value in gathered]
            old = self._compute([loop[r] for loop in loops], at + old)
        return old

    def _combine_all(self, loops, gathered, old):
        """A sum or the like of what does not depend on what is summed up, all
        at once; None if it is something else."""
        if not any(self.reduced) or len(self.yielded) != 1:
            return None
        name, text = self.body[-1] if self.body else ("", "")
        found = re.fullmatch(r"([a-z.]+) (%\w+), (%\w+) : (\w+)", text)
        accumulated, dtype = self.block[-1]
        if (
            not found
            or name != self.yielded[0]
            or found[2] != accumulated
            or found[3] == accumulated
            or any(
                re.search(rf"{accumulated}\b", line)
                for _, line in self.body[:-1]
            )
        ):
            return None
        known = dict(zip([name for name, _ in self.block], gathered))
        for let, line in self.body[:-1]:
            known[let] = _scalar(line, known, loops)
        terms, op = known[found[3]], found[1]
        if op == "arith.addf":
            return [bounded.sum_(terms, dtype, old[0])]
        if op in bounded.BINARY:
            if op == "arith.mulf":
                return None
            result = old[0]
            for i in range(len(terms.value)):
                result = bounded.BINARY[op](
                    result, terms.map(lambda array: array[i]), dtype
                )
            return [result]
        result = old[0]
        for term in terms:
            result = _integer(op.removeprefix("arith."), result, term)
        return [result]

    def _compute(self, loops, arguments):
        known = dict(zip([name for name, _ in self.block], arguments))
        shape = loops[0].shape if loops else ()
        for let, line in self.body:
            known[let] = _scalar(line, known, loops)
        return [
            _map(known[name], lambda array: np.broadcast_to(array, shape))
            for name in self.yielded
        ]


def _integer(op, a, b):
    if op in _UNSIGNED:
        unsigned = np.dtype(f"u{a.dtype}")
        return _UNSIGNED[op](a.view(unsigned), b.view(unsigned)).view(a.dtype)
    if op == "remui":
        return a % b  # Of what is not negative.
    if op not in _INTEGER:
        raise Unknown(f"arith.{op}")
    return _INTEGER[op](a, b)


def _scalar(line, known, loops):
    """An operation of a body."""
    op = re.match(r"[a-z.]+(?:_\w+)?", line)[0]
    dtype = re.search(r"(\w+)$", line)[1]
    if op == "arith.constant":
        return _constant(line, known)
    if op == "linalg.index":
        return np.asarray(loops[int(line.split()[1])], np.int64)
    operands = [known[name] for name in re.findall(r"%\w+", line)]
    if op in bounded.UNARY:
        return bounded.UNARY[op](*operands, dtype)
    if op in bounded.BINARY:
        return bounded.BINARY[op](*operands, dtype)
    if op == "arith.select":
        return _select(*operands)
    if op == "arith.cmpi":
        predicate = re.match(r"arith\.cmpi (\w+)", line)[1]
        return _COMPARE[predicate](*operands)
    if " to " in line:
        return _cast(op.removeprefix("arith."), operands[0], dtype)
    return _integer(op.removeprefix("arith."), *operands)


def _select(condition, a, b):
    if not isinstance(a, Bounded):
        return np.where(condition, a, b)
    return Bounded(
        *(
            np.where(condition, x, y)
            for x, y in zip(dataclasses.astuple(a), dataclasses.astuple(b))
        )
    )


def _cast(op, x, to):
    if op == "extf":
        return x
    if op == "truncf":
        return bounded.rounded(x, to)
    if op in ("sitofp", "uitofp"):
        return bounded.rounded(bounded.exact(x), to)
    if op == "extsi" and x.dtype == np.bool_:
        return -x.astype(_array_type(to))
    if op in ("extsi", "extui", "trunci"):
        return x.astype(_array_type(to))
    raise Unknown(f"arith.{op}")
