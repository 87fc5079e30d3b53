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
    rows = "bmn"[-len(x.shape):-1]
    axis = len(x.shape) - 1
    most = f.reduce(x, [axis], "arith.maximumf", _SMALLEST)
    power = f.elementwise(
        [x, (most, rows)], "f32",
        lambda s, v, m: s.op("math.exp", s.op("arith.subf", v, m)))
    total = f.reduce(power, [axis], "arith.addf", "0.0")
    return f.elementwise([power, (total, rows)], x.dtype,
                         lambda s, v, t: s.op("arith.divf", v, t))


def layer_norm(f, x):
    """With a gain and a bias, inputs of x's type."""
    columns = x.shape[1]
    total = f.reduce(x, [1], "arith.addf", "0.0")

    def center(s, v, t):
        return s.op("arith.subf", v, s.scale(t, 1 / columns))

    def square(s, v, t):
        difference = center(s, v, t)
        return s.mul(difference, difference)
    squares = f.reduce(f.elementwise([x, (total, "m")], "f32", square), [1],
                       "arith.addf", "0.0")

    def normal(s, v, t, q, gain, bias):
        variance = s.add(s.scale(q, 1 / columns), s.constant(1e-5))
        value = s.mul(center(s, v, t), s.op("math.rsqrt", variance))
        return s.add(s.mul(value, gain), bias)
    gain, bias = (f.input(columns, dtype=x.dtype) for _ in range(2))
    return f.elementwise([x, (total, "m"), (squares, "m"), (gain, "n"),
                          (bias, "n")], x.dtype, normal)


def build(shape, dtype, compute):
    """compute(function, input) of one input."""
    f = Function()
    f.result(compute(f, f.input(*shape, dtype=dtype)))
    return f


def row_cases():
    for name, compute in (("softmax", softmax), ("layer-norm", layer_norm)):
        for rows, columns, dtype in (
                (1, 8, "f16"), (7, 128, "bf16"), (1000, 49, "f16"),
                (333, 768, "f16"), (33, 1000, "bf16"), (129, 77, "f32"),
                (17, 12288, "bf16"), (5, 30522, "f32"), (3, 30521, "f16")):
            yield (f"{name}/{rows}x{columns}-{dtype}",
                   build((rows, columns), dtype, compute))
    yield "softmax/5x33x130-f16", build((5, 33, 130), "f16", softmax)


def transpose_cases():
    for shape, order, dtypes in (
            ((257, 129), (1, 0), ("f16", "bf16", "f32")),
            ((1024, 1032), (1, 0), ("f16", "f32")), ((9, 1000), (1, 0), ["f16"]),
            ((5, 33, 65), (0, 2, 1), ["f16"]),
            ((2, 3, 53, 51), (0, 2, 3, 1), ["f32"]),
            ((4, 24, 7, 9), (0, 3, 1, 2), ["f16"]),
            ((3, 12, 17, 64), (0, 2, 1, 3), ["bf16"])):
        for dtype in dtypes:
            name = "x".join(map(str, shape)) + "-" + "".join(map(str, order))
            yield (f"transpose/{name}-{dtype}",
                   build(shape, dtype, lambda f, x, order=order:
                         f.transpose(x, order)))


def sum_cases():
    for shape, axes, dtype in (
            ((333, 301), [0], "f32"), ((4096, 1024), [0], "f32"),
            ((333, 776), [0], "f16"), ((2050, 33), [0], "bf16"),
            ((333, 301), [1], "f32"), ((1025, 12289), [1], "f16"),
            ((5, 77, 33), [1], "f32"), ((4, 24, 7, 7), [0, 2, 3], "f32"),
            ((3, 50, 9), [0, 1], "f16")):
        name = ("x".join(map(str, shape)) + "-" + "".join(map(str, axes)))
        yield (f"sum/{name}-{dtype}",
               build(shape, dtype, lambda f, x, axes=axes:
                     f.reduce(x, axes, "arith.addf", "0.0")))


def elementwise_cases():
    def gelu(f, x):
        bias, column = f.input(77, dtype=x.dtype), f.input(33, dtype=x.dtype)
        return f.elementwise(
            [x, (bias, "n"), (column, "m")], x.dtype,
            lambda s, v, b, c: s.mul(s.gelu_tanh(s.add(v, b)), c))
    for dtype in ("f16", "bf16", "f32"):
        yield f"bias-gelu-{dtype}", build((33, 77), dtype, gelu)
    for size in (1, 7, 1001, 70000):
        yield (f"silu-{size}", build((size,), "f16", lambda f, x: f.elementwise(
            [x], "f16", lambda s, v: s.silu(v))))
    for source, target in (("f16", "f32"), ("f32", "f16"), ("bf16", "f32"),
                           ("f32", "bf16"), ("bf16", "f16")):
        yield (f"cast/{source}-to-{target}",
               build((33, 1001), source, lambda f, x, target=target:
                     f.cast(x, target)))


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
    s = f.elementwise([f.product(q, k, transpose_rhs=True)], "f16",
                      lambda s, v: s.scale(v, 0.125))
    f.result(f.cast(f.product(softmax(f, s), v), "f16"))
    yield "attention", f

    # What they read and write is read by several, and they are first and last.
    def product(f, x, columns, dtype="f16", **kwargs):
        weights = f.input(*x.shape[:-2], x.shape[-1], columns, dtype=x.dtype)
        return f.cast(f.product(x, weights, **kwargs), dtype)

    f = Function()
    x = product(f, layer_norm(f, f.input(333, 136)), 264)
    n = layer_norm(f, x)
    y = f.elementwise([f.product(n, f.input(264, 264)), (x, "mn"), (n, "mn")],
                      "f16", lambda s, v, x, n: s.add(s.add(v, x), n))
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
    shares = f.elementwise([h, (total, "n")], "f16",
                           lambda s, v, t: s.op("arith.subf", v,
                                                s.scale(t, 1 / 700)))
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
    y = f.elementwise([parts[0], (parts[1], "mn")], "f16",
                      lambda s, a, b: s.mul(a, s.silu(b)))
    f.result(product(f, y, 72, tiling=Tiling(128, 64, cluster_m=2)))
    yield "product-halves-product", f


def all_cases():
    for family in (row_cases, transpose_cases, sum_cases, elementwise_cases):
        for name, function in family():
            yield make_case(f"memory/{name}", function, modes=_ALONE)
    for name, function in between_cases():
        yield make_case(f"memory/{name}", function)
