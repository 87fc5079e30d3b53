"""Histograms: the number of elements in each of several ranges of equal size.
Each of a few ranges is compared with all elements. For many ranges, the ranges
of the elements are sorted."""

import math
from typing import Any

import torch

from . import groups, sorting
from .extents import are_known

aten = torch.ops.aten

_FEW = 2048
"""The largest number of ranges that are compared with all elements, unless
there are too many elements to sort."""

_FEW_COMPARISONS = 1 << 19
"""The largest number of elements times ranges for which all elements are
counted together. Counting them in parts takes another kernel."""

_MOST_COUNTS = 1 << 15
"""The largest number of parts times ranges, unless there are more ranges."""

_SMALLEST_PART = 64
"""The least number of elements of a part."""

_MOST = {"cpu": 1 << 31, "cuda": 1 << 36}
"""The largest number of elements times ranges, where there are too many
elements to sort. Above it, PyTorch's kernels, which increment the count of each
element's range, are much faster."""


def find_problem(x: torch.Tensor, bins: int, low: float, high: float) -> str:
    """Returns why a histogram is not decomposed, as a sentence without its full
    stop; "" if it is. For an invalid range, PyTorch raises an error."""
    if not x.is_floating_point() and math.isfinite(high - low):
        low, high = int(low), int(high)
    if low == high:
        return "its range follows from its elements"
    if not low < high or not math.isfinite(high - low) or bins < 1:
        return "it has no range"
    if not are_known(*x.shape):
        return "a shape is not known"
    if not x.is_floating_point():
        if x.device.type == "cpu":
            return "PyTorch has no histogram of integers on the CPU"
        limits = torch.iinfo(x.dtype)
        if low < limits.min or high > limits.max:
            return "its type does not have the ends of its range"
    elif x.dtype not in (torch.float32, torch.float64):
        return "PyTorch rounds each step of a histogram of f16 or bf16"
    most = _MOST[x.device.type]
    if x.numel() > sorting.LONGEST and x.numel() * bins > most:
        return (
            f"it would compare more than {most:,} elements and ranges, and "
            f"sorts at most {sorting.LONGEST:,} elements"
        )
    return ""


def _histc(
    x: torch.Tensor, bins: int = 100, min: Any = 0, max: Any = 0
) -> torch.Tensor:
    """The last range includes its upper end."""
    if find_problem(x, bins, min, max):
        return NotImplemented
    dtype = x.dtype
    x = x.reshape(-1)
    if not dtype.is_floating_point:
        min, max = int(min), int(max)
        if (max - min) * bins > torch.iinfo(dtype).max:
            x = x.to(torch.int64)  # The products below would wrap around.
    is_inside = (x >= min) & (x <= max)
    found = _quotient((x - min) * bins, max, min).clamp(max=bins - 1)
    if bins > _FEW and x.numel() <= sorting.LONGEST:
        places = torch.where(is_inside, found, -1).unsqueeze(0)
        ranges = groups.find(places, bins)
        return (ranges.end - ranges.begin).squeeze(0).to(dtype)
    if not found.is_floating_point():
        found = found.to(torch.int32)
    return _count(torch.where(is_inside, found, -1), bins).to(dtype)


def _count(found: torch.Tensor, bins: int) -> torch.Tensor:
    """Counts the elements [N] of each range. An element has the number of its
    range, or -1. Returns [bins]."""
    ranges = torch.arange(bins, dtype=found.dtype, device=found.device)
    parts = _number_of_parts(found.shape[0], bins)
    size = -(-found.shape[0] // parts)
    if missing := parts * size - found.shape[0]:
        found = aten.constant_pad_nd(found, [0, missing], -1)
    is_there = found.view(parts, 1, size) == ranges.unsqueeze(-1)
    counts = is_there.sum(-1, dtype=torch.int32)  # [part, range]
    return counts.sum(0, dtype=torch.int32) if parts > 1 else counts[0]


def _number_of_parts(count: int, bins: int) -> int:
    """Returns in how many parts elements are counted. With one part, the blocks
    of a GPU would be as few as the ranges."""
    if count * bins <= _FEW_COMPARISONS:
        return 1
    return max(1, min(_MOST_COUNTS // bins, count // _SMALLEST_PART))


def _quotient(x: torch.Tensor, high: Any, low: Any) -> torch.Tensor:
    """Returns `x` divided by `high` - `low`, rounded down. A quotient of floats
    is first rounded to the type of `x`, as in eager. The division of floats is
    in f64, because GPU kernels divide f32 less exactly."""
    if not x.is_floating_point():
        return torch.div(x, high - low, rounding_mode="floor")
    size = torch.full((), high, dtype=x.dtype, device=x.device) - torch.full(
        (), low, dtype=x.dtype, device=x.device
    )
    return (x.double() / size.double()).to(x.dtype).floor()


TABLE = {aten.histc.default: _histc}
