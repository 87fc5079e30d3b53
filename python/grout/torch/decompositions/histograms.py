"""Histograms: the number of elements in each of several ranges of equal size.
Each range is compared with all elements."""

import math
from typing import Any

import torch

from .extents import are_known

aten = torch.ops.aten

_MOST = {"cpu": 1 << 20, "cuda": 1 << 26}
"""The largest number of elements times ranges. Above it, PyTorch's kernels,
which increment the count of each element's range, are much faster."""


def find_problem(x: torch.Tensor, bins: int, low: float, high: float) -> str:
    """Returns why a histogram is not decomposed, as a sentence without its full
    stop; "" if it is. For an invalid range, PyTorch raises an error."""
    if low == high:
        return "its range follows from its elements"
    if not low < high or not math.isfinite(high - low) or bins < 1:
        return "it has no range"
    if not are_known(*x.shape):
        return "a shape is not known"
    if x.dtype not in (torch.float32, torch.float64) and (
        x.is_floating_point() or x.device.type == "cpu"
    ):
        return "it counts elements of few bits, or integers on the CPU"
    if x.numel() * bins > _MOST[x.device.type]:
        return "PyTorch's kernel is faster for so many elements and ranges"
    return ""


def _histc(
    x: torch.Tensor, bins: int = 100, min: Any = 0, max: Any = 0
) -> torch.Tensor:
    """The last range includes its upper end."""
    if find_problem(x, bins, min, max):
        return NotImplemented
    x = x.reshape(-1)
    is_inside = (x >= min) & (x <= max)
    found = _quotient((x - min) * bins, max, min).clamp(max=bins - 1)
    ranges = torch.arange(bins, dtype=found.dtype, device=x.device)
    is_there = is_inside & (found == ranges.unsqueeze(-1))
    return is_there.sum(-1, dtype=torch.int32).to(x.dtype)


def _quotient(x: torch.Tensor, high: Any, low: Any) -> torch.Tensor:
    """Returns `x` divided by `high` - `low`, rounded down. A quotient of floats
    is first rounded to the type of `x`, as in eager. The division of floats is
    in f64, because GPU kernels divide f32 less exactly."""
    if not x.is_floating_point():
        return torch.div(x, int(high) - int(low), rounding_mode="floor")
    size = torch.full((), high, dtype=x.dtype, device=x.device) - torch.full(
        (), low, dtype=x.dtype, device=x.device
    )
    return (x.double() / size.double()).to(x.dtype).floor()


TABLE = {aten.histc.default: _histc}
