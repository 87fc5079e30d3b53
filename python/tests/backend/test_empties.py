"""Tensors without elements cut no graph."""

import pytest
import torch
from checking import leaves
from torch.nn import functional as F

import grout
from grout.torch import records

X, EMPTY = torch.randn(4, 6), torch.randn(0, 6)
NO_PLACES = torch.zeros(0, dtype=torch.int64)


def compiled(function, **options):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error", "min_block_size": 1, **options},
    )


def assert_eagers(got, wanted):
    for x, y in zip(leaves(got), leaves(wanted), strict=True):
        assert (x.dtype, x.shape, x.stride()) == (y.dtype, y.shape, y.stride())
        torch.testing.assert_close(x, y, equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, e, i: (x * 2, x[4:] + 1, (x[4:] + 1).sum(0) + x[0]),
        lambda x, e, i: (
            e.sum(0) + x,
            e.mean(0),
            e.prod(0) * x,
            (e > 0).all(0),
        ),
        lambda x, e, i: (x[:, :0] @ e[:, :3] + x[:, :3], e @ x.t()),
        lambda x, e, i: (x[i] + 1, F.embedding(i, x), torch.relu(x)),
        lambda x, e, i: x.index_copy(0, i, x[i]) * 2,
        lambda x, e, i: (
            x.scatter(1, i[None], 1.0) * 2,
            torch.cat([e + 1, x * 3]),
        ),
        lambda x, e, i: (
            x.t().scatter_add(1, i[None], e.t()) + 1,
            x.index_reduce(0, i, e, "amax") * 2,
        ),
        lambda x, e, i: (x.exp(), e.sort(0)[0], e.cumsum(0), e.softmax(-1)),
        lambda x, e, i: (F.pad(e, (1, 1, 1, 1), value=2.0) + 1, e.std(), e.t()),
        lambda x, e, i: (torch.arange(0) * 2, x + 1, torch.zeros(0, 3), e),
    ],
)
def test_one_partition(function):
    with records.listen() as operators:
        got = compiled(function)(X, EMPTY, NO_PLACES)
    assert_eagers(got, function(X, EMPTY, NO_PLACES))
    assert {one.partition for one in operators if not one.is_view} == {0}


def test_types_of_nothing():
    def function(x):
        return x.cumsum(-1), x.cumsum(0), x.sort(0)[1]

    x = torch.zeros(3, 0, dtype=torch.int16)
    assert_eagers(compiled(function)(x), function(x))


def test_updates_of_nothing():
    def function(x, e):
        e.add_(1)
        return e, x + 1

    with records.listen() as operators:
        got = compiled(function)(X, EMPTY.clone())
    assert_eagers(got, function(X, EMPTY.clone()))
    assert all(one.partition == 0 for one in operators if not one.is_view)


def test_places_in_what_is_empty_are_outside():
    with pytest.raises(IndexError):
        compiled(lambda x, i: x[:0][i] + 1, fallback="eager")(
            X, torch.tensor([0])
        )


class _Model(torch.nn.Module):
    def forward(self, x):
        return x.exp(), x[4:] * 2


def test_packages(tmp_path):
    grout.export(_Model(), (X,), tmp_path / "m.gpkg")
    assert_eagers(grout.load(tmp_path / "m.gpkg")(X), _Model()(X))
