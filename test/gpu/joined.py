"""Cases of products that mode auto launches together: of one matrix, and of
several that do not depend on each other."""

from .cases import make_case
from .ir import Function


def joined(m, k, columns, dtype="f16", first=None, then=None, biased=True):
    """Products of one matrix, which `auto` launches together. That is computed
    from one of `first` columns, if so; and `then`, as many columns are computed
    from the first, and added to the last."""
    f = Function()
    x = f.input(m, first or k, dtype=dtype)
    if first:
        x = f.cast(f.product(x, f.input(first, k, dtype=dtype)), dtype)
    results = []
    for n in columns:
        y = f.product(x, f.input(n, k, dtype=dtype), transpose_rhs=True)
        operands = [y] + [(f.input(n, dtype=dtype), ("n",))] * biased
        results.append(
            f.elementwise(
                operands, dtype, lambda s, a, *b: s.add(a, *b) if b else a
            )
        )
    if then:
        z = f.product(results[0], f.input(columns[0], then, dtype=dtype))
        results[0] = f.elementwise(
            [z, results[-1]] if columns[-1] == then else [z],
            dtype,
            lambda s, a, *b: s.add(a, *b) if b else a,
        )
    for result in results:
        f.result(result)
    return f


def branches(m, widths, dtype="f16", shares=True):
    """Two products for each of `widths`, one of the other, and the sum of all.
    The first are of one matrix, if they are to share it, or of one each."""
    f = Function()
    x = f.input(m, 200, dtype=dtype)
    total = None
    for width in widths:
        hidden = f.cast(f.product(x, f.input(200, width, dtype=dtype)), dtype)
        y = f.product(hidden, f.input(width, 136, dtype=dtype))
        total = f.elementwise(
            [y] + [total] * (total is not None),
            dtype,
            lambda s, a, *b: s.add(a, *b) if b else a,
        )
        if not shares:
            x = f.input(m, 200, dtype=dtype)
    f.result(total)
    return f


def apart(batch, m, dtype="f16"):
    """A product, a batch of them, and a product with more rows."""
    f = Function()
    for shapes in (
        ((m, 264), (264, 72)),
        ((batch, m, 64), (batch, 64, 136)),
        ((m + 40, 512), (512, 328)),
    ):
        lhs, rhs = (f.input(*shape, dtype=dtype) for shape in shapes)
        f.result(f.cast(f.product(lhs, rhs), dtype))
    return f


def all_cases():
    for dtype in ("f16", "bf16"):
        yield make_case(
            f"joined/qkv-{dtype}", joined(512, 768, (768,) * 3, dtype)
        )
    for name, function in (
        ("grouped", joined(256, 1024, (1024, 256, 256))),
        ("ragged", joined(201, 264, (136, 72, 328))),
        ("two", joined(128, 512, (512, 512), biased=False)),
        ("many", joined(64, 256, (256,) * 9)),
        ("one-row", joined(1, 768, (768,) * 3)),
        ("branches", branches(130, (64, 256, 96))),
        ("branches-apart", branches(257, (72, 136), shares=False)),
        ("branches-bf16", branches(64, (512, 40, 64, 8), "bf16")),
        ("apart", apart(3, 77)),
        ("within", joined(300, 384, (384,) * 3, first=520, then=384)),
        (
            "within-bf16",
            joined(77, 256, (256, 128, 640), "bf16", first=136, then=200),
        ),
    ):
        yield make_case(f"joined/{name}", function)
