"""Products of f32 on GPUs: compiled where that is faster, and as PyTorch's
precision allows. Needs no GPU."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout import targets
from grout.torch import Options, records
from grout.torch.compilation import graphs
from grout.torch.rewrites import f32_products

LARGE, SMALL = (1024, 768, 768), (64, 64, 64)


@pytest.fixture(autouse=True)
def precision():
    before = torch.get_float32_matmul_precision()
    yield torch.set_float32_matmul_precision
    torch.set_float32_matmul_precision(before)


def compile_product(
    m, n, k, dtype=torch.float32, multiply=torch.matmul, **options
):
    """What became of a product with a bias, and its artifact's description."""
    graph = make_fx(
        lambda x, w, b: torch.relu(multiply(x, w) + b), tracing_mode="fake"
    )(
        torch.randn(m, k, dtype=dtype),
        torch.randn(k, n, dtype=dtype),
        torch.randn(n, dtype=dtype),
    )
    with records.listen() as operators:
        _, compiled = graphs.compile_parts(
            graph, Options(fallback="eager", **{"target": "h200", **options})
        )
    product = next(one for one in operators if ".mm." in one.operator)
    return product, next(filter(None, compiled), None)


def test_large_products_are_compiled():
    product, _ = compile_product(*LARGE)
    assert product.partition is not None


def test_small_products_are_left():
    product, _ = compile_product(*SMALL)
    assert product.partition is None
    assert product.reason == "PyTorch's product of f32 is faster at this size"


def test_tf32_is_left(precision):
    precision("high")
    product, _ = compile_product(*LARGE)
    assert product.reason == (
        "products of TF32, which PyTorch may use here, are faster"
    )


def test_medium_is_bf16(precision):
    precision("medium")
    product, _ = compile_product(*SMALL)
    assert product.partition is not None
    assert f32_products.choose(None, targets.get("h200")) == "bf16"
    assert f32_products.choose(None, targets.cpu()) == "auto"


def multiply_widened(x, w):
    return x.float() @ w.T.float().T


def test_copies_of_what_was_narrow_are_multiplied_so(precision):
    precision("high")
    product, _ = compile_product(
        *SMALL,
        dtype=torch.float16,
        multiply=lambda x, w: x.float() @ w.T.float().contiguous().T,
    )
    assert product.partition is not None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_what_was_narrow_is_multiplied_so(dtype, precision):
    precision("high")
    product, _ = compile_product(*SMALL, dtype=dtype, multiply=multiply_widened)
    assert product.partition is not None
    # Rows would be padded.
    product, _ = compile_product(
        64, 64, 63, dtype=dtype, multiply=multiply_widened
    )
    assert "TF32" in product.reason
    product, _ = compile_product(
        *SMALL, dtype=dtype, multiply=lambda x, w: x.float().exp() @ w.float()
    )
    assert "TF32" in product.reason


def test_what_is_given_holds(precision):
    precision("high")
    for given in ("bf16x6", "bf16x3", "bf16"):
        product, _ = compile_product(*SMALL, f32_products=given)
        assert product.partition is not None
    product, _ = compile_product(*SMALL, f32_products="exact")
    assert "multiplies f32" in product.reason


def test_ragged_products_are_padded():
    product, _ = compile_product(1024, 771, 769)
    assert product.partition is not None


def test_other_types_and_targets_have_no_choice():
    for dtype, target in ((torch.float16, "h200"), (torch.float32, "cpu")):
        product, _ = compile_product(*SMALL, dtype=dtype, target=target)
        assert product.partition is not None


def test_precision_of_this_backend_alone():
    matmul = torch.backends.cuda.matmul
    before = matmul.fp32_precision
    matmul.fp32_precision = "tf32"
    try:
        product, _ = compile_product(*LARGE)
    finally:
        matmul.fp32_precision = before
    assert "TF32" in product.reason


@pytest.mark.parametrize(
    "given, least, most",
    [
        ("exact", 0, 1e-6),
        ("bf16x6", 0, 1e-6),
        ("bf16x3", 1e-6, 2e-5),
        ("bf16", 1e-3, 1e-2),
    ],
)
def test_results(given, least, most):
    torch.manual_seed(0)
    x, w = torch.randn(3, 33, 57), torch.randn(57, 29)
    compiled = torch.compile(
        torch.matmul,
        backend="grout",
        fullgraph=True,
        options={"fallback": "error", "f32_products": given},
    )
    wanted = x.double() @ w.double()
    error = (compiled(x, w) - wanted).norm() / wanted.norm()
    assert least <= error <= most


def test_unknown_choices_are_refused():
    with pytest.raises(ValueError, match="f32_products is one of exact"):
        Options.parse(None, {"f32_products": "tf32"})
