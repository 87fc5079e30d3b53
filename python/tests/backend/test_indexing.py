"""Elements at places that a tensor says, checked."""

import pytest
import torch
from torch.nn import functional as F

import grout
from grout.torch import records

TABLE = torch.arange(80.0).reshape(10, 8)
CUBE = torch.arange(60.0).reshape(3, 4, 5)
PLACES = torch.tensor([[1, 2, 9], [3, 4, 0]])


def compiled(function):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error"},
    )


@pytest.mark.parametrize(
    "function, args",
    [
        (lambda i, t: F.embedding(i, t) + 1, (PLACES, TABLE)),
        (lambda i, t: F.embedding(i, t), (PLACES.int(), TABLE)),
        (lambda i, t: F.embedding(i, t, padding_idx=2), (PLACES, TABLE)),
        (lambda i, t: t[i], (PLACES - 5, TABLE)),
        (lambda i, t: t[:, i], (PLACES % 8, TABLE)),
        (lambda i, t: t[i].sum(0), (PLACES, TABLE)),
        (lambda i, t: (t > 30)[i], (PLACES, TABLE)),
        (lambda i, t: t.half()[i] * 2, (PLACES, TABLE)),
        (lambda i, t: torch.relu((t + 1)[i - 1]), (PLACES, TABLE)),
        (lambda i, t: (t @ t.t())[i], (PLACES, TABLE)),
        (lambda i, t: t[1::2][i], (PLACES % 5, TABLE)),
        (lambda i, t: t[i][i[0] % 2], (PLACES, TABLE)),
        (
            lambda i, x: torch.gather(x, 1, i),
            (torch.tensor([[1, 2], [3, 0], [0, 0]]), CUBE[..., 0]),
        ),
        (
            lambda i, x: torch.gather(x, -2, i),
            (torch.arange(60).reshape(2, 6, 5) % 4, CUBE),
        ),
        (
            lambda i, x: torch.take_along_dim(x, i, 2),
            (torch.arange(24).reshape(3, 4, 2) % 5, CUBE),
        ),
        (lambda i, x: torch.index_select(x, -1, i), (PLACES[1], CUBE)),
        (
            lambda i, x: x[i, torch.tensor([[0], [3]])],
            (torch.tensor([1, 2, -1]), CUBE),
        ),
        (lambda i, x: x[i, :, i], (torch.tensor([1, 2, -1]), CUBE)),
    ],
)
def test_places(function, args):
    got, wanted = compiled(function)(*args), function(*args)
    assert got.dtype == wanted.dtype
    assert torch.equal(got, wanted)


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.float32, torch.float64, torch.int64]
)
def test_one_of_each_row(dtype):
    """The elements of a row that are not taken change nothing."""
    limits = (
        torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    )
    numbers = [-0.0, 0.0, limits.min, limits.max]
    if dtype.is_floating_point:
        numbers += [torch.nan, torch.inf, -torch.inf]
    x = torch.tensor(numbers, dtype=dtype).expand(len(numbers), -1).contiguous()
    i = torch.arange(len(numbers)).unsqueeze(1)
    got, wanted = compiled(torch.gather)(x, 1, i), torch.gather(x, 1, i)
    assert torch.equal(got.view(torch.int8), wanted.view(torch.int8))


@pytest.mark.parametrize(
    "function, args, name",
    [
        (lambda i, t: F.embedding(i, t), (PLACES + 1, TABLE), "embedding"),
        (lambda i, t: F.embedding(i, t), (PLACES - 1, TABLE), "embedding"),
        (lambda i, t: t[i], (PLACES + 1, TABLE), "index"),
        (lambda i, t: t[i], (PLACES - 11, TABLE), "index"),
        (lambda i, t: t[i], (PLACES + 2**62, TABLE), "index"),
        (
            lambda i, x: torch.index_select(x, 0, i),
            (PLACES[0], CUBE),
            "index_select",
        ),
        (lambda i, t: torch.gather(t, 1, i), (PLACES, TABLE), "gather"),
    ],
)
def test_places_outside(function, args, name):
    with pytest.raises((IndexError, RuntimeError)):
        function(*args)
    with pytest.raises(
        IndexError,
        match="an index is out of range in aten"
        rf"\.{name}\.",
    ):
        compiled(function)(*args)


def test_classes():
    """PyTorch looks at the truth values that one_hot asserts."""
    function = compiled(lambda i: F.one_hot(i, 10) * 2)
    with records.listen() as operators:
        assert torch.equal(function(PLACES), F.one_hot(PLACES, 10) * 2)
    assert {one.partition for one in operators if not one.is_view} == {0}
    with pytest.raises(RuntimeError, match="smaller than num_classes"):
        function(PLACES + 1)


def test_one_check_for_several():
    function = compiled(lambda i, t: F.embedding(i, t) + t[i])
    function(PLACES, TABLE)
    with pytest.raises(
        IndexError, match="in aten.embedding.default, aten.index.Tensor"
    ):
        function(PLACES - 1, TABLE)


def test_truth_values_are_left():
    report = grout.report(
        lambda x, m: x.masked_fill(m, 0)[
            torch.tensor([True, False, True])
        ].sum(),
        [torch.randn(3, 4), torch.ones(3, 4) > 0],
    )
    assert "index" not in {
        one.operator.split(".")[1]
        for one in report.operators
        if one.partition is not None
    }


class _Lookup(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(10, 8)

    def forward(self, places):
        return torch.relu(self.table(places))


def test_packages(tmp_path):
    model = _Lookup()
    grout.export(model, (PLACES,), tmp_path / "m.gpkg")
    package = grout.load(tmp_path / "m.gpkg")
    assert torch.equal(package(PLACES), model(PLACES))
    with pytest.raises(IndexError, match="an index is out of range"):
        package(PLACES + 1)


def test_gradients():
    model = _Lookup()
    wanted = torch.autograd.grad(model(PLACES).sum(), model.table.weight)
    got = torch.autograd.grad(
        torch.compile(model, backend="grout")(PLACES).sum(), model.table.weight
    )
    assert torch.equal(got[0], wanted[0])
