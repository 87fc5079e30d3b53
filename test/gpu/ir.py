"""Functions in linalg: products, the ops around them, and views."""

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor in the text of a function."""

    name: str
    shape: tuple
    dtype: str

    @property
    def type(self):
        return tensor(self.shape, self.dtype)

    @property
    def rank(self):
        return len(self.shape)


def tensor(shape, dtype):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{dtype}>"


@dataclasses.dataclass(frozen=True)
class Tiling:
    m: int
    n: int
    k: int = 64
    stages: int = 3
    cluster_m: int = 1
    cluster_n: int = 1
    split_k: int = 1
    stream_k: int = 1
    tail: int = 0
    swap_ab: bool = False

    def __str__(self):
        return (
            f"#tgemm.tiling<m = {self.m}, n = {self.n}, k = {self.k}, "
            f"stages = {self.stages}, cluster_m = {self.cluster_m}, "
            f"cluster_n = {self.cluster_n}, split_k = {self.split_k}, "
            f"stream_k = {self.stream_k}, tail = {self.tail}, "
            f"swap_ab = {str(self.swap_ab).lower()}>"
        )


def affine_map(loops, dims):
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(dims)})>"


class Scalars:
    """The body of an elementwise op, in f32."""

    def __init__(self):
        self.lines = []

    def define(self, text):
        name = f"%s{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        return name

    def op(self, name, *operands):
        return self.define(f"{name} {', '.join(operands)} : f32")

    def constant(self, value):
        return self.define(f"arith.constant {float(value):e} : f32")

    def convert(self, value, source, target):
        if source == target:
            return value
        direction = "extf" if target == "f32" else "truncf"
        return self.define(f"arith.{direction} {value} : {source} to {target}")

    def add(self, a, b):
        return self.op("arith.addf", a, b)

    def mul(self, a, b):
        return self.op("arith.mulf", a, b)

    def scale(self, value, factor):
        return self.mul(value, self.constant(factor))

    def relu(self, value):
        return self.op("arith.maximumf", value, self.constant(0))

    def silu(self, value):
        exp = self.op("math.exp", self.op("arith.negf", value))
        return self.op("arith.divf", value, self.add(exp, self.constant(1)))

    def gelu_tanh(self, value):
        cube = self.mul(self.mul(value, value), value)
        inner = self.add(value, self.scale(cube, 0.044715))
        tanh = self.op("math.tanh", self.scale(inner, 0.7978845608))
        return self.mul(
            self.scale(value, 0.5), self.add(tanh, self.constant(1))
        )

    def gelu_erf(self, value):
        erf = self.op("math.erf", self.scale(value, 0.70710678))
        return self.mul(self.scale(value, 0.5), self.add(erf, self.constant(1)))


ACTIVATIONS = ("relu", "silu", "gelu_tanh", "gelu_erf")


class Function:
    """A function under construction. Values are added in the order of use."""

    def __init__(self):
        self.arguments = []
        self.lines = []
        self.returned = []
        self.products = 0
        self._names = 0

    def _value(self, shape, dtype):
        self._names += 1
        return Value(f"%v{self._names}", tuple(shape), dtype)

    def _emit(self, value, text):
        self.lines.append(f"  {value.name} = {text}")
        return value

    def input(self, *shape, dtype="f16"):
        value = Value(f"%in{len(self.arguments)}", shape, dtype)
        self.arguments.append(value)
        return value

    def empty(self, shape, dtype):
        value = self._value(shape, dtype)
        return self._emit(value, f"tensor.empty() : {value.type}")

    def product(
        self, lhs, rhs, transpose_lhs=False, transpose_rhs=False, tiling=None
    ):
        """lhs rhs, summed in f32. Of rank 3 with a leading batch, which an
        operand of rank 2 is shared by."""
        self.products += 1
        *lhs_batch, m, k = lhs.shape
        *rhs_batch, depth, n = rhs.shape
        if transpose_lhs:
            m, k = k, m
        if transpose_rhs:
            depth, n = n, depth
        assert k == depth, (lhs, rhs)
        batch = lhs_batch or rhs_batch
        loops = ["b"] * len(batch) + ["m", "n", "k"]

        def get_map(value, dims):
            return affine_map(loops, ["b"] * (len(value.shape) - 2) + dims)

        empty = self.empty((*batch, m, n), "f32")
        zeros = self._emit(
            self._value(empty.shape, "f32"),
            f"linalg.fill ins(%zero : f32) outs({empty.name} : "
            f"{empty.type}) -> {empty.type}",
        )
        maps = [
            get_map(lhs, ["k", "m"] if transpose_lhs else ["m", "k"]),
            get_map(rhs, ["n", "k"] if transpose_rhs else ["k", "n"]),
            get_map(zeros, ["m", "n"]),
        ]
        attributes = f" {{tgemm.tiling = {tiling}}}" if tiling else ""
        return self._emit(
            self._value(empty.shape, "f32"),
            f"linalg.contract\n    indexing_maps = [{', '.join(maps)}]\n"
            f"   {attributes} ins({lhs.name}, {rhs.name} : {lhs.type}, "
            f"{rhs.type})\n    outs({zeros.name} : {zeros.type}) "
            f"-> {zeros.type}",
        )

    def elementwise(self, operands, dtype, compute):
        """compute(scalars, *elements) at every element of the first operand's
        shape. An operand is a value of that shape, or (value, dims) with some
        of the dimensions "b", "m" and "n" that it has, such as "n" for a
        bias."""
        pairs = [
            operand if isinstance(operand, tuple) else (operand, None)
            for operand in operands
        ]
        values = [value for value, _ in pairs]
        shape = values[0].shape
        loops = ["b", "m", "n"][-len(shape) :]
        empty = self.empty(shape, dtype)
        maps = [affine_map(loops, list(dims or loops)) for _, dims in pairs]
        maps.append(affine_map(loops, loops))
        scalars = Scalars()
        elements = [
            scalars.convert(f"%a{i}", value.dtype, "f32")
            for i, value in enumerate(values)
        ]
        out = scalars.convert(compute(scalars, *elements), "f32", dtype)
        arguments = ", ".join(
            f"%a{i}: {value.dtype}" for i, value in enumerate(values)
        )
        iterators = ", ".join(['"parallel"'] * len(loops))
        names = ", ".join(value.name for value in values)
        types = ", ".join(value.type for value in values)
        body = "\n".join(scalars.lines)
        return self._emit(
            self._value(shape, dtype),
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}],\n"
            f"    iterator_types = [{iterators}]}}\n"
            f"    ins({names} : {types}) outs({empty.name} : {empty.type}) {{\n"
            f"  ^bb0({arguments}, %_: {dtype}):\n{body}\n"
            f"    linalg.yield {out} : {dtype}\n  }} -> {empty.type}",
        )

    def cast(self, value, dtype):
        if value.dtype == dtype:
            return value
        return self.elementwise([value], dtype, lambda scalars, a: a)

    def reduce(self, value, axes, op, start):
        """Combines by `op`, in f32, from `start` on."""
        loops = [f"d{i}" for i in range(len(value.shape))]
        kept = [i for i in range(len(loops)) if i not in axes]
        first = self.fill([value.shape[i] for i in kept], start)
        maps = [
            affine_map(loops, loops),
            affine_map(loops, [loops[i] for i in kept]),
        ]
        iterators = ", ".join(
            '"reduction"' if i in axes else '"parallel"'
            for i in range(len(loops))
        )
        scalars = Scalars()
        out = scalars.op(op, "%b", scalars.convert("%a", value.dtype, "f32"))
        body = "\n".join(scalars.lines)
        return self._emit(
            self._value(first.shape, "f32"),
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}],\n"
            f"    iterator_types = [{iterators}]}}\n"
            f"    ins({value.name} : {value.type}) outs({first.name} : "
            f"{first.type}) {{\n  ^bb0(%a: {value.dtype}, %b: f32):\n{body}\n"
            f"    linalg.yield {out} : f32\n  }} -> {first.type}",
        )

    def fill(self, shape, scalar):
        """f32 elements that are all the same."""
        empty = self.empty(shape, "f32")
        self._names += 1
        constant = f"%c{self._names}"
        self.lines.append(f"  {constant} = arith.constant {scalar} : f32")
        return self._emit(
            self._value(shape, "f32"),
            f"linalg.fill ins({constant} : f32) outs({empty.name} : "
            f"{empty.type}) -> {empty.type}",
        )

    def transpose(self, value, order):
        empty = self.empty([value.shape[i] for i in order], value.dtype)
        return self._emit(
            self._value(empty.shape, value.dtype),
            f"linalg.transpose ins({value.name} : {value.type}) "
            f"outs({empty.name} : {empty.type}) permutation = {list(order)}",
        )

    def slice(self, value, offsets, sizes):
        result = self._value(sizes, value.dtype)
        ones = ", ".join(["1"] * len(sizes))
        return self._emit(
            result,
            f"tensor.extract_slice {value.name}[{', '.join(map(str, offsets))}] "
            f"[{', '.join(map(str, sizes))}] [{ones}] : {value.type} to "
            f"{result.type}",
        )

    def expand(self, value, groups, shape):
        """`value` as `shape`, whose dimensions of each of `groups` were one."""
        result = self._value(shape, value.dtype)
        return self._emit(
            result,
            f"tensor.expand_shape {value.name} {groups} output_shape "
            f"{list(shape)} : {value.type} into {result.type}",
        )

    def collapse(self, value, groups):
        """The dimensions of each of `groups` as one."""
        shape = [math.prod(value.shape[i] for i in group) for group in groups]
        result = self._value(shape, value.dtype)
        return self._emit(
            result,
            f"tensor.collapse_shape {value.name} {groups} "
            f": {value.type} into {result.type}",
        )

    def split_rows(self, value, batch):
        """[batch * rows, columns] as [batch, rows, columns]."""
        rows, columns = value.shape
        return self.expand(
            value, [[0, 1], [2]], (batch, rows // batch, columns)
        )

    def join_rows(self, value):
        """[batch, rows, columns] as [batch * rows, columns]."""
        return self.collapse(value, [[0, 1], [2]])

    def shift(self, value, offset):
        """Integers of rank 2, and `offset`, added."""
        empty = self.empty(value.shape, value.dtype)
        same = affine_map(["i", "j"], ["i", "j"])
        return self._emit(
            self._value(value.shape, value.dtype),
            f"linalg.generic {{indexing_maps = [{same}, {same}],\n"
            f'    iterator_types = ["parallel", "parallel"]}}\n'
            f"    ins({value.name} : {value.type}) outs({empty.name} : "
            f"{empty.type}) {{\n  ^bb0(%a: {value.dtype}, %_: {value.dtype}):\n"
            f"    %c = arith.constant {offset} : {value.dtype}\n"
            f"    %r = arith.addi %a, %c : {value.dtype}\n"
            f"    linalg.yield %r : {value.dtype}\n  }} -> {empty.type}",
        )

    def scatter(self, values, into, place, dim):
        """`into` with `values` at `place`, a number, of dimension `dim`, which
        these lack; there is one more in front, of extent 1."""
        return self._emit(
            self._value(into.shape, into.dtype),
            f"tensor.scatter {values.name} into {into.name}[{place.name}] "
            f"scatter_dims([{dim}]) unique\n    : ({values.type}, {into.type}, "
            f"{place.type}) -> {into.type}",
        )

    def result(self, value):
        self.returned.append(value)

    def text(self):
        arguments = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(value.type for value in self.returned)
        names = ", ".join(value.name for value in self.returned)
        body = "\n".join(self.lines)
        return (
            f"func.func @f({arguments}) -> ({types}) {{\n"
            f"  %zero = arith.constant 0.0 : f32\n{body}\n"
            f"  return {names} : {types}\n}}\n"
        )
