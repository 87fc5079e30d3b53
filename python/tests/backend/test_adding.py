"""Elements that are combined at places that a tensor says."""

import pytest
import torch
from checking import agrees, wide
from torch.nn import functional as F

import grout
from grout.torch import records
from grout.torch.decompositions import groups
from grout.torch.rewrites import adding

X, SOURCE = torch.randn(7, 5), torch.randn(8, 5)
ROWS = torch.tensor([0, 3, 3, 6, 3, 0, 5, 3])
PLACES = torch.randint(0, 7, (6, 4))
PLACES[0, 0] = 0  # PLACES - 1 has a place outside.
CUBE = torch.randn(3, 4, 5)
SOURCE[1, 2], SOURCE[4, 3], SOURCE[0, 0] = torch.nan, torch.inf, -0.0

aten = torch.ops.aten


def compiled(function):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error", "min_block_size": 1},
    )


def integers(x):
    return (x.nan_to_num(1, 2) * 9).int()


def reduced(kind, includes_self):
    return lambda x, i, v: (
        x.scatter_reduce(0, i, v, kind, include_self=includes_self) * 2
    )


@pytest.mark.parametrize(
    "function, args",
    [
        (lambda x, i, v: x.index_add(0, i, v, alpha=2) + 1, (X, ROWS, SOURCE)),
        (
            lambda x, i, v: x.index_add(-1, i, v),
            (X, ROWS % 5, SOURCE.t()[:4].repeat(2, 1)[:7]),
        ),
        (
            lambda x, i, v: x.index_add(0, i, v),
            (integers(X), ROWS.int(), integers(SOURCE)),
        ),
        (lambda x, i, v: x.half().index_add(0, i, v.half()), (X, ROWS, SOURCE)),
        (lambda x, i, v: x.scatter_add(0, i, v) * 2, (X, PLACES, SOURCE)),
        (lambda x, i, v: x.scatter_add(1, i, v), (X, PLACES[:3] % 5, SOURCE)),
        (
            lambda x, i, v: x.scatter(0, i, v, reduce="multiply"),
            (X, PLACES, SOURCE),
        ),
        (
            lambda x, i, v: x.scatter(0, i, 2.5, reduce="add") + v[0],
            (X, PLACES, SOURCE),
        ),
        *(
            (reduced(kind, includes_self), (X, PLACES, SOURCE))
            for kind in ("sum", "prod", "mean", "amax", "amin")
            for includes_self in (True, False)
        ),
        (reduced("mean", True), (integers(X), PLACES, integers(SOURCE))),
        (reduced("amax", False), (integers(X), PLACES, integers(SOURCE))),
        (lambda x, i, v: x.index_reduce(0, i, v, "amin"), (X, ROWS, SOURCE)),
        (
            lambda x, i, v: x.index_put((i - 7,), v, accumulate=True) + 1,
            (X, ROWS, SOURCE),
        ),
        (
            lambda x, i, v: x.index_put((i, i + 1), v, accumulate=True),
            (CUBE, torch.tensor([0, 1, 1, -1]), SOURCE[:4]),
        ),
        (
            lambda x, i, v: aten.index_put(x, [i, None, i], v, True),
            (CUBE, torch.tensor([0, 1, 1, -1]), SOURCE[:4, :4]),
        ),
        (
            lambda x, i, v: aten.index_put(x, [None, i], v, True),
            (CUBE, torch.tensor([[0, 1, 1], [3, 3, 3]]), SOURCE[0]),
        ),
        (
            lambda x, i, v: (
                aten.embedding_dense_backward(v, i, 9, 3, False) * 2
            ),
            (X, ROWS, SOURCE),
        ),
    ],
)
def test_places(function, args):
    got, eager = compiled(function)(*args), function(*args)
    assert got.stride() == eager.stride()
    exact = (
        [*map(wide, args)]
        if eager.is_floating_point() and eager.dtype != torch.float16
        else args
    )
    assert agrees(got, eager, function(*exact))


@pytest.mark.parametrize(
    "function, places",
    [
        (lambda x, i, v: x.index_add(0, i, v), ROWS + 1),
        (lambda x, i, v: x.index_put((i,), v, accumulate=True), ROWS - 8),
        (lambda x, i, v: x.scatter_add(0, i, v), PLACES - 1),
    ],
)
def test_places_outside(function, places):
    with pytest.raises((IndexError, RuntimeError)):
        function(X, places, SOURCE)
    with pytest.raises(IndexError, match="an index is out of range in aten"):
        compiled(function)(X, places, SOURCE)


def test_gradients():
    def loss(table, x):
        return (
            (
                F.embedding(ROWS, table)[:, :3]
                * x.gather(0, PLACES[:, :3]).sum(0)
            )
            .square()
            .sum()
        )

    def gradients(function):
        leaves = [torch.ones(9, 5).requires_grad_(), X.clone().requires_grad_()]
        return torch.autograd.grad(function(*leaves), leaves)

    with records.listen() as operators:
        got = gradients(torch.compile(loss, backend="grout"))
    for x, y in zip(got, gradients(loss)):
        torch.testing.assert_close(x, y)
    assert {one.operator for one in operators if one.partition is not None} >= {
        "aten.embedding_dense_backward.default",
        "aten.scatter_add.default",
    }


@pytest.mark.parametrize(
    "function, args",
    [
        (lambda x, i, v: x.index_add(0, i, v) + 1, (X, ROWS, SOURCE)),
        (
            lambda x, i, v: x.scatter_reduce(0, i, v, "mean"),
            (X.t()[:, :4], PLACES[:5] % 5, SOURCE.half().float()),
        ),
        (
            lambda x, i, v: aten.index_put(x, [i, None, i], v, True),
            (CUBE, torch.tensor([0, 1, 1, -1, -2]), SOURCE[:5, :4]),
        ),
    ],
)
def test_many_places(function, args, monkeypatch):
    """Whose indices are sorted."""
    monkeypatch.setitem(adding._MOST, "cpu", 1)
    call = compiled(function)
    got, eager = call(*args), function(*args)
    assert got.stride() == eager.stride()
    assert agrees(got, eager, function(*map(wide, args)))
    x, places, source = args
    with pytest.raises(IndexError, match="an index is out of range in aten"):
        call(x, places + 9, source)


def test_groups():
    """Without compiler, as there are many."""
    index = torch.randint(-1, 5000, (2, 32768))
    source = torch.randint(-9, 9, (2, 32768, 3))
    found = groups.find(index, 5000)
    got = found.reduce(source, torch.add, 0)
    for i in range(2):
        is_kept = index[i] >= 0
        wanted = torch.zeros(5000, 3, dtype=torch.int64)
        wanted.index_add_(0, index[i][is_kept], source[i][is_kept])
        assert torch.equal(got[i], wanted)
        counts = index[i][is_kept].bincount(minlength=5000)
        assert torch.equal(found.end[i] - found.begin[i], counts)


def test_large_tables_are_left_to_pytorch():
    args = torch.randn(20000, 64), torch.randint(0, 20000, (9,))
    with records.listen() as operators:
        got = torch.compile(
            lambda x, i: (x * 2).index_add(0, i, x[i]),
            backend="grout",
            options={"fallback": "eager"},
        )(*args)
    torch.testing.assert_close(
        got, (args[0] * 2).index_add(0, args[1], args[0][args[1]])
    )
    assert any("most places get no element" in one.reason for one in operators)


class _Pool(torch.nn.Module):
    """Of the nodes of each graph."""

    def forward(self, x, graph):
        sums = torch.zeros(16, x.shape[1], dtype=x.dtype, device=x.device)
        return torch.relu(sums.index_add(0, graph, x.exp()))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_compiles_for_a_gpu(dtype):
    report = grout.report(
        _Pool(),
        [torch.randn(999, 64, dtype=dtype), torch.randint(0, 16, (999,))],
        target="h200",
    )
    assert all(
        one.partition == 0 for one in report.operators if not one.is_view
    )


ZEROS = torch.tensor([[-0.0, 0.0, -0.0, 0.0]] * 4)


def put_zeros(x, i, v):
    return (
        x.index_add(0, i, v),
        x.scatter_add(0, i.view(-1, 1).expand(v.shape), v),
        x.index_put((i,), v, accumulate=True),
        x.index_reduce(0, i, v, "mean"),
        torch.zeros(4, 4, dtype=x.dtype).index_add(0, i, v),
        torch.full_like(x, -0.0).index_add(0, i, v),
    )


@pytest.mark.parametrize(
    "dtype, sorts",
    (
        (torch.float16, False),
        (torch.float32, False),
        (torch.float64, False),
        (torch.float16, True),
    ),
)
def test_signs_of_zero(sorts, dtype, monkeypatch):
    """-0.0 stays where nothing, or -0.0, is added."""
    if sorts:
        monkeypatch.setattr(adding, "_MOST", {"cpu": 0})
        monkeypatch.setattr(adding, "_FEW", 0)
    x, rows = ZEROS.to(dtype), torch.tensor([1, 3, 1])
    values = torch.tensor([[-0.0, -0.0, 0.0, 0.0], *[[-0.0] * 4] * 2]).to(dtype)
    args = x, rows, values
    for got, wanted in zip(
        compiled(put_zeros)(*args), put_zeros(*args), strict=True
    ):
        assert torch.equal(got, wanted)
        assert torch.equal(got.signbit(), wanted.signbit())
