"""Products of groups of rows, in all the forms that PyTorch has."""

import logging

import models
import pytest
import torch
from checking import error
from torch.nn import functional

import grout

ENDS = {
    "some": [2, 2, 9, 12],
    "one": [0, 12, 12, 12],
    "none": [0, 0, 0, 0],
    "rest": [1, 2, 3, 4],
}


def compiled(function, **options):
    return torch.compile(
        function,
        backend="grout",
        options={"fallback": "error", **options},
    )


def ends(name):
    return torch.tensor(ENDS[name], dtype=torch.int32)


def expected(x, w, offs):
    """The rows that are in groups."""
    begin, parts = 0, []
    for matrix, end in zip(w, offs.tolist()):
        parts.append(x[begin:end].double() @ matrix.double())
        begin = end
    return torch.cat(parts)


def operands(dtype, k=24, n=40):
    return (
        torch.randn(12, k, dtype=dtype),
        torch.randn(4, k, n, dtype=dtype),
    )


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32]
)
def test_all_ends_run_by_one_kernel(dtype):
    run = compiled(lambda x, w, offs: functional.grouped_mm(x, w, offs=offs))
    for name in ENDS:
        x, w = operands(dtype)
        offs = ends(name)
        y = run(x, w, offs)
        assert y.shape == (12, 40) and y.dtype == dtype and y.is_contiguous()
        wanted = expected(x, w, offs)
        assert error(y[: len(wanted)], wanted) < {2: 1e-2, 4: 1e-5}[x.itemsize]


def test_experts_are_three_products():
    def experts(x, gate, up, down, offs):
        def product(x, w):
            return functional.grouped_mm(x, w.transpose(1, 2), offs=offs)

        h = functional.silu(product(x, gate)) * product(x, up)
        return product(h, down)

    x = torch.randn(12, 24)
    gate, up = (torch.randn(4, 40, 24) for _ in range(2))
    down = torch.randn(4, 24, 40)
    offs = ends("some")
    got = compiled(experts)(x, gate, up, down, offs)
    assert error(got, experts(x, gate, up, down, offs)) < 1e-5


def test_stacked_halves_are_in_one_product(caplog):
    """Gate and up in one tensor, as transformers has them."""

    def experts(x, gate_up, down, offs):
        both = functional.grouped_mm(x, gate_up.transpose(1, 2), offs=offs)
        gate, up = both.chunk(2, dim=-1)
        h = functional.silu(gate) * up
        return functional.grouped_mm(h, down.transpose(1, 2), offs=offs)

    x, gate_up = torch.randn(12, 24), torch.randn(4, 80, 24)
    down, offs = torch.randn(4, 24, 40), ends("some")
    args = x, gate_up, down, offs
    with caplog.at_level(logging.DEBUG, "grout.explain"):
        got = compiled(experts, cache_dir="")(*args)
    assert error(got, experts(*args)) < 1e-5
    assert "2 products of f32" in caplog.text
    assert "memory-bound kernel" not in caplog.text


def test_batches_and_groups_of_columns_are_such_products():
    def both(x, y, z, offs):
        return (
            functional.grouped_mm(x, y),
            functional.grouped_mm(x, z, offs=offs),
        )

    x, y = torch.randn(4, 8, 16), torch.randn(4, 16, 24)
    z, offs = torch.randn(16, 12), ends("some")
    got, wanted = compiled(both)(x, y, z, offs), both(x, y, z, offs)
    assert error(got, wanted) < 1e-5
    assert [v.stride() for v in got] == [v.stride() for v in wanted]


def test_groups_of_the_sums_are_left_to_pytorch():
    def function(x, y, offs):
        return functional.grouped_mm(x, y, offs=offs)

    x, y = torch.randn(8, 12), torch.randn(12, 16)
    with pytest.raises(Exception, match="its groups divide the sums"):
        compiled(function)(x, y, ends("some"))


def test_models_with_experts_are_one_partition():
    """Routers, sorts by expert, histograms and products of groups. The products
    are those of transformers, which loop over the experts in f32."""
    model, args = models.qwen3_moe(
        17,
        vocab_size=100,
        hidden_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        moe_intermediate_size=48,
        num_experts=8,
        num_experts_per_tok=2,
    )
    model.eval()
    with torch.no_grad():
        got = compiled(model)(*args).logits
        assert error(got, model(*args).logits) < 1e-4


def test_loops_of_other_types_stay_loops():
    """PyTorch has no product of groups of f64, and transformers' loop has."""
    from transformers.integrations import moe  # noqa: F401

    def function(x, w, offs):
        return torch.ops.transformers.grouped_mm_fallback(x, w, offs) + 1

    x, w = operands(torch.float64)
    args = x, w, ends("some")
    run = torch.compile(function, backend="grout")
    assert error(run(*args), function(*args)) < 1e-12


SOURCE = """
func.func @f(%x: tensor<12x24xf32>, %w: tensor<4x24x40xf32>, %e: tensor<4xi32>)
    -> tensor<12x40xf32> {
  %y = tgemm.grouped_matmul %x, %w ends(%e : tensor<4xi32>) {
    tiling = #tgemm.tiling<m = 5, n = 16, k = 8>
  } : tensor<12x24xf32>, tensor<4x24x40xf32> -> tensor<12x40xf32>
  return %y : tensor<12x40xf32>
}
"""


@pytest.mark.parametrize(
    "given",
    [
        [3, 3, 9, 12],
        [12, 0, 0, 0],
        [-5, 4, 2, 99],
        [99, -1, 99, -1],
        [-(2**31), 2**31 - 1, 7, 0],
        [0, 0, 0, 0],
    ],
)
def test_any_ends_have_a_meaning(given):
    """A row is in the first group whose end is beyond it. Rows in no group are
    not written."""
    run = grout.compile(SOURCE, target="cpu")
    x, w = torch.randn(12, 24), torch.randn(4, 24, 40)
    y = torch.full((12, 40), 7.0)
    run(x, w, torch.tensor(given, dtype=torch.int32), out=[y])
    for row in range(12):
        group = next((g for g, end in enumerate(given) if end > row), None)
        wanted = torch.full((40,), 7.0) if group is None else x[row] @ w[group]
        assert error(y[row], wanted) < 1e-5
