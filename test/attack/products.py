"""Steps of random programs beside those of emulated.steps: products, and what
names a whole computation."""

from emulated import steps
from emulated.program import loops
from gpu.ir import tensor

_EXTENTS = (1, 2, 5, 8, 16, 17, 33, 64)
_FLOATS = ("f16", "bf16", "f32")


def product(chance, program, x):
    """Of matrices, or of batches of them, the second one stored by rows or by
    columns. Sums are in f32, or rounded to a narrower type at their end; some
    factors have been widened to f32."""
    if x.rank not in (2, 3) or x.dtype not in _FLOATS:
        return
    columns = chance.choice(_EXTENTS)
    *batch, rows, inner = x.shape
    shape = (*batch, rows, columns)
    by_columns = chance.random() < 0.5
    factor = (*batch, *((columns, inner) if by_columns else (inner, columns)))
    if not program.fits(shape) or not program.fits(factor):
        return
    known = program.like(factor, x.dtype)
    other = (
        chance.choice(known)
        if known and chance.random() < 0.5
        else program.argument(factor, x.dtype)
    )
    rounded = x.dtype
    if x.dtype != "f32" and chance.random() < 0.2:
        x, other = (
            _converted(program, factor, "extf", "f32") for factor in (x, other)
        )
    dtype = x.dtype if chance.random() < 0.3 else "f32"
    start = program.filled(shape, dtype, 0)
    name = "linalg.batch_matmul" if batch else "linalg.matmul"
    maps = f" indexing_maps = {_maps(bool(batch))}" if by_columns else ""
    made = program.op(
        f"{name}{maps} ins({x.name}, {other.name} : {x.type}, {other.type}) "
        f"outs({start.name} : {start.type}) -> {start.type}",
        shape,
        dtype,
    )
    if rounded != dtype:
        _converted(program, made, "truncf", rounded)


def _converted(program, x, operation, dtype):
    return program.generic(
        [x],
        [loops(x.rank)],
        [program.empty(x.shape, dtype)],
        loops(x.rank),
        [False] * x.rank,
        lambda body, a, _: body.let(
            f"arith.{operation} {a} : {x.dtype} to {dtype}"
        ),
    )[0]


def _maps(batch):
    """Those of a product whose second factor is stored by columns."""
    first = "b, " if batch else ""
    return (
        "["
        + ", ".join(
            f"affine_map<({first}m, n, k) -> ({first}{dims})>"
            for dims in ("m, k", "n, k", "m, n")
        )
        + "]"
    )


def chain_of_products(chance, program, x):
    """Each one of the result of the one before, mostly of few rows."""
    if chance.random() < 0.7:
        shape = chance.choice((1, 1, 2, 8)), chance.choice(_EXTENTS)
        if program.fits(shape):
            x = program.argument(shape, chance.choice(_FLOATS))
    for _ in range(chance.choice([2, 3])):
        before = len(program.values)
        product(chance, program, x)
        if len(program.values) > before:
            x = program.values[-1]


def softmax(chance, program, x):
    if x.rank == 0 or x.dtype not in _FLOATS:
        return
    dim = chance.choice([x.rank - 1, x.rank - 1, chance.randrange(x.rank)])
    to = program.empty(x.shape, x.dtype)
    program.op(
        f"linalg.softmax dimension({dim}) ins({x.name} : {x.type}) "
        f"outs({to.name} : {to.type}) -> {to.type}",
        x.shape,
        x.dtype,
    )


def drop_dimensions(chance, program, x):
    """A slice without some of the dimensions of which it has one element."""
    if x.rank < 2:
        return
    sizes = [extent if chance.random() < 0.5 else 1 for extent in x.shape]
    offsets = [
        chance.randrange(extent - size + 1)
        for extent, size in zip(x.shape, sizes)
    ]
    shape = tuple(size for size in sizes if size != 1 or chance.random() < 0.3)
    program.op(
        f"tensor.extract_slice {x.name}{offsets} {sizes} "
        f"{[1] * x.rank} : {x.type} to {tensor(shape, x.dtype)}",
        shape,
        x.dtype,
    )


def flatten(chance, program, x):
    """All dimensions, or all but the last or the first."""
    if x.rank < 2:
        return
    last = chance.choice([x.rank, x.rank - 1])
    groups = [list(range(last))] + [[i] for i in range(last, x.rank)]
    size = 1
    for extent in x.shape[:last]:
        size *= extent
    shape = (size, *x.shape[last:])
    program.op(
        f"tensor.collapse_shape {x.name} {groups} : {x.type} into "
        f"{tensor(shape, x.dtype)}",
        shape,
        x.dtype,
    )


def unit_dimension(chance, program, x):
    if not 0 < x.rank < 5:
        return
    i = chance.randrange(x.rank)
    groups = [
        [j] if j < i else [j, j + 1] if j == i else [j + 1]
        for j in range(x.rank)
    ]
    shape = (
        x.shape[:i]
        + ((1, x.shape[i]) if chance.random() < 0.5 else (x.shape[i], 1))
        + x.shape[i + 1 :]
    )
    program.op(
        f"tensor.expand_shape {x.name} {groups} output_shape "
        f"{list(shape)} : {x.type} into {tensor(shape, x.dtype)}",
        shape,
        x.dtype,
    )


def element(chance, program, x):
    """One element, without dimensions; of that, a tensor that has some."""
    if x.rank == 0:
        shape = (1,) * chance.choice([1, 2])
        program.op(
            f"tensor.expand_shape {x.name} [] output_shape "
            f"{list(shape)} : {x.type} into {tensor(shape, x.dtype)}",
            shape,
            x.dtype,
        )
        return
    ones = (1,) * x.rank
    if x.shape != ones:
        offsets = [chance.randrange(extent) for extent in x.shape]
        x = program.op(
            f"tensor.extract_slice {x.name}{offsets} {list(ones)} "
            f"{list(ones)} : {x.type} to {tensor(ones, x.dtype)}",
            ones,
            x.dtype,
        )
    program.op(
        f"tensor.collapse_shape {x.name} [] : {x.type} into "
        f"{tensor((), x.dtype)}",
        (),
        x.dtype,
    )


_VIEWS = (
    steps.extract,
    steps.collapse,
    steps.expand,
    drop_dimensions,
    flatten,
    unit_dimension,
    element,
)


def chain_of_views(chance, program, x):
    """Slices and reshapes of one another, and what reads the last."""
    for view in chance.choices(_VIEWS, k=chance.choice([2, 3])):
        before = len(program.values)
        view(chance, program, x)
        if len(program.values) > before:
            x = program.values[-1]
    chance.choice([steps.elementwise, steps.reduction, product])(
        chance, program, x
    )


WEIGHTS = {
    **steps.WEIGHTS,
    product: 4,
    softmax: 2,
    drop_dimensions: 2,
    flatten: 1,
    unit_dimension: 1,
    element: 1,
    chain_of_views: 2,
    chain_of_products: 3,
}
