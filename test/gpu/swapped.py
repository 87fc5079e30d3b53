"""Cases of tilings with swapped operands: rhs is the first operand of matrix
instructions, so that a tile has any multiple of 8 rows."""

from .cases import (
    CLUSTERS,
    TILE_ROWS,
    chain,
    gated,
    make_case,
    one_epilogue,
    one_product,
)
from .ir import Function, Tiling


def swapped(m, n, **options):
    return Tiling(m, n, swap_ab=True, **options)


# A tile for a block or a cluster: who shares rows and columns, who the steps.
SWAPPED = {
    "rhs-shared": swapped(400, 128, cluster_m=2),
    "lhs-shared": swapped(112, 256, cluster_n=2),
    # Each of the blocks loads 8 of 16 rows for both, and 3 x 8 of 96 for four.
    "lhs-shared-narrow": swapped(16, 256, cluster_n=2),
    "lhs-shared-4": swapped(96, 512, cluster_n=4),
    "both-shared": swapped(160, 256, cluster_m=2, cluster_n=2),
    "steps-shared": swapped(208, 128, split_k=2),
    "steps-shared-8": swapped(64, 128, split_k=8),
    # Each block completes 24 of 48 rows.
    "steps-shared-24": swapped(48, 256, split_k=2),
    "lhs-and-steps-shared": swapped(96, 128, cluster_n=2, split_k=2),
    "parts": swapped(200, 128, stream_k=2, tail=3),
    "parts-rhs-shared": swapped(144, 192, cluster_m=2, stream_k=3, tail=2),
}


def swapped_cases():
    # By columns: what a tile needs of consumer warpgroups is 1, 2, 3 and 2.
    for n in TILE_ROWS:
        for m in (8, 40, 72, 128, 176, 192, 200, 256):
            if m > 192 and n > 128:
                continue
            yield make_case(
                f"swapped/{m}x{n}",
                one_product(333, 408, 200, tiling=swapped(m, n)),
            )
    for name, (m, n, k) in (
        ("one-row", (1, 136, 264)),
        ("one-tile", (5, 8, 8)),
        ("one-column-of-tiles", (1000, 24, 520)),
    ):
        yield make_case(
            f"swapped/{name}", one_product(m, n, k, tiling=swapped(8, 64))
        )
    yield make_case(
        "swapped/many-tiles",
        one_product(2050, 2056, 72, tiling=swapped(24, 64)),
    )
    yield make_case(
        "swapped/long-step",
        one_product(333, 408, 456, tiling=swapped(88, 128, k=128, stages=2)),
    )
    yield make_case(
        "swapped/staged-in-ring",
        one_product(600, 776, 1032, tiling=swapped(192, 256, stages=4)),
    )
    for result in ("f16", "bf16"):
        yield make_case(
            f"swapped/bf16-to-{result}",
            one_product(131, 200, 136, "bf16", result, tiling=swapped(72, 128)),
        )
    for lhs in (False, True):
        for rhs in (False, True):
            name = "-".join(["lhs"] * lhs + ["rhs"] * rhs) or "neither"
            for tiling in (
                swapped(72, 128),
                swapped(176, 192),
                swapped(96, 64),
            ):
                yield make_case(
                    f"swapped/transposed-{name}-{tiling.m}",
                    one_product(
                        328,
                        200,
                        136,
                        transpose_lhs=lhs,
                        transpose_rhs=rhs,
                        tiling=tiling,
                    ),
                )
    for name, tiling in SWAPPED.items():
        yield make_case(
            f"swapped/{name}", one_product(1000, 1016, 1064, tiling=tiling)
        )
        yield make_case(
            f"swapped/{name}-transposed",
            one_product(
                520,
                776,
                1064,
                tiling=tiling,
                transpose_lhs=True,
                transpose_rhs=True,
            ),
        )


def swapped_epilogue_cases():
    bias, column = ((264,), "n"), ((201,), "m")
    residual = ((201, 264), "mn")

    def compute(scalars, value, *others):
        value = scalars.gelu_tanh(value)
        for other in others:
            value = scalars.add(value, other)
        return value

    for name, inputs in (
        ("bias", [bias]),
        ("column", [column]),
        ("residual", [residual]),
        ("residual-f32", [(*residual, "f32")]),
        ("all", [bias, column, residual]),
    ):
        for tiling in (
            swapped(104, 128),
            swapped(40, 256),
            swapped(208, 64, split_k=2),
        ):
            yield make_case(
                f"swapped-epilogue/{name}-{tiling.m}x{tiling.n}",
                one_epilogue(inputs, compute, k=520, tiling=tiling),
            )
    # Pairs of rows are read at once.
    yield make_case(
        "swapped-epilogue/residual-transposed",
        one_epilogue(
            [((264, 208), "nm")], compute, m=208, tiling=swapped(72, 128)
        ),
    )
    for tiling in (
        swapped(40, 64),
        swapped(88, 128),
        swapped(64, 192),
        swapped(88, 256),
        swapped(176, 64, cluster_m=2),
        swapped(80, 128, split_k=2),
        swapped(104, 64, stream_k=2, tail=2),
    ):
        f, h = gated(201, 520, 328, bias=True, tiling=tiling)
        f.result(h)
        yield make_case(f"swapped-epilogue/gated-{tiling.m}x{tiling.n}", f)
    for name, rhs in (("plain", (5, 72, 104)), ("shared-rhs", (72, 104))):
        f = Function()
        f.result(
            f.elementwise(
                [
                    f.product(
                        f.input(5, 70, 72),
                        f.input(*rhs),
                        tiling=swapped(72, 64),
                    ),
                    (f.input(5, 70, 104), "bmn"),
                    (f.input(5, 104), "bn"),
                ],
                "f16",
                compute,
            )
        )
        yield make_case(f"swapped-epilogue/batch-{name}", f)


def swapped_chain_cases():
    """Swapped operands and others in one chain, and in one kernel."""
    sizes = (264, 776, 520)
    for name, tilings in (
        ("both", [swapped(104, 128), swapped(176, 64)]),
        ("first", [swapped(200, 128), Tiling(128, 80)]),
        ("second", [Tiling(64, 48), swapped(72, 192)]),
        ("third", [Tiling(256, 192, stages=4), swapped(192, 256)]),
        ("clusters", [SWAPPED["lhs-shared"], CLUSTERS["rhs-shared"]]),
        ("steps", [CLUSTERS["steps-shared"], SWAPPED["steps-shared-24"]]),
        ("parts", [SWAPPED["parts"], swapped(40, 256)]),
    ):
        yield make_case(
            f"swapped-chain/{name}", chain(1000, sizes, tilings=tilings)
        )
    f, h = gated(201, 136, 328, tiling=swapped(104, 128))
    f.result(
        f.cast(f.product(h, f.input(328, 136), tiling=swapped(56, 64)), "f16")
    )
    yield make_case("swapped-chain/gated", f)


def refused_cases():
    yield make_case(
        "refused/swapped-f32",
        one_product(64, 64, 64, result="f32", tiling=swapped(64, 64)),
        "with swap_ab on h200, as its result is f32",
    )


def all_cases():
    return [
        case
        for family in (
            swapped_cases,
            swapped_epilogue_cases,
            swapped_chain_cases,
            refused_cases,
        )
        for case in family()
    ]
