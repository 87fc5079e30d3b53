"""Samples of images between pixels."""

import itertools

import pytest
import torch
from checking import agrees, check_forward, share, wide
from expanding import normal
from test_convolutions import refusals
from torch.nn import functional

VARIANTS = list(
    itertools.product(
        ("bilinear", "nearest"),
        ("zeros", "border", "reflection"),
        (False, True),
    )
)


class Sampler(torch.nn.Module):
    def __init__(
        self, mode="bilinear", padding_mode="zeros", align_corners=False
    ):
        super().__init__()
        self.options = dict(
            mode=mode, padding_mode=padding_mode, align_corners=align_corners
        )

    def forward(self, x, grid):
        return functional.grid_sample(x, grid, **self.options)


def operands(dtype=torch.float32):
    """Of places, some are outside."""
    return [
        normal(2, 3, 5, 7, dtype=dtype),
        (1.2 * torch.randn(2, 4, 6, 2)).to(dtype),
    ]


@pytest.mark.parametrize("mode, padding, align", VARIANTS)
def test_variants(mode, padding, align):
    assert (
        share(
            check_forward(
                Sampler(mode, padding, align), operands(), fallback="error"
            )
        )
        == 1
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype):
    assert (
        share(check_forward(Sampler(), operands(dtype), fallback="error")) == 1
    )


@pytest.mark.parametrize("mode, padding, align", VARIANTS)
def test_places_that_are_no_numbers(mode, padding, align):
    """None, infinite, far outside, and on the rim."""
    model, (x, grid) = Sampler(mode, padding, align), operands()
    nan, inf = float("nan"), float("inf")
    grid[0].view(-1, 2)[:9] = torch.tensor(
        [
            [nan, 0],
            [0, nan],
            [inf, 0],
            [0, -inf],
            [1e30, 0],
            [0, -1e30],
            [-1, -1],
            [1, 1],
            [nan, nan],
        ]
    )
    got = torch.compile(model, backend="grout", options={"fallback": "error"})(
        x, grid
    )
    assert agrees(got, model(x, grid), model(wide(x), wide(grid)))


def test_compiled_for_a_gpu():
    """With all operators, and without a check of places."""
    from model_check import _backend

    from grout.torch import records

    for dtype in (torch.float16, torch.float32):
        with records.listen() as found:
            torch.compile(Sampler(), backend=_backend("h200"))(*operands(dtype))
        assert found and all(
            one.partition is not None or one.is_view for one in found
        )
    assert refusals(Sampler(), *operands(torch.float16)) == []


def test_cubic_is_left():
    run = torch.compile(Sampler("bicubic"), backend="grout")
    x, grid = operands()
    torch.testing.assert_close(run(x, grid), Sampler("bicubic")(x, grid))
