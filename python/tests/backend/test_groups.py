"""Products of groups of rows, in all the forms that PyTorch has."""

import logging

import pytest
import torch
from checking import error
from torch.nn import functional

import grout
from grout.torch.decompositions import ragged

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


def parts(offs, extent):
    """The ranges of the groups: an element is in the first group whose end is
    beyond it."""
    begin = 0
    for end in offs.tolist():
        end = max(begin, min(end, extent))
        yield slice(begin, end)
        begin = end


def by_sums(x, y, offs):
    x, y = x.double(), y.double()
    return torch.stack([x[:, k] @ y[k] for k in parts(offs, len(y))])


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32]
)
def test_groups_divide_sums(dtype):
    """All sizes of the groups run by the same kernels."""
    run = compiled(lambda x, y, offs: functional.grouped_mm(x, y, offs=offs))
    x = torch.randn(8, 96, dtype=dtype)
    y = torch.randn(96, 16, dtype=dtype)
    for given in (
        [96, 96, 96, 96, 96],
        [0, 0, 0, 0, 96],
        [0, 0, 0, 0, 0],
        [1, 40, 40, 41, 90],
        [19, 38, 57, 76, 95],
        [30, 20, 10, 50, 200],
        [-7, -1, 48, 48, 96],
    ):
        offs = torch.tensor(given, dtype=torch.int32)
        got = run(x, y, offs)
        assert got.dtype == dtype and got.is_contiguous()
        assert error(got, by_sums(x, y, offs)) < {2: 1e-2, 4: 1e-5}[x.itemsize]


def test_elements_in_no_group_are_not_read():
    """Also where they would be multiplied by the zeros that fill up a group."""
    x, y = torch.randn(8, 12), torch.randn(12, 16)
    x[:, 9:] = y[9:] = torch.inf
    x[:, 2:5] = y[2:5] = torch.nan
    offs = torch.tensor([2, 5, 9], dtype=torch.int32)
    run = compiled(lambda x, y, offs: functional.grouped_mm(x, y, offs=offs))
    got = run(x, y, offs)
    assert got[1].isnan().all()
    wanted = by_sums(x, y, offs)
    assert error(got[::2], wanted[::2]) < 1e-5


@pytest.mark.parametrize("groups", [1, 2, 3, 17, 130])
@pytest.mark.parametrize("extent", [1, 12, 257])
def test_batches_hold_all_elements(groups, extent):
    """Whichever of the groups are long, and however few the batches need."""
    x, y = torch.randn(3, extent).double(), torch.randn(extent, 2).double()
    for _ in range(20):
        bounds = torch.randint(0, extent + 1, (groups,), dtype=torch.int32)
        offs = bounds.sort().values if groups < 17 else bounds // 2 * 2
        got = ragged.product(x, y, offs)
        assert error(got, by_sums(x, y, offs)) < 1e-12
    needed = sum(one.count * one.size for one in ragged.batches(4096, 64))
    assert needed < 8 * 4096


@pytest.mark.parametrize(
    "option",
    [
        {"bias": torch.zeros(40)},
        {"out_dtype": torch.bfloat16},
    ],
    ids=["bias", "out_dtype"],
)
def test_options_that_pytorch_refuses_are_refused(option):
    """Before a backend sees them."""

    def function(x, w, offs):
        return functional.grouped_mm(x, w, offs=offs, **option)

    args = *operands(torch.float32), ends("some")
    message = "not supported yet|must match `mat_a` dtype"
    for run in (function, torch.compile(function, backend="grout")):
        with pytest.raises(RuntimeError, match=message):
            run(*args)


def test_operands_of_two_types_raise_the_error_of_pytorch():
    def function(x, w, offs):
        return functional.grouped_mm(x, w, offs=offs)

    x, w = operands(torch.float32)
    sums = torch.randn(8, 12), torch.randn(12, 16).bfloat16()
    for args in ((x, w.bfloat16(), ends("some")), (*sums, ends("some"))):
        for run in (function, torch.compile(function, backend="grout")):
            with pytest.raises(RuntimeError, match="to have the same dtype"):
                run(*args)


def test_experts_have_gradients():
    """Of rows and of weights, in all sizes of the groups."""

    def function(x, gate, down, offs):
        h = functional.grouped_mm(x, gate.transpose(1, 2), offs=offs)
        return functional.grouped_mm(h.relu(), down, offs=offs)

    x, gate, down = (
        torch.randn(12, 24),
        torch.randn(4, 40, 24),
        torch.randn(4, 40, 24),
    )
    run = compiled(function)
    for name in ("some", "one", "rest"):
        offs = ends(name)
        offs[-1] = 12  # PyTorch leaves gradients of other rows undefined
        args = [one.clone().requires_grad_() for one in (x, gate, down)]
        run(*args, offs).square().sum().backward()
        given = [one.double().requires_grad_() for one in (x, gate, down)]
        total = 0
        for g, rows in enumerate(parts(offs, 12)):
            h = (given[0][rows] @ given[1][g].t()).relu() @ given[2][g]
            total = total + h.square().sum()
        total.backward()
        assert error([a.grad for a in args], [a.grad for a in given]) < 1e-5


def test_loops_have_rows_of_any_length():
    """PyTorch's own product wants multiples of 16 bytes."""
    from transformers.integrations import moe  # noqa: F401

    def function(x, w, offs):
        return torch.ops.transformers.grouped_mm_fallback(x, w, offs) + 1

    args = *operands(torch.float32, k=25, n=39), ends("some")
    assert error(compiled(function)(*args), function(*args)) < 1e-5


@pytest.mark.parametrize(
    "rows, groups, size", [(0, 3, 8), (5, 0, 8), (5, 3, 0)]
)
def test_loops_over_nothing(rows, groups, size):
    from transformers.integrations import moe  # noqa: F401

    def function(x, w, offs, gradient):
        products = torch.ops.transformers
        return (
            products.grouped_mm_fallback(x, w, offs) + 1,
            *products.grouped_mm_fallback_backward(x, w, offs, gradient),
        )

    args = (
        torch.randn(rows, size),
        torch.randn(groups, size, 4),
        torch.zeros(groups, dtype=torch.int32),
        torch.randn(rows, 4),
    )
    got, wanted = compiled(function)(*args), function(*args)
    assert all(map(torch.equal, got, wanted))


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
