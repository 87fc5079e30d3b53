"""What random programs are made of. A step adds to the program an op, or a few,
on the value `x`, or nothing if it does not suit that."""

import math

from emulated import elements, scalars
from emulated.program import loops, tensor


def _map(program, inputs, maps, shape, dtype, compute):
    """A parallel generic of its own output."""
    return program.generic(
        inputs,
        maps,
        [program.empty(shape, dtype)],
        loops(len(shape)),
        [False] * len(shape),
        lambda body, *x: compute(body, *x[:-1]),
    )[0]


def _binary(chance, dtype):
    op = scalars.binary(chance, dtype)
    return lambda body, a, b: body.let(f"{op} {a}, {b} : {dtype}")


def elementwise(chance, program, x):
    _map(
        program,
        [x],
        [loops(x.rank)],
        x.shape,
        x.dtype,
        lambda body, a: scalars.unary(chance, body, a, x.dtype),
    )


def pairwise(chance, program, x):
    other = chance.choice(program.like(x.shape, x.dtype))
    _map(
        program,
        [x, other],
        [loops(x.rank)] * 2,
        x.shape,
        x.dtype,
        _binary(chance, x.dtype),
    )


def broadcast(chance, program, x):
    dims = [i for i in range(x.rank) if chance.random() < 0.5]
    shape = [x.shape[i] for i in dims]
    known = program.like(shape, x.dtype)
    other = (
        chance.choice(known)
        if known and chance.random() < 0.7
        else program.argument(shape, x.dtype)
    )
    _map(
        program,
        [x, other],
        [loops(x.rank), [f"d{i}" for i in dims]],
        x.shape,
        x.dtype,
        _binary(chance, x.dtype),
    )


def _wide(body, a, narrow, dtype):
    """An element of type `narrow` in `dtype`."""
    return (
        a
        if dtype == narrow
        else body.let(f"arith.extf {a} : {narrow} to {dtype}")
    )


def _split(chance, x, part):
    """(dimensions to keep, whether each is reduced); at least one is."""
    reduced = [chance.random() < part for _ in x.shape]
    if not any(reduced):
        reduced[chance.randrange(x.rank)] = True
    return [i for i in range(x.rank) if not reduced[i]], reduced


def reduction(chance, program, x):
    if x.rank == 0:
        return
    keep, reduced = _split(chance, x, 0.5)
    if chance.random() < 0.2:
        chance.shuffle(keep)
    op, dtype = scalars.combiner(chance, x.dtype), x.dtype
    if dtype in ("f16", "bf16") and chance.random() < 0.6:
        op, dtype = "arith.addf", "f32"
    square = chance.random() < 0.35

    def compute(body, a, accumulated, dtype):
        if dtype != x.dtype:
            a = body.let(f"arith.extf {a} : {x.dtype} to {dtype}")
        if square:
            multiply = "muli" if dtype not in elements.FLOATS else "mulf"
            a = body.let(f"arith.{multiply} {a}, {a} : {dtype}")
        return body.let(f"{op} {accumulated}, {a} : {dtype}")

    shape = [x.shape[i] for i in keep]
    known = program.like(shape, dtype)
    start = (
        chance.choice(known)
        if known and chance.random() < 0.3
        else program.filled(shape, dtype, chance.randrange(4))
    )
    program.accumulated(x, start, [f"d{i}" for i in keep], reduced, compute)


def ordered(chance, program, x):
    """A reduction that must not be reordered."""
    if x.rank == 0:
        return
    keep, reduced = _split(chance, x, 0.4)
    kind = chance.choice(["last", "linear", "selected"])
    which = chance.choice([i for i in range(x.rank) if reduced[i]])

    def linear(body, a, old, dtype):
        if dtype != x.dtype:
            a = body.let(f"arith.extf {a} : {x.dtype} to {dtype}")
        if dtype == "i1":
            return body.let(
                "arith.xori {}, {} : i1".format(
                    body.let(f"arith.andi {old}, {a} : i1"), a
                )
            )
        if dtype in elements.INTEGERS:
            multiply, add, factor = "arith.muli", "arith.addi", 3
        else:
            multiply, add, factor = "arith.mulf", "arith.addf", 0.5
        factor = body.constant(factor, dtype)
        old = body.let(f"{multiply} {old}, {factor} : {dtype}")
        return body.let(f"{add} {old}, {a} : {dtype}")

    def selected(body, a, old):
        index = body.let(f"linalg.index {which} : index")
        two, one = (body.let(f"arith.constant {i} : index") for i in (2, 1))
        rest = body.let(f"arith.remui {index}, {two} : index")
        is_odd = body.let(f"arith.cmpi eq, {rest}, {one} : index")
        return body.let(f"arith.select {is_odd}, {a}, {old} : {x.dtype}")

    compute = {"last": lambda body, a, old: a, "selected": selected}
    start = program.filled([x.shape[i] for i in keep], x.dtype, 1)
    dims = [f"d{i}" for i in keep]
    if kind == "linear":
        program.accumulated(x, start, dims, reduced, linear)
    else:
        program.generic(
            [x], [loops(x.rank)], [start], dims, reduced, compute[kind]
        )


def transpose(chance, program, x):
    if x.rank < 2:
        return
    order = chance.sample(range(x.rank), x.rank)
    to = program.empty([x.shape[i] for i in order], x.dtype)
    program.op(
        f"linalg.transpose ins({x.name} : {x.type}) "
        f"outs({to.name} : {to.type}) permutation = {order}",
        to.shape,
        to.dtype,
    )


def cast(chance, program, x):
    to = chance.choice(scalars.cast_targets(x.dtype))
    _map(
        program,
        [x],
        [loops(x.rank)],
        x.shape,
        to,
        lambda body, a: scalars.cast(chance, body, a, x.dtype, to),
    )


def pad(chance, program, x):
    low = [chance.choice([0, 0, 1, 2, 3]) for _ in x.shape]
    high = [chance.choice([0, 0, 1, 2, 5]) for _ in x.shape]
    shape = [a + b + c for a, b, c in zip(low, x.shape, high)]
    if x.rank == 0 or not program.fits(shape):
        return
    number = program.constant(1, x.dtype)
    block = ", ".join(f"%i{i}: index" for i in range(x.rank))
    program.op(
        f"tensor.pad {x.name} low{low} high{high} {{\n"
        f"  ^bb0({block}):\n    tensor.yield {number} : {x.dtype}\n"
        f"  }} : {x.type} to {tensor(shape, x.dtype)}",
        shape,
        x.dtype,
    )


def extract(chance, program, x):
    if x.rank == 0:
        return
    offsets = [chance.randrange(extent) for extent in x.shape]
    strides = [chance.choice([1, 1, 1, 2, 3]) for _ in x.shape]
    sizes = [
        (extent - 1 - offset) // stride + 1
        for extent, offset, stride in zip(x.shape, offsets, strides)
    ]
    sizes = [
        chance.randint(1, size) if chance.random() < 0.5 else size
        for size in sizes
    ]
    program.op(
        f"tensor.extract_slice {x.name}{offsets} {sizes} {strides} : "
        f"{x.type} to {tensor(sizes, x.dtype)}",
        sizes,
        x.dtype,
    )


def insert(chance, program, x):
    offsets = [chance.choice([0, 0, 1, 2]) for _ in x.shape]
    strides = [chance.choice([1, 1, 2]) for _ in x.shape]
    shape = [
        offset + (extent - 1) * stride + 1 + chance.choice([0, 0, 1])
        for offset, extent, stride in zip(offsets, x.shape, strides)
    ]
    if x.rank == 0 or not program.fits(shape):
        return
    known = program.like(shape, x.dtype)
    to = chance.choice(known) if known else program.argument(shape, x.dtype)
    program.op(
        f"tensor.insert_slice {x.name} into {to.name}{offsets} "
        f"{list(x.shape)} {strides} : {x.type} into {to.type}",
        shape,
        x.dtype,
    )


def collapse(chance, program, x):
    if x.rank < 2:
        return
    i = chance.randrange(x.rank - 1)
    groups = [[j] for j in range(x.rank)]
    groups[i : i + 2] = [[i, i + 1]]
    shape = x.shape[:i] + (x.shape[i] * x.shape[i + 1],) + x.shape[i + 2 :]
    program.op(
        f"tensor.collapse_shape {x.name} {groups} : {x.type} into "
        f"{tensor(shape, x.dtype)}",
        shape,
        x.dtype,
    )


def expand(chance, program, x):
    if not 0 < x.rank < 5:
        return
    i = chance.randrange(x.rank)
    outer = chance.choice(
        [part for part in range(1, x.shape[i] + 1) if x.shape[i] % part == 0]
    )
    groups = [
        [j] if j < i else [j, j + 1] if j == i else [j + 1]
        for j in range(x.rank)
    ]
    shape = x.shape[:i] + (outer, x.shape[i] // outer) + x.shape[i + 1 :]
    program.op(
        f"tensor.expand_shape {x.name} {groups} output_shape "
        f"{list(shape)} : {x.type} into {tensor(shape, x.dtype)}",
        shape,
        x.dtype,
    )


def two_results(chance, program, x):
    """One of which updates another value."""
    first, second = _binary(chance, x.dtype), _binary(chance, x.dtype)

    def compute(body, a, old, _):
        result = first(body, a, old)
        return result, second(body, result, a)

    old = chance.choice(program.like(x.shape, x.dtype))
    program.generic(
        [x],
        [loops(x.rank)],
        [old, program.empty(x.shape, x.dtype)],
        loops(x.rank),
        [False] * x.rank,
        compute,
    )


def update(chance, program, x):
    """Of another value."""
    op = _binary(chance, x.dtype)
    program.generic(
        [x],
        [loops(x.rank)],
        [chance.choice(program.like(x.shape, x.dtype))],
        loops(x.rank),
        [False] * x.rank,
        lambda body, a, old: op(body, old, a),
    )


def softmax(chance, program, x):
    if x.rank == 0 or x.dtype not in elements.FLOATS:
        return
    first = chance.randrange(x.rank) if chance.random() < 0.4 else x.rank - 1
    last = first + 1 if chance.random() < 0.7 else x.rank
    reduced = [first <= i < last for i in range(x.rank)]
    keep = [i for i in range(x.rank) if not reduced[i]]
    shape, row = [x.shape[i] for i in keep], [f"d{i}" for i in keep]
    dtype = "f32" if x.dtype in ("f16", "bf16") else x.dtype

    def greatest(body, a, old):
        return body.let(
            f"arith.maximumf {old}, {_wide(body, a, x.dtype, dtype)} : {dtype}"
        )

    def power(body, a, most):
        less = body.let(
            f"arith.subf {_wide(body, a, x.dtype, dtype)}, {most} : {dtype}"
        )
        return body.let(f"math.exp {less} : {dtype}")

    def total(body, a, old):
        return body.let(f"arith.addf {old}, {a} : {dtype}")

    def quotient(body, a, sum_):
        part = body.let(f"arith.divf {a}, {sum_} : {dtype}")
        return (
            part
            if dtype == x.dtype
            else body.let(f"arith.truncf {part} : {dtype} to {x.dtype}")
        )

    start = program.filled(shape, dtype, chance.choice([-100, 0]))
    (most,) = program.generic(
        [x], [loops(x.rank)], [start], row, reduced, greatest
    )
    powers = _map(
        program, [x, most], [loops(x.rank), row], x.shape, dtype, power
    )
    (sums,) = program.generic(
        [powers],
        [loops(x.rank)],
        [program.filled(shape, dtype, 1)],
        row,
        reduced,
        total,
    )
    _map(
        program,
        [powers, sums],
        [loops(x.rank), row],
        x.shape,
        x.dtype,
        quotient,
    )


def variance(chance, program, x):
    """Of some dimensions, from the mean, or from almost the mean."""
    if x.rank == 0 or x.dtype not in elements.FLOATS:
        return
    _, reduced = _split(chance, x, 0.6)
    squared_differences(
        program,
        x,
        reduced,
        rest=chance.random() < 0.15,
        way="product",
        apart=chance.random() < 0.5,
    )


def squared_differences(program, x, reduced, rest, way, apart):
    """The sum of the squared differences of `x` from its mean over the
    dimensions `reduced`; with `rest`, the mean has one element more that is 0.
    `way` is how a number is squared. If they are `apart`, differences, squares
    and their sum have an op each. Returns the sum."""
    keep = [i for i in range(x.rank) if not reduced[i]]
    shape, row = [x.shape[i] for i in keep], [f"d{i}" for i in keep]
    count = math.prod(x.shape) // math.prod(shape) + rest
    dtype = "f32" if x.dtype in ("f16", "bf16") else x.dtype

    def added(body, a, old):
        return body.let(
            f"arith.addf {old}, {_wide(body, a, x.dtype, dtype)} : {dtype}"
        )

    def quotient(body, a):
        by = body.constant(count, dtype)
        return body.let(f"arith.divf {a}, {by} : {dtype}")

    def difference(body, a, mean):
        return body.let(
            f"arith.subf {_wide(body, a, x.dtype, dtype)}, {mean} : {dtype}"
        )

    def square(body, a):
        if way == "product":
            return body.let(f"arith.mulf {a}, {a} : {dtype}")
        if way == "integer":
            two = body.constant(2, "i32")
            return body.let(f"math.fpowi {a}, {two} : {dtype}, i32")
        two = body.constant(2, dtype)
        return body.let(f"math.powf {a}, {two} : {dtype}")

    def total(body, a, old):
        return body.let(f"arith.addf {old}, {a} : {dtype}")

    def summed(inputs, maps, compute):
        start = program.filled(shape, dtype, 0)
        return program.generic(inputs, maps, [start], row, reduced, compute)[0]

    sums = summed([x], [loops(x.rank)], added)
    mean = _map(program, [sums], [loops(len(row))], shape, dtype, quotient)
    if not apart:
        return summed(
            [x, mean],
            [loops(x.rank), row],
            lambda body, a, m, old: total(
                body, square(body, difference(body, a, m)), old
            ),
        )
    differences = _map(
        program, [x, mean], [loops(x.rank), row], x.shape, dtype, difference
    )
    squares = _map(
        program, [differences], [loops(x.rank)], x.shape, dtype, square
    )
    return summed([squares], [loops(x.rank)], total)


def by_index(chance, program, x):
    """What an element becomes depends on where it is."""
    if x.rank == 0:
        return
    one, other = chance.randrange(x.rank), chance.randrange(x.rank)
    predicate = chance.choice(["ult", "eq", "sge"])

    def compute(body, a):
        i, j = (body.let(f"linalg.index {dim} : index") for dim in (one, other))
        three = body.let("arith.constant 3 : index")
        rest = body.let(f"arith.remui {i}, {three} : index")
        holds = body.let(f"arith.cmpi {predicate}, {rest}, {j} : index")
        changed = scalars.unary(chance, body, a, x.dtype)
        return body.let(f"arith.select {holds}, {a}, {changed} : {x.dtype}")

    _map(program, [x], [loops(x.rank)], x.shape, x.dtype, compute)


def affine_read(chance, program, x):
    """Backwards, repeatedly, or each element several times."""
    if x.rank == 0:
        return
    dim, kind = (
        chance.randrange(x.rank),
        chance.choice(["backwards", "modulo", "quotient"]),
    )
    dims, shape, extent = loops(x.rank), list(x.shape), x.shape[dim]
    times = chance.choice([2, 3])
    if kind == "backwards":
        dims[dim] = f"{extent - 1} - d{dim}"
    elif kind == "modulo":
        shape[dim], dims[dim] = extent * times, f"d{dim} mod {extent}"
    else:
        shape[dim], dims[dim] = extent * times, f"d{dim} floordiv {times}"
    if not program.fits(shape):
        return
    other = program.argument(shape, x.dtype)
    _map(
        program,
        [x, other],
        [dims, loops(x.rank)],
        shape,
        x.dtype,
        _binary(chance, x.dtype),
    )


def partial_write(chance, program, x):
    """Of elements with a stride, behind others, or of a diagonal; what is not
    written is what was there."""
    if x.rank == 0:
        return
    dim, kind = (
        chance.randrange(x.rank),
        chance.choice(["stride", "offset", "diagonal"]),
    )
    dims, shape = loops(x.rank), list(x.shape)
    if kind == "stride":
        dims[dim], shape[dim] = f"d{dim} * 2", 2 * x.shape[dim]
    elif kind == "offset":
        dims[dim] = f"d{dim} + 2"
        shape[dim] += chance.choice([2, 3])
    else:
        dims.insert(dim, f"d{dim}")
        shape.insert(dim, x.shape[dim])
    if not program.fits(shape):
        return
    to = (
        program.filled(shape, x.dtype, 1)
        if chance.random() < 0.5
        else program.argument(shape, x.dtype)
    )
    (written,) = program.generic(
        [x],
        [loops(x.rank)],
        [to],
        dims,
        [False] * x.rank,
        lambda body, a, old: a,
    )
    elementwise(chance, program, written)


# How often each is tried.
def gathered(chance, program, x):
    """What `x` has at computed places along its first dimensions."""
    if x.rank == 0:
        return
    computed = chance.randrange(1, x.rank + 1)
    lead = tuple(
        chance.choices((1, 2, 3, 4, 7, 16, 33), k=chance.choice([1, 2]))
    )
    shape = (*lead, *x.shape[computed:])
    if not program.fits(shape) or 0 in x.shape:
        return
    places = program.argument(lead, "i64")

    def compute(body, place):
        indices = []
        for extent in x.shape[:computed]:
            rest = body.let(
                f"arith.remui {place}, {body.constant(extent, 'i64')} : i64"
            )
            indices.append(body.let(f"arith.index_cast {rest} : i64 to index"))
        indices += [
            body.let(f"linalg.index {i} : index")
            for i in range(len(lead), len(shape))
        ]
        return body.let(
            f"tensor.extract {x.name}[{', '.join(indices)}] : {x.type}"
        )

    _map(program, [places], [loops(len(lead))], shape, x.dtype, compute)


WEIGHTS = {
    elementwise: 3,
    pairwise: 4,
    broadcast: 3,
    reduction: 5,
    transpose: 2,
    cast: 2,
    pad: 1,
    extract: 1,
    insert: 1,
    collapse: 1,
    expand: 1,
    two_results: 1,
    softmax: 2,
    variance: 2,
    by_index: 1,
    update: 1,
    affine_read: 1,
    ordered: 2,
    partial_write: 1,
}
