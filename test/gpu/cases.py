"""The table of cases: what each checks, and its function.

Rows of factors start at multiples of 16 bytes in memory, so last dimensions are
multiples of 8; all other extents are as ragged as can be.
"""

import dataclasses

from .ir import Function, Tiling

# Modes by edge, under names of their own: the mode, and what the second, third,
# ... kernel of a chain has instead.
BY_EDGE = {
    "by-edge-1": ("overlap", "pdl,overlap,pdl,overlap"),
    "by-edge-2": ("pdl", "overlap,pdl,serial,overlap"),
    "by-edge-3": ("overlap", "serial,overlap,overlap,pdl"),
}

# By rows: what a tile needs by way of consumer warpgroups is 1, 2, 3 and 2.
TILE_ROWS = (64, 128, 192, 256)


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    text: str
    # How many products, each of which becomes at most one kernel.
    products: int
    # A regular expression for the diagnostic, if the compiler must refuse it.
    refusal: str = ""
    # A tile is left out, so that others wait for ever; the run must fail with
    # what they wait for.
    stalls: bool = False
    # The modes that it is for; all if there are none.
    modes: tuple = ()


def make_case(name, function, refusal="", stalls=False, modes=()):
    return Case(
        name, function.text(), function.products, refusal, stalls, modes
    )


# ===----------------------------------------------------------------------===#
# One kernel
# ===----------------------------------------------------------------------===#


def one_product(m, n, k, dtype="f16", result="f16", tiling=None, **transposes):
    """x w, with either operand stored transposed."""
    f = Function()
    x = f.input(
        *((k, m) if transposes.get("transpose_lhs") else (m, k)), dtype=dtype
    )
    w = f.input(
        *((n, k) if transposes.get("transpose_rhs") else (k, n)), dtype=dtype
    )
    f.result(f.cast(f.product(x, w, tiling=tiling, **transposes), result))
    return f


def product_cases():
    shapes = [
        (1, 8, 8),
        (1, 64, 64),
        (63, 72, 40),
        (64, 64, 64),
        (65, 200, 136),
        (129, 136, 72),
        (257, 264, 200),
        (1000, 1000, 1000),
        (301, 2056, 328),
    ]
    for m, n, k in shapes:
        yield make_case(f"product/{m}x{n}x{k}", one_product(m, n, k))
    for dtype in ("f16", "bf16"):
        for result in ("f16", "bf16", "f32"):
            yield make_case(
                f"product/{dtype}-to-{result}",
                one_product(131, 200, 136, dtype, result),
            )
    # Results that TMA cannot store.
    for m, n, k in ((1, 77, 64), (65, 1003, 136), (300, 50257, 72)):
        for result in ("f16", "bf16", "f32"):
            yield make_case(
                f"direct/{m}x{n}-{result}",
                one_product(m, n, k, result=result, transpose_rhs=True),
            )
    for tiling in (Tiling(64, 16), Tiling(192, 80), Tiling(128, 256)):
        yield make_case(
            f"direct/{tiling.m}x{tiling.n}",
            one_product(333, 409, 200, tiling=tiling, transpose_rhs=True),
        )
    for m in TILE_ROWS:
        for n in (16, 80, 128, 192, 256):
            # More columns than registers allow beside so many rows.
            if n > 192 and m > 128:
                continue
            yield make_case(
                f"tiling/{m}x{n}",
                one_product(333, 408, 200, tiling=Tiling(m, n)),
            )
    # Many tiles for each block.
    yield make_case(
        "tiling/many-tiles", one_product(2050, 2056, 72, tiling=Tiling(64, 16))
    )
    yield make_case(
        "tiling/long-step",
        one_product(333, 408, 456, tiling=Tiling(128, 128, k=128, stages=2)),
    )
    yield make_case(
        "tiling/many-stages",
        one_product(333, 408, 1032, tiling=Tiling(64, 64, stages=12)),
    )
    for lhs in (False, True):
        for rhs in (False, True):
            if lhs or rhs:
                name = "-".join(["lhs"] * lhs + ["rhs"] * rhs)
                yield make_case(
                    f"transposed/{name}",
                    one_product(
                        328, 200, 136, transpose_lhs=lhs, transpose_rhs=rhs
                    ),
                )
                yield make_case(
                    f"transposed/{name}-192",
                    one_product(
                        328,
                        200,
                        136,
                        transpose_lhs=lhs,
                        transpose_rhs=rhs,
                        tiling=Tiling(192, 80),
                    ),
                )


def one_epilogue(
    inputs, compute, m=201, n=264, k=136, dtype="f16", result="f16", tiling=None
):
    """compute(scalars, product, *elements) with inputs of (shape, dims[,
    dtype])."""
    f = Function()
    x = f.input(m, k, dtype=dtype)
    w = f.input(k, n, dtype=dtype)
    operands = [f.product(x, w, tiling=tiling)]
    for shape, dims, *own in inputs:
        operands.append((f.input(*shape, dtype=own[0] if own else dtype), dims))
    f.result(f.elementwise(operands, result, compute))
    return f


def gated(m, hidden, inner, dtype="f16", bias=False, tiling=None):
    """silu(x wg) * (x wu): two products of one lhs, one kernel."""
    f = Function()
    x = f.input(m, hidden, dtype=dtype)
    gate, up = (
        f.product(x, f.input(hidden, inner, dtype=dtype), tiling=tiling)
        for _ in range(2)
    )
    operands = [gate, up]
    if bias:
        operands.append((f.input(inner, dtype=dtype), "n"))

    def compute(scalars, a, b, *c):
        value = scalars.mul(scalars.silu(a), b)
        return scalars.add(value, c[0]) if c else value

    return f, f.elementwise(operands, dtype, compute)


def gated_cases():
    for name, options in (
        ("f16", {}),
        ("bf16", {"dtype": "bf16"}),
        ("bias", {"bias": True}),
        ("64x80", {"tiling": Tiling(64, 80)}),
        ("128x96", {"tiling": Tiling(128, 96)}),
        ("192x64", {"tiling": Tiling(192, 64)}),
    ):
        f, h = gated(201, 136, 328, **options)
        f.result(h)
        yield make_case(f"gated/{name}", f)
    f, h = gated(201, 136, 328)
    f.result(f.cast(f.product(h, f.input(328, 136)), "f16"))
    yield make_case("gated/mlp", f)


def batch_cases():
    def build(x, w, residual=None, **options):
        f = Function()
        operands = [f.product(f.input(*x), f.input(*w), **options)]
        if residual:
            operands.append((f.input(*residual[0]), residual[1]))
        f.result(
            f.elementwise(
                operands, "f16", lambda s, v, *r: s.add(v, r[0]) if r else v
            )
        )
        return f

    lhs, rhs = (5, 70, 72), (5, 72, 104)
    yield make_case("batch/plain", build(lhs, rhs))
    yield make_case("batch/shared-rhs", build(lhs, (72, 104)))
    yield make_case(
        "batch/transposed-lhs", build((5, 72, 72), rhs, transpose_lhs=True)
    )
    yield make_case(
        "batch/transposed-rhs", build(lhs, (5, 104, 72), transpose_rhs=True)
    )
    yield make_case("batch/residual", build(lhs, rhs, ((5, 70, 104), "bmn")))
    yield make_case("batch/shared-residual", build(lhs, rhs, ((70, 104), "mn")))
    yield make_case("batch/bias", build(lhs, rhs, ((104,), "n")))
    yield make_case("batch/batch-bias", build(lhs, rhs, ((5, 104), "bn")))
    yield make_case(
        "batch/256x64", build((5, 300, 72), rhs, tiling=Tiling(256, 64))
    )


# ===----------------------------------------------------------------------===#
# Chains
# ===----------------------------------------------------------------------===#


def chain(
    m, sizes, dtype="f16", result="f16", activation="gelu_tanh", tilings=None
):
    """x w1 ... wn, with an activation after every product but the last."""
    f = Function()
    value = f.input(m, sizes[0], dtype=dtype)
    last = len(sizes) - 2
    for i, (k, n) in enumerate(zip(sizes, sizes[1:])):
        product = f.product(
            value,
            f.input(k, n, dtype=dtype),
            tiling=tilings[i] if tilings else None,
        )
        value = (
            f.cast(product, result)
            if i == last
            else f.elementwise(
                [product], dtype, lambda s, v: getattr(s, activation)(v)
            )
        )
    f.result(value)
    return f


# Tiles whose rows are staged in parts of an odd multiple of 16 bytes, in f32 of a
# power of two; the last ones fill shared memory with stages, so that results are
# staged in those.
STAGED = {
    "80": Tiling(128, 80),
    "112": Tiling(128, 112),
    "240": Tiling(64, 240),
    "24-of-96": Tiling(64, 96, split_k=4),
    "72-of-144": Tiling(128, 144, split_k=2),
    "kept": Tiling(128, 80, stages=8),
    "kept-tall": Tiling(256, 112, stages=4),
    "kept-deep": Tiling(64, 64, k=128, stages=7),
    "kept-rhs-shared": Tiling(256, 96, stages=8, cluster_m=2),
    "kept-steps-shared": Tiling(128, 80, stages=7, split_k=2),
}


def staged_cases():
    for name, tiling in STAGED.items():
        for result in ("f16", "f32"):
            yield make_case(
                f"staged/{name}-{result}",
                one_product(520, 776, 1064, result=result, tiling=tiling),
            )
        yield make_case(
            f"staged/{name}-transposed",
            one_product(
                520,
                776,
                1064,
                tiling=tiling,
                transpose_lhs=True,
                transpose_rhs=True,
            ),
        )
    yield make_case(
        "staged/kept-swapped",
        one_product(
            520, 776, 1064, tiling=Tiling(80, 128, stages=8, swap_ab=True)
        ),
    )


def chain_cases():
    for m, sizes in (
        (1, (64, 128, 64)),
        (65, (72, 200, 136)),
        (1000, (264, 520, 1032)),
        (2050, (328, 776, 392)),
        (70, (136, 72, 264, 200)),
        (1025, (520, 264, 520, 776)),
    ):
        name = "x".join(map(str, (m, *sizes)))
        yield make_case(f"chain/{name}", chain(m, sizes))
    for dtype, result in (("f16", "f32"), ("bf16", "bf16"), ("bf16", "f32")):
        yield make_case(
            f"chain/{dtype}-to-{result}",
            chain(333, (136, 328, 200), dtype, result),
        )


def f32_cases():
    """Products of f32, which become products of bf16."""
    for m, n, k in ((1, 8, 8), (65, 200, 136), (257, 264, 1036)):
        yield make_case(f"f32/{m}x{n}x{k}", one_product(m, n, k, "f32", "f32"))
    for lhs, rhs in ((True, False), (False, True), (True, True)):
        name = "-".join(["lhs"] * lhs + ["rhs"] * rhs)
        yield make_case(
            f"f32/transposed-{name}",
            one_product(
                328,
                200,
                136,
                "f32",
                "f32",
                transpose_lhs=lhs,
                transpose_rhs=rhs,
            ),
        )
    yield make_case("f32/chain", chain(333, (136, 328, 200), "f32", "f32"))
    # Sums in steps, of all, of a part of them, and of those of a block.
    for name, tiling in (
        ("128x192", Tiling(128, 192)),
        ("192x128", Tiling(192, 128)),
        ("256x96", Tiling(256, 96)),
        ("long-step", Tiling(128, 128, k=128, stages=2)),
        ("multicast", Tiling(256, 128, cluster_m=2)),
        ("split", Tiling(128, 128, split_k=2)),
        ("stream", Tiling(128, 128, stream_k=3, tail=1)),
    ):
        yield make_case(
            f"f32/{name}",
            one_product(333, 408, 1000, "f32", "f32", tiling=tiling),
        )


def mixed_tiling_cases():
    """Tiles of different shapes in one chain: a block has as many consumer
    warpgroups as the largest needs, and some idle in the others."""
    for first in TILE_ROWS:
        for second in TILE_ROWS:
            yield make_case(
                f"mixed/{first}-{second}",
                chain(
                    600,
                    (136, 328, 200),
                    tilings=[Tiling(first, 96), Tiling(second, 128)],
                ),
            )
    # Steps of the second read parts of several tiles of the first, and the
    # other way round.
    for name, tilings in (
        ("narrow-wide", [Tiling(64, 48), Tiling(128, 192, k=128, stages=2)]),
        ("wide-narrow", [Tiling(128, 192), Tiling(64, 16)]),
        ("stages", [Tiling(64, 64, stages=2), Tiling(64, 64, stages=8)]),
    ):
        yield make_case(
            f"mixed/{name}", chain(600, (136, 328, 200), tilings=tilings)
        )
    yield make_case(
        "mixed/three",
        chain(
            600,
            (136, 328, 200, 264),
            tilings=[Tiling(64, 64), Tiling(256, 128), Tiling(192, 80)],
        ),
    )


# A tile for a cluster: rows and columns, who shares them, and who the steps.
CLUSTERS = {
    "rhs-shared": Tiling(256, 128, cluster_m=2),
    "rhs-shared-short-rows": Tiling(256, 96, cluster_m=2),
    "rhs-shared-tall": Tiling(512, 192, cluster_m=2),
    "rhs-shared-4": Tiling(256, 128, cluster_m=4),
    "lhs-shared": Tiling(128, 256, cluster_n=2),
    "lhs-shared-192": Tiling(192, 160, cluster_n=2),
    "lhs-shared-8": Tiling(64, 512, cluster_n=8),
    "both-shared": Tiling(256, 256, cluster_m=2, cluster_n=2),
    "steps-shared": Tiling(128, 192, split_k=2),
    "steps-shared-4": Tiling(64, 64, split_k=4),
    "steps-shared-8": Tiling(64, 128, split_k=8),
    "steps-shared-tall": Tiling(256, 64, split_k=2),
    # Parts of 8 columns, and of three times 8.
    "steps-shared-narrow": Tiling(64, 32, split_k=4),
    "steps-shared-narrow-8": Tiling(64, 64, split_k=8),
    "steps-shared-narrow-tall": Tiling(256, 16, split_k=2),
    "steps-shared-24": Tiling(64, 96, split_k=4),
    "rhs-and-steps-shared": Tiling(256, 128, cluster_m=2, split_k=2),
    "lhs-and-steps-shared": Tiling(128, 256, cluster_n=2, split_k=2),
}


def cluster_cases():
    for name, tiling in CLUSTERS.items():
        yield make_case(
            f"cluster/{name}", one_product(1000, 1016, 1064, tiling=tiling)
        )
        yield make_case(
            f"cluster/{name}-transposed",
            one_product(
                520,
                776,
                1064,
                tiling=tiling,
                transpose_lhs=True,
                transpose_rhs=True,
            ),
        )
    # A single tile, of whose columns the last block has none.
    yield make_case(
        "cluster/one-tile",
        one_product(40, 24, 520, tiling=Tiling(64, 32, split_k=4)),
    )
    yield make_case(
        "cluster/many-tiles",
        one_product(2050, 2056, 136, tiling=Tiling(64, 16, split_k=2)),
    )
    # More blocks than steps with something in them.
    yield make_case(
        "cluster/few-steps",
        one_product(
            333, 408, 200, result="f32", tiling=Tiling(64, 64, split_k=4)
        ),
    )
    yield make_case(
        "cluster/epilogue",
        one_epilogue(
            [((264,), "n"), ((201, 264), "mn")],
            lambda s, v, b, r: s.add(s.gelu_tanh(s.add(v, b)), r),
            k=1032,
            tiling=Tiling(128, 128, split_k=2),
        ),
    )
    for result in ("bf16", "f32"):
        yield make_case(
            f"cluster/narrow-{result}",
            one_product(
                333,
                408,
                1032,
                "bf16",
                result,
                tiling=CLUSTERS["steps-shared-narrow"],
            ),
        )
    yield make_case(
        "cluster/narrow-epilogue",
        one_epilogue(
            [((264,), "n"), ((201, 264), "mn")],
            lambda s, v, b, r: s.add(s.gelu_tanh(s.add(v, b)), r),
            k=1032,
            tiling=CLUSTERS["steps-shared-24"],
        ),
    )
    f = Function()
    f.result(
        f.cast(
            f.product(
                f.input(5, 70, 520),
                f.input(5, 520, 104),
                tiling=CLUSTERS["steps-shared-narrow"],
            ),
            "f16",
        )
    )
    yield make_case("cluster/narrow-batch", f)
    for name, tiling in (
        ("rhs", Tiling(256, 64, cluster_m=2)),
        ("steps", Tiling(128, 64, split_k=2)),
        ("narrow", CLUSTERS["steps-shared-narrow"]),
        ("both", Tiling(256, 96, cluster_m=2, split_k=2)),
    ):
        f, h = gated(401, 520, 776, tiling=tiling)
        f.result(h)
        yield make_case(f"cluster/gated-{name}", f)


def cluster_chain_cases():
    """Bodies of one kernel that share in different ways."""
    sizes = (264, 776, 520)
    for first in ("rhs-shared", "lhs-shared", "steps-shared"):
        for second in (
            "rhs-shared-short-rows",
            "lhs-shared-192",
            "steps-shared-tall",
        ):
            yield make_case(
                f"cluster-chain/{first}/{second}",
                chain(1000, sizes, tilings=[CLUSTERS[first], CLUSTERS[second]]),
            )
    yield make_case(
        "cluster-chain/four-blocks",
        chain(
            1000,
            sizes,
            tilings=[CLUSTERS["rhs-and-steps-shared"], CLUSTERS["both-shared"]],
        ),
    )
    yield make_case(
        "cluster-chain/narrow",
        chain(
            333,
            sizes,
            tilings=[
                CLUSTERS["steps-shared-narrow"],
                CLUSTERS["steps-shared-24"],
            ],
        ),
    )
    yield make_case(
        "cluster-chain/three",
        chain(
            2050,
            (264, 776, 520, 392),
            tilings=[
                Tiling(128, 64, split_k=2),
                Tiling(384, 128, cluster_m=2),
                Tiling(128, 128, cluster_n=2),
            ],
        ),
    )


# A kernel for each product.
APART = ("serial", "pdl", "overlap", *BY_EDGE)


def cluster_size_cases():
    """Kernels of their own with clusters of different sizes: a tile that waits
    counts the blocks of those that it waits for."""
    sizes = (264, 776, 520)
    alone = Tiling(128, 128)
    for first, second in (
        ("steps-shared", None),
        (None, "steps-shared"),
        ("steps-shared-4", "rhs-shared"),
        ("lhs-shared", "both-shared"),
        ("both-shared", "steps-shared-8"),
    ):
        yield make_case(
            f"cluster-sizes/{first or 'alone'}/{second or 'alone'}",
            chain(
                1000,
                sizes,
                tilings=[
                    CLUSTERS.get(first, alone),
                    CLUSTERS.get(second, alone),
                ],
            ),
            modes=APART,
        )
    yield make_case(
        "cluster-sizes/three",
        chain(
            2050,
            (264, 776, 520, 392),
            tilings=[
                CLUSTERS["rhs-shared"],
                Tiling(64, 80),
                CLUSTERS["steps-shared-4"],
            ],
        ),
        modes=APART,
    )
    # An epilogue waits for the kernel before the one before.
    yield make_case(
        "cluster-sizes/residual",
        residual_inside(
            m=1000,
            tilings=[
                CLUSTERS["steps-shared"],
                Tiling(192, 80),
                CLUSTERS["lhs-shared"],
            ],
        ),
        modes=APART,
    )


# Tiles in parts: rows and columns, in how many, and of how many columns of tiles.
PARTS = {
    "one-column": Tiling(128, 192, stream_k=2, tail=1),
    "many": Tiling(64, 64, stream_k=6, tail=3),
    "all": Tiling(192, 128, stream_k=3, tail=8),
    "tall": Tiling(256, 128, stream_k=4, tail=2),
    "narrow": Tiling(64, 16, stream_k=4, tail=5),
    "rhs-shared": Tiling(256, 128, cluster_m=2, stream_k=2, tail=2),
    "lhs-shared": Tiling(128, 256, cluster_n=2, stream_k=3, tail=1),
}


def part_cases():
    for name, tiling in PARTS.items():
        yield make_case(
            f"parts/{name}", one_product(1000, 1016, 1064, tiling=tiling)
        )
    yield make_case(
        "parts/transposed",
        one_product(
            520,
            776,
            1064,
            tiling=PARTS["many"],
            transpose_lhs=True,
            transpose_rhs=True,
        ),
    )
    # More tasks than places, so that tiles wait for parts that run.
    yield make_case(
        "parts/waves",
        one_product(
            2050,
            2056,
            1032,
            result="f32",
            tiling=Tiling(128, 128, stream_k=4, tail=5),
        ),
    )
    # The last part has fewer steps than the others; a single tile.
    yield make_case(
        "parts/few-steps",
        one_product(40, 24, 264, tiling=Tiling(64, 32, stream_k=3, tail=1)),
    )
    # Staging buffers in the ring of stages.
    yield make_case(
        "parts/staged-in-ring",
        one_product(
            600,
            776,
            1032,
            tiling=Tiling(256, 192, stages=4, stream_k=2, tail=2),
        ),
    )
    yield make_case(
        "parts/epilogue",
        one_epilogue(
            [((264,), "n"), ((201, 264), "mn")],
            lambda s, v, b, r: s.add(s.gelu_tanh(s.add(v, b)), r),
            k=1032,
            tiling=Tiling(128, 64, stream_k=4, tail=3),
        ),
    )
    f, h = gated(401, 520, 776, tiling=Tiling(128, 64, stream_k=3, tail=4))
    f.result(h)
    yield make_case("parts/gated", f)


def part_chain_cases():
    """Parts that wait for tiles of the kernel before, and tiles with parts that
    others wait for; warpgroups that are idle."""
    sizes = (264, 776, 520)
    alone = Tiling(64, 64)
    for name, tilings in (
        ("first", [Tiling(128, 64, stream_k=2, tail=4), alone]),
        ("second", [alone, Tiling(128, 96, stream_k=4, tail=3)]),
        (
            "both",
            [
                Tiling(192, 80, stream_k=2, tail=3),
                Tiling(64, 128, stream_k=5, tail=5),
            ],
        ),
    ):
        yield make_case(
            f"parts-chain/{name}", chain(1000, sizes, tilings=tilings)
        )
    yield make_case(
        "parts-chain/clusters",
        chain(
            1000, sizes, tilings=[CLUSTERS["steps-shared"], PARTS["rhs-shared"]]
        ),
    )
    yield make_case(
        "parts-chain/residual",
        residual_inside(
            m=1000,
            tilings=[
                Tiling(128, 128),
                alone,
                Tiling(128, 64, stream_k=3, tail=2),
            ],
        ),
    )


def through_rhs(transposed):
    """w h, with h made in the chain."""
    f = Function()
    m, n, rows = 264, 328, 201
    h = f.cast(f.product(f.input(m, 136), f.input(136, n)), "f16")
    w = f.input(rows, n if transposed else m)
    f.result(f.cast(f.product(w, h, transpose_rhs=transposed), "f16"))
    return f


def through_lhs_transposed():
    f = Function()
    h = f.cast(f.product(f.input(201, 136), f.input(136, 328)), "f16")
    f.result(f.cast(f.product(h, f.input(201, 72), transpose_lhs=True), "f16"))
    return f


def scores(batch=()):
    """(x wq) (x wk)^T: both factors are made in the chain."""
    f = Function()
    x = f.input(*batch, 328, 136)
    q, k = (f.cast(f.product(x, f.input(136, 72)), "f16") for _ in range(2))
    s = f.elementwise(
        [f.product(q, k, transpose_rhs=True)],
        "f16",
        lambda s, v: s.scale(v, 0.125),
    )
    f.result(s)
    return f


def attention():
    """Scores, then values: three batched products in a row."""
    f = Function()
    q, k, v = (f.input(12, rows, 72) for rows in (200, 328, 328))
    s = f.elementwise(
        [f.product(q, k, transpose_rhs=True)],
        "f16",
        lambda s, v: s.scale(v, 0.125),
    )
    y = f.cast(f.product(s, v), "f16")
    f.result(f.cast(f.product(y, q, transpose_lhs=True), "f16"))
    return f


def residual_inside(batch=(), transposed=False, m=201, tilings=(None,) * 3):
    """h = x w0; gelu(h w1) w2 + h: an epilogue reads what the chain made."""
    f = Function()
    hidden, inner = 264, 328
    if transposed:
        m = hidden
    x = f.input(*batch, m, 136)
    h = f.cast(f.product(x, f.input(136, hidden), tiling=tilings[0]), "f16")
    g = f.elementwise(
        [f.product(h, f.input(hidden, inner), tiling=tilings[1])],
        "f16",
        lambda s, v: s.gelu_tanh(v),
    )
    f.result(
        f.elementwise(
            [
                f.product(g, f.input(inner, hidden), tiling=tilings[2]),
                (h, "nm" if transposed else None),
            ],
            "f16",
            lambda s, v, r: s.add(v, r),
        )
    )
    return f


def independent(*tilings):
    """Products of which none reads another."""
    f = Function()
    x = f.input(1000, 264)
    for n, tiling in zip((520, 776, 392), tilings):
        f.result(f.cast(f.product(x, f.input(264, n), tiling=tiling), "f16"))
    return f


def gate_inside():
    """silu(x1 w1) * (x2 w2): products of different inputs, so that one is an
    epilogue input of the other."""
    f = Function()
    a = f.product(f.input(201, 136), f.input(136, 328))
    b = f.product(f.input(201, 72), f.input(72, 328))
    f.result(f.elementwise([a, b], "f16", lambda s, a, b: s.mul(s.silu(a), b)))
    return f


def fan_out(returned=False):
    """Three products read one, each its own way; it may be a result, too."""
    f = Function()
    h = f.elementwise(
        [f.product(f.input(264, 136), f.input(136, 328))],
        "f16",
        lambda s, v: s.silu(v),
    )
    f.result(f.cast(f.product(h, f.input(328, 72)), "f16"))
    f.result(f.cast(f.product(f.input(40, 264), h), "f32"))
    f.result(f.cast(f.product(h, f.input(264, 200), transpose_lhs=True), "f16"))
    if returned:
        f.result(h)
    return f


def fan_in():
    """A product and its epilogue read four others."""
    f = Function()
    x = f.input(264, 136)
    a = f.cast(f.product(x, f.input(136, 328)), "f16")
    b = f.cast(f.product(f.input(328, 72), f.input(72, 200)), "f16")
    c = f.cast(f.product(x, f.input(136, 200)), "f16")
    d = f.cast(f.product(f.input(264, 72), f.input(72, 200)), "f16")
    f.result(
        f.elementwise(
            [f.product(a, b), c, d],
            "f16",
            lambda s, v, c, d: s.add(s.mul(v, c), d),
        )
    )
    return f


def diamond():
    f = Function()
    h = f.cast(f.product(f.input(264, 136), f.input(136, 264)), "f16")
    a = f.elementwise(
        [f.product(h, f.input(264, 200))], "f16", lambda s, v: s.relu(v)
    )
    b = f.elementwise(
        [f.product(h, f.input(264, 200))], "f16", lambda s, v: s.silu(v)
    )
    f.result(
        f.elementwise(
            [f.product(a, b, transpose_rhs=True), h],
            "f16",
            lambda s, v, r: s.add(s.scale(v, 0.25), r),
        )
    )
    return f


def slices():
    """Queries and keys are halves of one product."""
    f = Function()
    h = f.cast(f.product(f.input(328, 136), f.input(136, 144)), "f16")
    q, k = (f.slice(h, (0, column), (328, 72)) for column in (0, 72))
    f.result(f.cast(f.product(q, k, transpose_rhs=True), "f16"))
    return f


def reshapes():
    """Rows become a batch, and a row of the batch no multiple of a tile."""
    f = Function()
    h = f.cast(f.product(f.input(350, 136), f.input(136, 72)), "f16")
    y = f.cast(f.product(f.split_rows(h, 5), f.input(5, 72, 104)), "f16")
    f.result(f.cast(f.product(f.join_rows(y), f.input(104, 200)), "f16"))
    return f


def graph_cases():
    for name, function in (
        ("through-rhs", through_rhs(transposed=False)),
        ("through-rhs-transposed", through_rhs(transposed=True)),
        ("through-lhs-transposed", through_lhs_transposed()),
        ("scores", scores()),
        ("scores-batch", scores(batch=(3,))),
        ("attention", attention()),
        ("residual-inside", residual_inside()),
        ("residual-inside-batch", residual_inside(batch=(3,))),
        ("residual-inside-transposed", residual_inside(transposed=True)),
        ("gate-inside", gate_inside()),
        (
            "independent",
            independent(Tiling(128, 128), Tiling(64, 80), Tiling(256, 64)),
        ),
        (
            "independent-clusters",
            independent(
                CLUSTERS["rhs-shared"],
                CLUSTERS["steps-shared-narrow-tall"],
                CLUSTERS["lhs-shared"],
            ),
        ),
        ("fan-out", fan_out()),
        ("fan-out-returned", fan_out(True)),
        ("fan-in", fan_in()),
        ("diamond", diamond()),
        ("slices", slices()),
        ("reshapes", reshapes()),
    ):
        yield make_case(f"graph/{name}", function)


# ===----------------------------------------------------------------------===#
# What must be refused
# ===----------------------------------------------------------------------===#


def refused_cases():
    yield make_case(
        "refused/row-alignment",
        one_product(64, 100, 64),
        "rows that start at multiples of 16 bytes",
    )
    for m, n in ((256, 256), (32, 64), (192, 256)):
        yield make_case(
            f"refused/{m}x{n}",
            one_product(333, 408, 200, tiling=Tiling(m, n)),
            "accumulators|needs blocks with",
        )
    yield make_case(
        "refused/shared-memory",
        one_product(333, 408, 200, tiling=Tiling(128, 192, k=192)),
        "shared memory",
    )


# ===----------------------------------------------------------------------===#
# What must not hang
# ===----------------------------------------------------------------------===#


def late_residual():
    """Only the second product's epilogue waits for the first."""
    f = Function()
    h = f.cast(f.product(f.input(264, 136), f.input(136, 200)), "f16")
    y = f.product(f.input(264, 72), f.input(72, 200))
    f.result(f.elementwise([y, h], "f16", lambda s, v, r: s.add(v, r)))
    return f


def stalling_cases():
    sizes = (264, 776, 520)
    for name, function in (
        ("factor", chain(1000, sizes)),
        ("epilogue", late_residual()),
        ("three", chain(1000, (264, 776, 520, 392))),
        (
            "cluster",
            chain(
                1000,
                sizes,
                tilings=[CLUSTERS["rhs-shared"], CLUSTERS["steps-shared-tall"]],
            ),
        ),
    ):
        yield make_case(
            f"stalls/{name}", function, stalls=True, modes=("persistent",)
        )


def all_cases():
    cases = []
    for family in (
        product_cases,
        gated_cases,
        batch_cases,
        staged_cases,
        cluster_cases,
        chain_cases,
        f32_cases,
        mixed_tiling_cases,
        cluster_chain_cases,
        cluster_size_cases,
        part_cases,
        part_chain_cases,
        graph_cases,
        refused_cases,
        stalling_cases,
    ):
        cases += family()
    return cases
