"""Cases of epilogues of one product: activations, and inputs of all forms."""

from .cases import TILE_ROWS, make_case, one_epilogue
from .ir import ACTIVATIONS, Tiling


def all_cases():
    m, n = 201, 264
    bias, column = ((n,), "n"), ((m,), "m")
    residual = ((m, n), "mn")

    def add_all(scalars, value, *others):
        for other in others:
            value = scalars.add(value, other)
        return value

    for activation in ACTIVATIONS:
        yield make_case(
            f"epilogue/{activation}",
            one_epilogue([], lambda s, v, a=activation: getattr(s, a)(v)),
        )
    for result in ("f16", "f32"):
        yield make_case(
            f"epilogue/bias-to-{result}",
            one_epilogue([bias], add_all, result=result),
        )
    yield make_case(
        "epilogue/bias-f32", one_epilogue([(*bias, "f32")], add_all)
    )
    yield make_case(
        "epilogue/bias-bf16",
        one_epilogue([bias], add_all, dtype="bf16", result="bf16"),
    )
    yield make_case("epilogue/column", one_epilogue([column], add_all))
    yield make_case("epilogue/residual", one_epilogue([residual], add_all))
    yield make_case(
        "epilogue/residual-f32",
        one_epilogue([(*residual, "f32")], add_all, result="f32"),
    )
    yield make_case(
        "epilogue/residual-transposed",
        one_epilogue([((264, 208), "nm")], add_all, m=208),
    )
    yield make_case(
        "epilogue/scale", one_epilogue([], lambda s, v: s.scale(v, 0.125))
    )
    # With and without registers for the residual before the steps.
    for tiling in (
        Tiling(256, 192),
        Tiling(192, 96),
        Tiling(64, 48),
        Tiling(72, 128, swap_ab=True),
        Tiling(256, 64),
        Tiling(128, 96, cluster_m=2, split_k=2),
    ):
        yield make_case(
            f"epilogue/bias-column-residual-{tiling.m}x{tiling.n}",
            one_epilogue([bias, column, residual], add_all, tiling=tiling),
        )
    for tile_rows in TILE_ROWS:
        yield make_case(
            f"epilogue/bias-gelu-residual-{tile_rows}",
            one_epilogue(
                [bias, residual],
                lambda s, v, b, r: s.add(s.gelu_tanh(s.add(v, b)), r),
                tiling=Tiling(tile_rows, 128),
            ),
        )
