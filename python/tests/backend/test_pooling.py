"""Indices of pooled elements, where windows have equal elements or none that is
a number."""

import math

import pytest
import torch
from torch.nn import functional

CASES = (  # pools, extents of the planes, windows
    (
        functional.max_pool2d,
        (9, 7),
        [
            {"kernel_size": 3, "stride": 2, "padding": 1, "ceil_mode": True},
            {"kernel_size": (2, 3), "stride": 1, "padding": 1, "dilation": 2},
        ],
    ),
    (
        functional.max_pool3d,
        (3, 4, 2),
        [{"kernel_size": (1, 2, 2), "padding": (0, 1, 1)}],
    ),
)


@pytest.mark.parametrize("pool, plane, windows", CASES)
def test_indices(pool, plane, windows):
    """Minus infinity is also what padding has. So the index of a window that
    has nothing else would be outside of the plane, where PyTorch's backward
    pass would write."""

    def pools(x):
        return [
            result
            for window in windows
            for result in pool(x, **window, return_indices=True)
        ]

    torch.manual_seed(0)
    x = torch.randint(-1, 2, (6, *plane)).float()
    x[1] = -math.inf
    x[2] = torch.where(x[2] > 0, -math.inf, x[2])
    x[3] = torch.where(x[3] > 0, math.nan, -math.inf)
    x[4] = math.inf
    compiled = torch.compile(
        pools, backend="grout", options={"fallback": "error"}
    )
    for found, expected in zip(compiled(x), pools(x), strict=True):
        torch.testing.assert_close(
            found, expected, rtol=0, atol=0, equal_nan=True
        )
