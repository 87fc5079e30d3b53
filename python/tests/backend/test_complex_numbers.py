"""Complex numbers as two real numbers each."""

import pytest
import torch
from checking import error

from grout.torch import records


def compiled(function, **options):
    return torch.compile(
        function, backend="grout", options={"fallback": "error"}, **options
    )


def as_complex(x):
    return torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))


def rotated(x, angle):
    """As rotary embeddings do it."""
    by = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(as_complex(x) * by[:, None] * 2.0).flatten(3)


def of_parts(x, angle):
    z, w = as_complex(x), torch.complex(angle, angle + 1)[:, None]
    products = z * w.conj() + 1 - w * 2j
    rows = torch.cat([products, (3 - z).squeeze(0)], 2)[:, :, 1:]
    total = torch.view_as_real(-rows.sum(2))
    index = torch.tensor([2, 0], device=x.device)
    return total, (rows[:, index].transpose(1, 2) * angle.mean()).real + 1


@pytest.mark.parametrize("function", [rotated, of_parts])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_products_sums_and_views(function, dtype):
    x = torch.randn(2, 17, 4, 16, dtype=dtype).transpose(1, 2)
    angle = torch.randn(2, 17, 8, dtype=dtype)
    got, eager = compiled(function)(x, angle), function(x, angle)
    wanted = function(x.double(), angle.double())
    assert error(got, wanted) < {4: 1e-5, 8: 1e-12}[x.itemsize]
    assert error(got, eager) < 1e-5
    pairs = [(got, eager)] if function is rotated else zip(got, eager)
    for one, other in pairs:
        assert one.stride() == other.stride() and one.dtype == other.dtype


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: (as_complex(x) + y).sum(0),
        lambda x, y: (y - as_complex(x)).view(3, 2),
        lambda x, y: (y + 1j).sum(0),
        lambda x, y: torch.complex(x[:1], y).sum(0),
        lambda x, y: torch.polar(x[:1], y).sum(0),
        lambda x, y: torch.add(as_complex(x), y, alpha=2).sum(0),
        lambda x, y: as_complex(x).to(torch.complex128) + y,
        lambda x, y: torch.conj_physical(as_complex(x)) + y,
    ],
    ids="add sub number complex polar alpha cast conjugate".split(),
)
@pytest.mark.parametrize("dynamic", [False, True])
def test_parts_have_the_shape_of_the_whole(function, dynamic):
    """Here, one of the parts would have fewer elements."""

    def of_both(x, y):
        return torch.view_as_real(function(x, y))

    x, y = torch.randn(2), torch.randn(6)
    got, wanted = compiled(of_both, dynamic=dynamic)(x, y), of_both(x, y)
    torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize("dynamic", [False, True])
def test_gradients(dynamic):
    """No complex number is kept for the backward pass."""
    angle = torch.randn(2, 5, 8)
    results = []
    for run in (compiled(rotated, dynamic=dynamic), rotated):
        torch.manual_seed(1)
        x = torch.randn(2, 3, 5, 16, requires_grad=True)
        run(x, angle).square().sum().backward()
        results.append(x.grad)
    assert error(*results) < 1e-5


def test_infinite_parts_are_multiplied_as_by_pytorch():
    """A product with a real number multiplies with its imaginary part 0, too."""
    x = torch.tensor([torch.inf, 1.0, -torch.inf, torch.nan] * 4).view(
        1, 1, 2, 8
    )
    angle = torch.zeros(1, 2, 4)
    got, wanted = compiled(rotated)(x, angle), rotated(x, angle)
    torch.testing.assert_close(got, wanted, equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: as_complex(x) * 2,
        lambda x: (as_complex(x) * 1j).abs() + 1,
        lambda x: torch.view_as_real(as_complex(x)[:, :1]),
        lambda x: torch.view_as_real(
            as_complex(x.double()).view(torch.complex64) + 1
        ),
        lambda x: torch.view_as_real(
            torch.add(as_complex(x), as_complex(x), alpha=1j)
        ),
    ],
    ids=["result", "operator", "view", "type", "alpha"],
)
def test_other_complex_numbers_stay(function):
    """Those that a graph returns, that an operator without a rule reads, or
    whose memory the result shares."""
    x = torch.randn(3, 8)
    with records.listen() as operators:
        got = torch.compile(function, backend="grout")(x)
    wanted = function(x)
    torch.testing.assert_close(got, wanted)
    assert got.stride() == wanted.stride()
    assert any("complex" in one.shape for one in operators)
