"""Grout's operators for mixtures of experts, outside of its backend, too."""

import subprocess
import sys

import pytest
import torch
from checking import error, limit, wide
from torch.nn import functional

import grout.ops
from grout.ops import kernels
from grout.torch import FallbackForbidden, records

DTYPES = [torch.float32, torch.bfloat16, torch.float16]


@pytest.fixture(autouse=True)
def forget():
    kernels.forget()


def ends(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def ranges(offs):
    begin = 0
    for end in offs.tolist():
        yield slice(begin, max(begin, end))
        begin = max(begin, end)


def product(x, y, offs):
    """By a loop over the groups."""
    if y.dim() == 2:
        return torch.stack([x[:, k] @ y[k] for k in ranges(offs)])
    parts = [x[rows] @ y[g] for g, rows in enumerate(ranges(offs))]
    rest = x.new_zeros(x.shape[0] - sum(map(len, parts)), y.shape[2])
    return torch.cat([*parts, rest])


def mixture(x, indices, weights, w_gate_up, w_down, activation="silu"):
    """By a loop over the experts."""
    result = torch.zeros_like(x)
    for e in range(w_down.shape[0]):
        gate, up = (x @ w_gate_up[e].t()).chunk(2, -1)
        inner = grout.ops.ACTIVATIONS[activation](gate) * up
        weight = torch.where(indices == e, weights, 0).sum(-1, keepdim=True)
        result = result + inner @ w_down[e].t() * weight
    return result


def routed(tokens=13, experts=5, choices=2):
    logits = torch.randn(tokens, experts)
    weights, indices = logits.softmax(-1).topk(choices)
    return indices, weights


def experts(dtype=torch.float32, tokens=13, count=5, size=24, width=16):
    return (
        torch.randn(tokens, size, dtype=dtype),
        *routed(tokens, count),
        (torch.randn(count, 2 * width, size) / size**0.5).to(dtype),
        (torch.randn(count, size, width) / width**0.5).to(dtype),
    )


def moe(x, indices, weights, w_gate_up, w_down, **options):
    return grout.ops.moe(x, (indices, weights), w_gate_up, w_down, **options)


def test_torch_is_not_imported_with_grout():
    program = "import grout, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("offs", [(2, 2, 9, 13), (0, 0, 0, 0), (0, 7, 7, 8)])
def test_grouped_mm(dtype, offs):
    """Rows of any length. Those in no group are zeros."""
    offs = ends(*offs)
    x, w = torch.randn(13, 25, dtype=dtype), torch.randn(4, 39, 25, dtype=dtype)
    columns = torch.randn(13, 7, dtype=dtype)
    for args in (
        (x, w.transpose(1, 2), offs),
        (x, w.transpose(1, 2).contiguous(), offs),
        (x.t(), columns, offs),
    ):
        got, wanted = grout.ops.grouped_mm(*args), product(*wide(args))
        assert got.dtype == dtype and got.is_contiguous()
        assert error(got, wanted) <= limit(product(*args), wanted)


def test_similar_numbers_of_rows_share_a_program():
    w = torch.randn(4, 8, 16)
    for rows in range(121, 129):
        x = torch.randn(rows, 8)
        got = grout.ops.grouped_mm(x, w, ends(1, 2, 3, rows - 1))
        assert error(got, product(x, w, ends(1, 2, 3, rows - 1))) < 1e-5
    assert kernels.count() == 1


def compiled(function):
    return torch.compile(
        function,
        backend="grout",
        dynamic=False,
        fullgraph=True,
        options={"fallback": "error"},
    )


@pytest.mark.parametrize("convert", [compiled, lambda function: function])
@pytest.mark.parametrize(
    "rows, groups, size", [(0, 4, 8), (5, 0, 8), (0, 0, 8), (5, 4, 0)]
)
def test_grouped_mm_without_elements(convert, rows, groups, size):
    grouped_mm = convert(lambda *args: grout.ops.grouped_mm(*args))
    x, w = torch.randn(rows, size), torch.randn(groups, size, 4)
    offs = ends(*[rows] * groups)
    assert torch.equal(grouped_mm(x, w, offs), torch.zeros(rows, 4))
    got = grouped_mm(x.t()[:, :0], torch.randn(0, 4), offs * 0)
    assert torch.equal(got, torch.zeros(groups, size, 4))


@pytest.mark.parametrize("form", ["rows", "sums"])
def test_gradients_of_grouped_mm(form):
    offs = ends(2, 2, 9, 11)
    x, y = torch.randn(13, 8), torch.randn(4, 8, 6)
    args = (x, y) if form == "rows" else (x.t(), torch.randn(13, 6))
    results = []
    for function, dtype in (
        (grout.ops.grouped_mm, torch.float32),
        (product, torch.float64),
    ):
        given = [one.to(dtype, copy=True).requires_grad_() for one in args]
        function(*given, offs).square().sum().backward()
        results.append([one.grad for one in given])
    assert error(*results) < 1e-5


@pytest.mark.parametrize(
    "dtype, activation",
    [
        *((torch.float32, activation) for activation in grout.ops.ACTIVATIONS),
        *((dtype, "silu") for dtype in DTYPES[1:]),
    ],
)
def test_moe(dtype, activation):
    args = experts(dtype)
    got = moe(*args, activation=activation)
    wanted = mixture(*wide(args), activation)
    assert got.dtype == dtype and got.shape == args[0].shape
    assert error(got, wanted) <= limit(mixture(*args, activation), wanted)


def test_any_experts_are_chosen():
    """All tokens one expert, an expert twice, and numbers of no expert, whose
    weights mean nothing."""
    x, _, _, *matrices = experts()
    for indices in ([3, 3], [-1, 5], [0, 99], [4, -7]):
        indices = torch.tensor([indices] * 13, dtype=torch.int32)
        weights = torch.rand(13, 2)
        is_expert = (indices >= 0) & (indices < 5)
        weights = torch.where(is_expert, weights, torch.nan)
        got = moe(x, indices, weights, *matrices)
        weights = weights.nan_to_num(0)
        wanted = sum(
            mixture(
                *wide((x, indices[:, i : i + 1], weights[:, i : i + 1])),
                *wide(matrices),
            )
            for i in range(2)
        )
        assert error(got, wanted) < 1e-5


@pytest.mark.parametrize("normalize", [True, False])
def test_logits_choose_experts(normalize):
    x, _, _, *matrices = experts()
    logits = torch.randn(13, 5)
    got = grout.ops.moe(x, logits, *matrices, top_k=2, normalize=normalize)
    weights, indices = logits.double().softmax(-1).topk(2)
    if normalize:
        weights = weights / weights.sum(-1, keepdim=True)
    wanted = mixture(x.double(), indices, weights, *wide(matrices))
    assert error(got, wanted) < 1e-5


@pytest.mark.parametrize("convert", [compiled, lambda function: function])
@pytest.mark.parametrize("needs_gradients", [False, True])
@pytest.mark.parametrize("tokens, count", [(0, 5), (13, 0)])
def test_nothing_is_mixed(convert, needs_gradients, tokens, count):
    x, indices, weights, w_gate_up, w_down = experts()
    x = x[:tokens].requires_grad_(needs_gradients)
    indices, weights = indices[:tokens], weights[:tokens]
    got = convert(moe)(x, indices, weights, w_gate_up[:count], w_down[:count])
    assert torch.equal(got, torch.zeros(tokens, 24))


def test_gradients_of_moe():
    args = experts()
    results = []
    for function, convert in ((moe, lambda one: one), (mixture, wide)):
        given = [convert(one).clone() for one in args]
        for one in given:
            one.requires_grad_(one.is_floating_point())
        function(*given).square().sum().backward()
        results.append([one.grad for one in given if one.grad is not None])
    assert len(results[0]) == 4 and error(*results) < 1e-5


def test_opcheck():
    x, w, offs = torch.randn(13, 8), torch.randn(4, 8, 6), ends(2, 2, 9, 11)
    check = torch.library.opcheck
    for one in (x, w):
        one.requires_grad_()
    operator = torch.ops.grout.grouped_mm.default
    check(operator, (x, w, offs))
    check(operator, (x.t(), torch.randn(13, 6), offs))
    check(torch.ops.grout.moe.default, (*experts(), "gelu"))
    rows = torch.ops.grout.grouped_rows.default
    check(rows, (x.detach(), w.detach(), offs))


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_other_backends_call_the_operators(backend, dynamic):
    """Without breaks in the graph."""

    def function(x, indices, weights, w_gate_up, w_down):
        return moe(x + 1, indices, weights, w_gate_up, w_down) * 2

    run = torch.compile(
        function, backend=backend, dynamic=dynamic, fullgraph=True
    )
    args = experts()
    assert error(run(*args), function(*args)) < 1e-6


def test_export_keeps_the_operators():
    class Experts(torch.nn.Module):
        def forward(self, *args):
            return moe(*args)

    args = experts()
    program = torch.export.export(Experts(), args)
    names = [str(node.target) for node in program.graph.nodes]
    assert "grout.moe.default" in names
    assert error(program.module()(*args), moe(*args)) < 1e-6


@pytest.mark.parametrize("dynamic", [False, True])
def test_grout_compiles_the_operators_with_others(dynamic):
    def function(x, indices, weights, w_gate_up, w_down, offs):
        y = moe(functional.silu(x), indices, weights, w_gate_up, w_down)
        return grout.ops.grouped_mm(y, w_down, offs) + 1

    args = *experts(), ends(2, 2, 9, 11, 13)
    run = torch.compile(
        function,
        backend="grout",
        dynamic=dynamic,
        fullgraph=True,
        options={"fallback": "error"},
    )
    with records.listen() as operators:
        assert error(run(*args), function(*args)) < 1e-5
    assert len({one.partition for one in operators if not one.is_view}) == 1


@pytest.mark.parametrize("fallback", ["eager", "inductor"])
def test_products_may_be_excluded(fallback):
    """PyTorch then runs a loop over the groups."""
    run = torch.compile(
        moe,
        backend="grout",
        options={"fallback": fallback, "excluded_ops": ["grout.grouped_rows"]},
    )
    args = experts()
    with records.listen() as operators:
        assert error(run(*args), moe(*args)) < 1e-5
    left = {one.operator for one in operators if one.partition is None}
    assert "grout.grouped_rows.default" in left


def test_training_with_grout():
    args = experts()
    results = []
    for function in (
        torch.compile(
            moe,
            backend="grout",
            fullgraph=True,
            options={"fallback": "error"},
        ),
        moe,
    ):
        given = [one.clone() for one in args]
        for one in given:
            one.requires_grad_(one.is_floating_point())
        function(*given).square().sum().backward()
        results.append([one.grad for one in given if one.grad is not None])
    assert error(*results) < 1e-5


def _with(args, place, value):
    return (*args[:place], value, *args[place + 1 :])


@pytest.mark.parametrize(
    "place, value, kind, message",
    [
        (0, torch.randn(13, 8, 1), ValueError, "have 3, 3 and 1 axes"),
        (0, torch.randn(13, 9), ValueError, "has 9 columns"),
        (2, ends(1, 2, 3), ValueError, "4 matrices for 3 groups"),
        (0, torch.randn(13, 8).half(), TypeError, "one floating-point type"),
        (2, torch.ones(4).long(), TypeError, "ends are int32"),
    ],
)
def test_operands_of_grouped_mm_that_are_refused(place, value, kind, message):
    args = torch.randn(13, 8), torch.randn(4, 8, 6), ends(2, 2, 9, 11)
    with pytest.raises(kind, match=message):
        grout.ops.grouped_mm(*_with(args, place, value))


@pytest.mark.parametrize(
    "place, value, kind, message",
    [
        (0, torch.randn(13, 24, 1), ValueError, "have 3, 2, 3 and 3 axes"),
        (1, torch.zeros(13, 3).long(), ValueError, "13 tokens have experts"),
        (3, torch.randn(5, 31, 24), ValueError, "w_gate_up is not"),
        (4, torch.randn(5, 24, 16).half(), TypeError, "have one type"),
        (1, torch.zeros(13, 2), TypeError, "indices are int32 or int64"),
    ],
)
def test_operands_of_moe_that_are_refused(place, value, kind, message):
    with pytest.raises(kind, match=message):
        moe(*_with(experts(), place, value))


def test_options_of_moe_that_are_refused():
    x, indices, weights, *matrices = experts()
    with pytest.raises(ValueError, match="one of silu, gelu"):
        moe(x, indices, weights, *matrices, activation="tanh")
    with pytest.raises(ValueError, match="need top_k"):
        grout.ops.moe(x, torch.randn(13, 5), *matrices)
    with pytest.raises(ValueError, match=r"are \[13, 7\] and \[5, 24, 16\]"):
        grout.ops.moe(x, torch.randn(13, 7), *matrices, top_k=2)
    with pytest.raises(ValueError, match="normalize are for logits"):
        moe(x, indices, weights, *matrices, normalize=True)
    with pytest.raises(ValueError, match="normalize are for logits"):
        moe(x, indices, weights, *matrices, top_k=2)


def test_types_without_kernels_are_refused_by_name():
    x, w = torch.randn(13, 8).double(), torch.randn(4, 8, 6).double()
    with pytest.raises(FallbackForbidden, match="no groups of elements"):
        grout.ops.grouped_mm(x, w, ends(2, 2, 9, 11))
