"""The text of a function in linalg, op by op."""

import math

from gpu.ir import Value, tensor

from emulated import elements


def loops(rank):
    """The dimensions of an identity map."""
    return [f"d{i}" for i in range(rank)]


def literal(value, dtype):
    if dtype == "i1":
        return "true" if value else "false"
    if dtype in elements.INTEGERS:
        return f"{int(value)} : {dtype}"
    return f"{float(value):e} : {dtype}"


class Body:
    """Of a generic: operations on elements."""

    def __init__(self):
        self.lines = []

    def let(self, operation):
        name = f"%s{len(self.lines)}"
        self.lines.append(f"{name} = {operation}")
        return name

    def constant(self, value, dtype):
        return self.let(f"arith.constant {literal(value, dtype)}")


class Program:
    """A function whose tensors have at most `limit` elements. All that it
    computes is in `values`. With `explicit` the text says for upstream what
    Grout makes of the same without it: that sums of f16 and bf16 are f32 and
    rounded once, and that what a generic does not write stays as it was."""

    def __init__(self, limit, explicit=False):
        self.limit = limit
        self.explicit = explicit
        self.arguments = []
        self.values = []
        self.results = []
        self._lines = []
        self._names = 0

    def argument(self, shape, dtype):
        value = Value(f"%a{len(self.arguments)}", tuple(shape), dtype)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def fits(self, shape):
        return math.prod(shape) <= self.limit

    def like(self, shape, dtype):
        """All values of this type."""
        return [
            value
            for value in self.values
            if (value.shape, value.dtype) == (tuple(shape), dtype)
        ]

    def op(self, text, shape, dtype):
        """What the op `text` defines; its type is part of it."""
        value = self._define(text, shape, dtype)
        self.values.append(value)
        return value

    def empty(self, shape, dtype):
        return self._define(
            f"tensor.empty() : {tensor(shape, dtype)}", shape, dtype
        )

    def constant(self, number, dtype):
        """The name of a scalar."""
        return self._define(
            f"arith.constant {literal(number, dtype)}", (), dtype
        ).name

    def filled(self, shape, dtype, number):
        scalar, empty = self.constant(number, dtype), self.empty(shape, dtype)
        return self._define(
            f"linalg.fill ins({scalar} : {dtype}) "
            f"outs({empty.name} : {empty.type}) -> {empty.type}",
            shape,
            dtype,
        )

    def generic(self, inputs, maps, outputs, output_map, reduced, compute):
        """linalg.generic, whose loops `reduced` are reductions. `maps` are of
        the inputs, as lists of expressions; compute(body, *elements) gives the
        elements of the outputs from those of inputs and outputs."""
        made = self._generic(
            inputs, maps, outputs, output_map, reduced, compute
        )
        self.values += made
        return made

    def accumulated(self, x, start, dims, reduced, compute):
        """`x` accumulated over the loops `reduced`, from `start`, which has the
        others, `dims`. compute(body, element, accumulated, dtype) gives what is
        accumulated, in `dtype`; the element is of the type of `x`."""
        narrow, maps = start.dtype, [loops(x.rank)]
        is_wide = self.explicit and narrow in ("f16", "bf16")
        dtype = "f32" if is_wide else narrow
        if is_wide:
            start = self._cast(start, dtype)
        (result,) = self._generic(
            [x],
            maps,
            [start],
            dims,
            reduced,
            lambda body, a, old: compute(body, a, old, dtype),
        )
        if is_wide:
            result = self._cast(result, narrow)
        self.values.append(result)
        return result

    def _cast(self, x, dtype):
        op = "extf" if dtype == "f32" else "truncf"
        return self._generic(
            [x],
            [loops(x.rank)],
            [self.empty(x.shape, dtype)],
            loops(x.rank),
            [False] * x.rank,
            lambda body, a, _: body.let(
                f"arith.{op} {a} : {x.dtype} to {dtype}"
            ),
        )[0]

    def _copy(self, x):
        """What bufferization would leave out where no body reads `x`."""
        return self._define(
            f"bufferization.alloc_tensor() copy({x.name}) : {x.type}",
            x.shape,
            x.dtype,
        )

    def _generic(self, inputs, maps, outputs, output_map, reduced, compute):
        rank = len(reduced)
        if self.explicit and not _is_whole(output_map, rank):
            outputs = [self._copy(output) for output in outputs]
        maps = ", ".join(
            f"affine_map<({', '.join(loops(rank))}) -> ({', '.join(dims)})>"
            for dims in [*maps, *[output_map] * len(outputs)]
        )
        iterators = ", ".join(
            '"reduction"' if is_reduced else '"parallel"'
            for is_reduced in reduced
        )
        arguments = [
            (f"%x{i}", value.dtype)
            for i, value in enumerate([*inputs, *outputs])
        ]
        body = Body()
        yielded = compute(body, *(name for name, _ in arguments))
        yielded = [yielded] if isinstance(yielded, str) else yielded
        types = [value.type for value in outputs]
        block = ", ".join(f"{name}: {dtype}" for name, dtype in arguments)
        text = "\n".join(
            [
                f"linalg.generic {{indexing_maps = [{maps}], "
                f"iterator_types = [{iterators}]}}",
                f"      ins({_typed(inputs)}) outs({_typed(outputs)}) {{",
                f"  ^bb0({block}):",
                *(f"    {line}" for line in body.lines),
                f"    linalg.yield {', '.join(yielded)} : "
                + ", ".join(value.dtype for value in outputs),
                f"  }} -> ({', '.join(types)})",
            ]
        )
        name = self._name()
        if len(outputs) == 1:
            self._lines.append(f"{name} = {text}")
            names = [name]
        else:
            self._lines.append(f"{name}:{len(outputs)} = {text}")
            names = [f"{name}#{i}" for i in range(len(outputs))]
        return [
            Value(each, value.shape, value.dtype)
            for each, value in zip(names, outputs)
        ]

    @property
    def text(self):
        types = ", ".join(value.type for value in self.results)
        arguments = ", ".join(
            f"{value.name}: {value.type}" for value in self.arguments
        )
        names = ", ".join(value.name for value in self.results)
        return "\n".join(
            [
                f"func.func @f({arguments}) -> ({types}) {{",
                *(f"  {line}" for line in self._lines),
                f"  return {names} : {types}",
                "}",
                "",
            ]
        )

    def _define(self, text, shape, dtype):
        name = self._name()
        self._lines.append(f"{name} = {text}")
        return Value(name, tuple(shape), dtype)

    def _name(self):
        self._names += 1
        return f"%v{self._names}"


def _is_whole(output_map, rank):
    """Whether loops, of which there are `rank`, write all of an output by it."""
    return len(set(output_map)) == len(output_map) and set(output_map) <= set(
        loops(rank)
    )


def _typed(values):
    return (
        ", ".join(value.name for value in values)
        + " : "
        + ", ".join(value.type for value in values)
    )
