"""Convolutions of images of one pixel become sums on GPUs. Graphs are traced on
tensors that have no memory, so no GPU is needed."""

import pytest
import torch
from checking import error, tolerance, wide
from expanding import expanded, normal
from test_convolutions import refusals
from torch.nn import functional

from grout.torch.rewrites import one_pixel_convolutions


@pytest.mark.parametrize("features, channels", [(6, 144), (144, 6), (1, 20)])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("target", ["h200", "a100"])
def test_it_becomes_a_sum(features, channels, dtype, target):
    torch.manual_seed(0)
    for bias in ([], [normal(features, dtype=dtype)]):
        operands = [
            normal(2, channels, 1, 1, dtype=dtype),
            normal(features, channels, 1, 1, dtype=dtype),
            *bias,
        ]
        graph, is_sum = expanded(
            one_pixel_convolutions.expand,
            functional.conv2d,
            *operands,
            target=target,
        )
        assert is_sum
        wanted = functional.conv2d(*map(wide, operands))
        assert error(graph(*operands), wanted) < tolerance(dtype)


@pytest.mark.parametrize(
    "x, weight, options, dtype, target",
    [
        ((2, 6, 1, 1), (8, 6, 1, 1), {}, torch.float32, "h200"),
        ((2, 6, 1, 1), (8, 6, 1, 1), {}, torch.float16, "cpu"),
        ((2, 6, 2, 1), (8, 6, 1, 1), {}, torch.float16, "h200"),
        ((2, 6, 1, 1), (8, 6, 1, 1), {"padding": 1}, torch.float16, "h200"),
        ((2, 6, 1, 1), (8, 3, 1, 1), {"groups": 2}, torch.float16, "h200"),
        ((2, 16, 1, 1), (8, 16, 1, 1), {}, torch.float16, "h200"),
        ((64, 1000, 1, 1), (1001, 1000, 1, 1), {}, torch.float16, "h200"),
    ],
)
def test_what_stays(x, weight, options, dtype, target):
    operands = [normal(*x, dtype=dtype), normal(*weight, dtype=dtype)]
    assert not expanded(
        one_pixel_convolutions.expand,
        lambda x, w: functional.conv2d(x, w, **options),
        *operands,
        target=target,
    )[1]


def test_squeeze_and_excitation_is_compiled():
    def excite(x, squeeze, widen):
        y = x.mean((2, 3), keepdim=True)
        y = functional.silu(functional.conv2d(y, squeeze))
        return x * torch.sigmoid(functional.conv2d(y, widen))

    x = normal(2, 32, 7, 7).to(memory_format=torch.channels_last)
    assert refusals(excite, x, normal(6, 32, 1, 1), normal(32, 6, 1, 1)) == []
