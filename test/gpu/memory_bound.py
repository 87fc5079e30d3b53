"""Memory-bound cases: what fuses into scop kernels, alone and between products.

Alone there is nothing to wait for, so one mode is enough. Extents are odd where
only products want otherwise.
"""

from .cases import make_case
from .ir import Function, Tiling

_SMALLEST = "0xFF800000"  # -inf
_ALONE = ("serial",)


def softmax(f, x):
    """Along the last of two or three dimensions."""
    rows = "bmn"[-len(x.shape) : -1]
    axis = len(x.shape) - 1
    most = f.reduce(x, [axis], "arith.maximumf", _SMALLEST)
    power = f.elementwise(
        [x, (most, rows)],
        "f32",
        lambda s, v, m: s.op("math.exp", s.op("arith.subf", v, m)),
    )
    total = f.reduce(power, [axis], "arith.addf", "0.0")
    return f.elementwise(
        [power, (total, rows)],
        x.dtype,
        lambda s, v, t: s.op("arith.divf", v, t),
    )


def layer_norm(f, x, affine=True):
    """With a gain and a bias, inputs of x's type, or without."""
    columns = x.shape[1]
    total = f.reduce(x, [1], "arith.addf", "0.0")

    def center(s, v, t):
        return s.op("arith.subf", v, s.scale(t, 1 / columns))

    def square(s, v, t):
        difference = center(s, v, t)
        return s.mul(difference, difference)

    squares = f.reduce(
        f.elementwise([x, (total, "m")], "f32", square),
        [1],
        "arith.addf",
        "0.0",
    )

    def normal(s, v, t, q, gain=None, bias=None):
        variance = s.add(s.scale(q, 1 / columns), s.constant(1e-5))
        value = s.mul(center(s, v, t), s.op("math.rsqrt", variance))
        return s.add(s.mul(value, gain), bias) if affine else value

    inputs = [(f.input(columns, dtype=x.dtype), "n") for _ in range(2 * affine)]
    return f.elementwise(
        [x, (total, "m"), (squares, "m"), *inputs], x.dtype, normal
    )


def build(shape, dtype, compute):
    """compute(function, input) of one input."""
    f = Function()
    f.result(compute(f, f.input(*shape, dtype=dtype)))
    return f


def row_cases():
    for name, compute in (("softmax", softmax), ("layer-norm", layer_norm)):
        for rows, columns, dtype in (
            (1, 8, "f16"),
            (7, 128, "bf16"),
            (1000, 49, "f16"),
            (333, 768, "f16"),
            (33, 1000, "bf16"),
            (129, 77, "f32"),
            (17, 12288, "bf16"),
            (5, 30522, "f32"),
            (3, 30521, "f16"),
        ):
            yield (
                f"{name}/{rows}x{columns}-{dtype}",
                build((rows, columns), dtype, compute),
            )
    yield "softmax/5x33x130-f16", build((5, 33, 130), "f16", softmax)


def row_sum(f, x):
    return f.reduce(x, [len(x.shape) - 1], "arith.addf", "0.0")


def row_mean(f, x):
    return f.elementwise(
        [row_sum(f, x)], "f32", lambda s, v: s.scale(v, 1 / x.shape[-1])
    )


def plain_layer_norm(f, x):
    return layer_norm(f, x, affine=False)


ROW_OPERATORS = {
    "softmax": softmax,
    "layer-norm": layer_norm,
    "plain-layer-norm": plain_layer_norm,
    "sum": row_sum,
    "mean": row_mean,
}


def odd_row_cases():
    """Rows that begin within a vector: their first and last one are masked."""
    for name, compute in ROW_OPERATORS.items():
        for rows, columns, dtype in (
            (1, 7, "f16"),
            (77, 7, "bf16"),
            (5, 3, "f16"),
            (1, 33, "bf16"),
            (513, 33, "f32"),
            (1000, 49, "f32"),
            (1, 1023, "f16"),
            (301, 1023, "bf16"),
            (300, 1023, "f32"),
            (8, 1023, "f16"),
            (4301, 8195, "f16"),
            (1, 30522, "f16"),
            (65, 30522, "bf16"),
            (64, 30521, "f32"),
            (3, 40003, "f16"),
            (2, 30524, "f32"),
        ):
            yield (
                f"odd-rows/{name}-{rows}x{columns}-{dtype}",
                build((rows, columns), dtype, compute),
            )
        # Parts of rows, the first at an odd element.
        for shape, offsets, sizes, dtype in (
            ((9, 1030), (1, 3), (8, 1024), "f16"),
            ((9, 1030), (0, 5), (7, 1023), "bf16"),
            ((40, 1031), (3, 1), (1, 1030), "f16"),
            ((300, 77), (1, 1), (299, 49), "f32"),
            ((33, 2064), (1, 2), (32, 2049), "f16"),
        ):
            f = Function()
            x = f.slice(f.input(*shape, dtype=dtype), offsets, sizes)
            f.result(compute(f, x))
            size, at = ("x".join(map(str, part)) for part in (sizes, offsets))
            yield f"odd-rows/{name}-{size}-at-{at}-{dtype}", f
    for shape, axes in (((3, 5, 33), [0, 2]), ((6, 700, 9), [0, 2])):
        yield (
            "odd-rows/sum-" + "x".join(map(str, shape)),
            build(
                shape,
                "f16",
                lambda f, x, axes=axes: f.reduce(x, axes, "arith.addf", "0.0"),
            ),
        )
    yield ("odd-rows/softmax-5x33x131-f16", build((5, 33, 131), "f16", softmax))


def transpose_cases():
    for shape, order, dtypes in (
        ((257, 129), (1, 0), ("f16", "bf16", "f32")),
        ((1024, 1032), (1, 0), ("f16", "f32")),
        ((9, 1000), (1, 0), ["f16"]),
        ((5, 33, 65), (0, 2, 1), ["f16"]),
        ((2, 3, 53, 51), (0, 2, 3, 1), ["f32"]),
        ((4, 24, 7, 9), (0, 3, 1, 2), ["f16"]),
        ((3, 12, 17, 64), (0, 2, 1, 3), ["bf16"]),
    ):
        for dtype in dtypes:
            name = "x".join(map(str, shape)) + "-" + "".join(map(str, order))
            yield (
                f"transpose/{name}-{dtype}",
                build(
                    shape,
                    dtype,
                    lambda f, x, order=order: f.transpose(x, order),
                ),
            )


def sum_cases():
    for shape, axes, dtype in (
        ((333, 301), [0], "f32"),
        ((4096, 1024), [0], "f32"),
        ((333, 776), [0], "f16"),
        ((2050, 33), [0], "bf16"),
        ((333, 301), [1], "f32"),
        ((1025, 12289), [1], "f16"),
        ((5, 77, 33), [1], "f32"),
        ((4, 24, 7, 7), [0, 2, 3], "f32"),
        ((3, 50, 9), [0, 1], "f16"),
    ):
        name = "x".join(map(str, shape)) + "-" + "".join(map(str, axes))
        yield (
            f"sum/{name}-{dtype}",
            build(
                shape,
                dtype,
                lambda f, x, axes=axes: f.reduce(x, axes, "arith.addf", "0.0"),
            ),
        )


def elementwise_cases():
    def gelu(f, x):
        bias, column = f.input(77, dtype=x.dtype), f.input(33, dtype=x.dtype)
        return f.elementwise(
            [x, (bias, "n"), (column, "m")],
            x.dtype,
            lambda s, v, b, c: s.mul(s.gelu_tanh(s.add(v, b)), c),
        )

    for dtype in ("f16", "bf16", "f32"):
        yield f"bias-gelu-{dtype}", build((33, 77), dtype, gelu)
    for size in (1, 7, 1001, 70000):
        yield (
            f"silu-{size}",
            build(
                (size,),
                "f16",
                lambda f, x: f.elementwise([x], "f16", lambda s, v: s.silu(v)),
            ),
        )
    for source, target in (
        ("f16", "f32"),
        ("f32", "f16"),
        ("bf16", "f32"),
        ("f32", "bf16"),
        ("bf16", "f16"),
    ):
        yield (
            f"cast/{source}-to-{target}",
            build(
                (33, 1001),
                source,
                lambda f, x, target=target: f.cast(x, target),
            ),
        )


def adam(f, shape):
    """One step, of a weight and its two moments."""
    weight, mean, square, gradient = (
        f.input(*shape, dtype="f32") for _ in range(4)
    )
    means = f.elementwise(
        [mean, gradient],
        "f32",
        lambda s, m, g: s.add(s.scale(m, 0.9), s.scale(g, 0.1)),
    )
    squares = f.elementwise(
        [square, gradient],
        "f32",
        lambda s, q, g: s.add(
            s.scale(s.mul(q, q), 0.999), s.scale(s.mul(g, g), 0.001)
        ),
    )
    f.result(
        f.elementwise(
            [weight, means, squares],
            "f32",
            lambda s, w, m, q: s.op(
                "arith.subf",
                w,
                s.scale(
                    s.op(
                        "arith.divf",
                        m,
                        s.add(s.op("math.sqrt", q), s.constant(1e-3)),
                    ),
                    0.01,
                ),
            ),
        )
    )
    f.result(means)
    f.result(squares)


def merged_cases():
    """Independent kernels, which share launches: of all sizes and types, and
    with other numbers of threads, shared memory and registers."""
    f = Function()
    for size, source, target in (
        (1, "f32", "f16"),
        (7, "f16", "f32"),
        (70000, "bf16", "f32"),
        (1001, "f32", "bf16"),
        (4096, "f16", "bf16"),
        (33, "f32", "f16"),
    ):
        f.result(f.cast(f.input(size, dtype=source), target))
    yield "small-casts", f

    f = Function()
    for size in range(7):
        f.result(f.cast(f.input(1 << 20, 2 + size, dtype="f32"), "f16"))
    yield "large-casts", f

    # More than one launch takes.
    f = Function()
    for size in range(70):
        f.result(f.cast(f.input(100 + 77 * size, dtype="f32"), "f16"))
    yield "many-casts", f

    f = Function()
    for size, value in ((1, "1.0"), (1000, "2.0"), (300000, "3.0")):
        f.result(f.fill([size], value))
    yield "fills", f

    # Everything is at work at once; then only some of it can be.
    for name, scale in (("few", 1), ("much", 24)):
        f = Function()
        rows = 96 * scale
        f.result(
            f.elementwise([f.input(rows, 77)], "f16", lambda s, v: s.silu(v))
        )
        f.result(f.transpose(f.input(rows + 1, 129), (1, 0)))
        f.result(
            f.reduce(f.input(rows, 1000, dtype="f32"), [1], "arith.addf", "0.0")
        )
        f.result(f.reduce(f.input(rows, 776), [0], "arith.maximumf", _SMALLEST))
        f.result(softmax(f, f.input(rows, 1000, dtype="bf16")))
        f.result(f.reduce(f.input(5, 512 * rows), [1], "arith.addf", "0.0"))
        f.result(layer_norm(f, f.input(3, 768)))
        f.result(f.transpose(f.input(2, rows, 51, dtype="f32"), (0, 2, 1)))
        f.result(f.cast(f.input(33, dtype="f32"), "bf16"))
        yield f"mappings-{name}", f

    f = Function()
    for shape in ((768, 3072), (3072,), (768,), (33, 1001), (1,)):
        adam(f, shape)
    yield "adam", f

    # Results that later kernels need: sums of two launches each, beside a chain
    # of transposes and what depends on nothing.
    f = Function()
    sums = [
        f.reduce(f.input(4096, 264), [0], "arith.addf", "0.0") for _ in range(2)
    ]
    x = f.transpose(f.input(264, 200), (1, 0))
    f.result(
        f.elementwise(
            [x, (sums[0], "n"), (sums[1], "n")],
            "f32",
            lambda s, v, a, b: s.add(s.mul(v, a), b),
        )
    )
    f.result(softmax(f, x))
    f.result(f.transpose(f.slice(x, (8, 0), (64, 264)), (1, 0)))
    f.result(f.cast(f.input(1001, dtype="f32"), "f16"))
    f.result(sums[1])
    yield "levels", f


def scatter_cases():
    """Keys and values of one token into caches with a place for each: stored by
    vectors, but for rows of 63 and for places of the last dimension. A place
    below 0 is outside."""
    for heads, places, size, dim in (
        (12, 100, 64, 2),
        (8, 33, 128, 2),
        (3, 50, 63, 2),
        (5, 24, 40, 3),
    ):
        for dtype in ("f16", "f32"):
            f = Function()
            row = [2, heads, places, size]
            caches = [f.input(*row, dtype=dtype) for _ in range(2)]
            del row[dim]
            place = f.input(1, 1, dtype="i64")
            for cache in caches:
                f.result(
                    f.scatter(f.input(1, *row, dtype=dtype), cache, place, dim)
                )
            yield f"{heads}x{places}x{size}-dim{dim}-{dtype}", f


def merged_product_cases():
    """The same around products, which are launches of their own."""
    f = Function()
    f.result(f.cast(f.input(1001, dtype="f32"), "f16"))
    x = layer_norm(f, f.input(333, 136))
    h = f.cast(f.product(x, f.input(136, 264)), "f16")
    f.result(softmax(f, h))
    f.result(f.transpose(f.input(264, 333), (1, 0)))
    f.result(f.reduce(h, [0], "arith.addf", "0.0"))
    yield "around-product", f


def between_cases():
    """Kernels before, between and after products."""
    f = Function()
    h = f.cast(f.product(f.input(333, 136), f.input(136, 264)), "f16")
    f.result(layer_norm(f, h))
    yield "product-layer-norm", f

    f = Function()
    x = layer_norm(f, f.input(333, 136))
    f.result(f.cast(f.product(x, f.input(136, 264)), "f16"))
    yield "layer-norm-product", f

    f = Function()
    h = f.cast(f.product(f.input(333, 136), f.input(136, 264)), "f16")
    f.result(f.cast(f.product(layer_norm(f, h), f.input(264, 200)), "f16"))
    yield "product-layer-norm-product", f

    f = Function()
    q, k, v = (f.input(12, rows, 72) for rows in (200, 328, 328))
    s = f.elementwise(
        [f.product(q, k, transpose_rhs=True)],
        "f16",
        lambda s, v: s.scale(v, 0.125),
    )
    f.result(f.cast(f.product(softmax(f, s), v), "f16"))
    yield "attention", f

    # What they read and write is read by several, and they are first and last.
    def product(f, x, columns, dtype="f16", **kwargs):
        weights = f.input(*x.shape[:-2], x.shape[-1], columns, dtype=x.dtype)
        return f.cast(f.product(x, weights, **kwargs), dtype)

    f = Function()
    x = product(f, layer_norm(f, f.input(333, 136)), 264)
    n = layer_norm(f, x)
    y = f.elementwise(
        [f.product(n, f.input(264, 264)), (x, "mn"), (n, "mn")],
        "f16",
        lambda s, v, x, n: s.add(s.add(v, x), n),
    )
    f.result(layer_norm(f, y))
    f.result(product(f, n, 72))
    yield "residual-block", f

    for dtype in ("bf16", "f32"):
        f = Function()
        h = product(f, f.input(1001, 72, dtype="bf16"), 1032, dtype)
        f.result(product(f, f.cast(softmax(f, h), "bf16"), 136, "bf16"))
        yield f"product-softmax-product-{dtype}", f

    # Blocks with parts of columns, tiles of two loops, and of elements.
    f = Function()
    h = product(f, f.input(700, 72), 520)
    total = f.reduce(h, [0], "arith.addf", "0.0")
    shares = f.elementwise(
        [h, (total, "n")],
        "f16",
        lambda s, v, t: s.op("arith.subf", v, s.scale(t, 1 / 700)),
    )
    f.result(product(f, shares, 136))
    yield "product-column-mean-product", f

    f = Function()
    h = product(f, f.input(3, 200, 72), 264)
    f.result(product(f, f.transpose(h, (0, 2, 1)), 136))
    f.result(f.transpose(h, (1, 2, 0)))
    yield "product-transposes-product", f

    f = Function()
    h = product(f, f.input(333, 72), 264, tiling=Tiling(128, 64, split_k=2))
    parts = [f.slice(h, offsets, (160, 264)) for offsets in ((0, 0), (171, 0))]
    y = f.elementwise(
        [parts[0], (parts[1], "mn")], "f16", lambda s, a, b: s.mul(a, s.silu(b))
    )
    f.result(product(f, y, 72, tiling=Tiling(128, 64, cluster_m=2)))
    yield "product-halves-product", f


def all_cases():
    for family in (
        row_cases,
        odd_row_cases,
        transpose_cases,
        sum_cases,
        elementwise_cases,
    ):
        for name, function in family():
            yield make_case(f"memory/{name}", function, modes=_ALONE)
    for name, function in merged_cases():
        yield make_case(f"memory/merged/{name}", function, modes=_ALONE)
    for name, function in scatter_cases():
        yield make_case(f"memory/scatter/{name}", function, modes=_ALONE)
    for name, function in merged_product_cases():
        yield make_case(f"memory/merged/{name}", function)
    for name, function in between_cases():
        yield make_case(f"memory/{name}", function)
