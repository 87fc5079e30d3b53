"""Recurrences along axes of any length."""

import pytest
import torch
from checking import agrees, wide

SPECIAL = torch.tensor([0.0, -0.0, 1.0, torch.inf, -torch.inf, torch.nan])


def compiled(function):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error"},
    )


def numbers(*shape, dtype=torch.float32):
    """Neither so large nor so small that products leave their type."""
    return (1 + torch.randn(shape) / 100).to(dtype)


@pytest.mark.parametrize(
    "operator", [torch.cumsum, torch.cumprod, torch.logcumsumexp]
)
@pytest.mark.parametrize("shape, dim", [((4097,), 0), ((2, 8192), -1)])
def test_long_axes(operator, shape, dim):
    x = numbers(*shape)
    got, eager = compiled(operator)(x, dim), operator(x, dim)
    assert agrees(got, eager, operator(wide(x), dim))
    assert got.stride() == eager.stride()


@pytest.mark.parametrize(
    "operator, dtype",
    [
        (torch.cummax, torch.float32),
        (torch.cummax, torch.int64),
        (torch.cummax, torch.bool),
        (torch.cummin, torch.float32),
    ],
)
def test_places_of_extremes(operator, dtype):
    x = (torch.randn(2, 5000, 2) * 3).to(dtype)  # with equal ones
    got, wanted = compiled(operator)(x, 1), operator(x, 1)
    assert torch.equal(got[0], wanted[0]) and torch.equal(got[1], wanted[1])


@pytest.mark.parametrize("operator", [torch.cumsum, torch.cumprod])
def test_complex_numbers_are_left_to_pytorch(operator):
    run = torch.compile(operator, backend="grout")
    x = torch.randn(4, 3)
    for z in (torch.randn(4, 3, dtype=torch.complex64), x):
        got = run(z, 0, dtype=torch.complex128)
        torch.testing.assert_close(got, operator(z, 0, dtype=torch.complex128))
    z = torch.view_as_complex(torch.randn(4, 2))
    torch.testing.assert_close(run(z, 0), operator(z, 0))


@pytest.mark.parametrize("operator", [torch.cumsum, torch.cumprod])
def test_truth_values_are_no_results(operator):
    for run in (operator, torch.compile(operator, backend="grout")):
        with pytest.raises(NotImplementedError):
            run(torch.ones(4), 0, dtype=torch.bool)


@pytest.mark.parametrize(
    "operator, extent",
    [
        (torch.cummax, 5),
        (torch.cummax, 3000),
        (torch.cummax, 5000),
        (torch.cummin, 5),
    ],
)
def test_signs_of_extreme_zeros(operator, extent):
    x = torch.where(torch.rand(20, extent) < 0.5, -0.0, 0.0)
    got, wanted = compiled(operator)(x, 1), operator(x, 1)
    assert torch.equal(got[0].signbit(), wanted[0].signbit())
    assert torch.equal(got[1], wanted[1])


@pytest.mark.parametrize(
    "operator", [torch.cumsum, torch.logcumsumexp, torch.cummax, torch.cummin]
)
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_nothing_is_scanned(operator, shape):
    x = torch.zeros(shape)
    for dim in range(x.dim()):
        got, wanted = compiled(operator)(x, dim), operator(x, dim)
        torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize(
    "operator",
    [
        lambda x: x.cumsum(1),
        lambda x: x.cumprod(1),
        lambda x: x.logcumsumexp(1),
        lambda x: x.cummax(1)[0],
    ],
)
def test_what_is_no_finite_number(operator):
    x = numbers(6, 4200)
    for row, first in zip(x, range(6)):
        row[100 : 106 - first] = SPECIAL[first:]
    got, wanted = compiled(operator)(x), operator(x)
    torch.testing.assert_close(
        got, wanted, equal_nan=True, rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize(
    "operator",
    [lambda x: x.cumsum(0), lambda x: x.cummax(0), lambda x: x.cumprod(-1)],
)
def test_without_axes(operator):
    x = torch.tensor(2.5)
    got, wanted = compiled(lambda x: operator(x * 2))(x), operator(x * 2)
    torch.testing.assert_close(
        got, tuple(wanted) if isinstance(wanted, tuple) else wanted
    )
