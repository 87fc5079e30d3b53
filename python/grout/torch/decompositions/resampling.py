"""Samples of images at positions between pixels, in terms of elements whose
indices a tensor holds."""

import dataclasses
import itertools
import math
from typing import Any, Callable, Optional, Sequence

import torch

aten = torch.ops.aten

_BILINEAR, _NEAREST = 0, 1
_ZEROS, _BORDER = 0, 1


def _grid_sampler_2d(
    x: torch.Tensor,
    grid: torch.Tensor,
    mode: int,
    padding: int,
    align_corners: bool,
) -> torch.Tensor:
    """Samples x [batch, channels, height, width] at the positions of grid
    [batch, rows, columns, 2]. A position is a column and a row, each from -1 to
    1."""
    if mode not in (_BILINEAR, _NEAREST):
        return NotImplemented
    if x.dtype not in (
        torch.float16,
        torch.bfloat16,
        torch.float32,
        torch.float64,
    ):
        return NotImplemented
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    # The positions of an image become one axis, which makes simpler kernels.
    flat = grid.to(wide).flatten(1, 2)
    along = [
        _pixels(flat[..., 1 - axis], x.shape[2 + axis], padding, align_corners)
        for axis in range(2)
    ]
    choose = _neighbours if mode == _BILINEAR else _nearest
    places = [
        choose(pixels, extent, padding != _ZEROS)
        for pixels, extent in zip(along, x.shape[2:])
    ]
    total = None
    for row, column in itertools.product(*places):
        sample = _sample(x, row, column).to(wide)
        if row.weight is not None and column.weight is not None:
            sample = sample * (row.weight * column.weight).unsqueeze(1)
        total = sample if total is None else total + sample
    assert total is not None
    return total.to(x.dtype).unflatten(2, tuple(grid.shape[1:3]))


def _pixels(
    place: torch.Tensor, extent: int, padding: int, align_corners: bool
) -> torch.Tensor:
    """Converts positions from -1 to 1 to pixels from 0 on. With zeros around
    the image, a position may be up to two pixels outside, and infinity becomes
    NaN. Otherwise, positions outside move into the image, and NaN becomes pixel
    0."""
    if align_corners:
        pixel = (place + 1) * ((extent - 1) / 2)
    else:
        pixel = ((place + 1) * extent - 1) / 2
    if padding == _ZEROS:
        return torch.where(pixel.isinf(), math.nan, pixel).clamp(-2, extent + 1)
    if padding != _BORDER:
        pixel = (
            _reflected(pixel, 0, extent - 1)
            if align_corners
            else _reflected(pixel, -0.5, extent - 0.5)
        )
    return torch.where(pixel.isnan(), 0.0, pixel).clamp(0, extent - 1)


def _reflected(pixel: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """Reflects positions at the two ends `low` and `high`. The result repeats
    with a period of twice their distance."""
    span = high - low
    if not span:
        return torch.zeros_like(pixel)
    distance = (pixel - low).abs()
    rest = distance - (distance / (2 * span)).floor() * (2 * span)
    return torch.minimum(rest, 2 * span - rest) + low


@dataclasses.dataclass(frozen=True)
class _Neighbour:
    """A pixel next to each position, along one axis."""

    index: torch.Tensor
    """The index of the pixel; 0 if it is outside."""
    is_inside: Optional[torch.Tensor] = None
    """None if all pixels are inside."""
    weight: Optional[torch.Tensor] = None
    """The weight of the pixel in the sample; None stands for 1."""


def _neighbours(
    pixel: torch.Tensor, extent: int, is_inside: bool
) -> Sequence[_Neighbour]:
    low = pixel.floor()
    of_high = pixel - low
    return (
        _neighbour(low, extent, is_inside, 1 - of_high),
        _neighbour(low + 1, extent, False, of_high),
    )


def _nearest(
    pixel: torch.Tensor, extent: int, is_inside: bool
) -> Sequence[_Neighbour]:
    return (_neighbour(pixel.round(), extent, is_inside, None),)


def _neighbour(
    pixel: torch.Tensor,
    extent: int,
    is_inside: bool,
    weight: Optional[torch.Tensor],
) -> _Neighbour:
    inside = None
    if not is_inside:
        inside = (pixel >= 0) & (pixel < extent)
        pixel = torch.where(inside, pixel, 0.0)
    return _Neighbour(pixel.to(torch.int64), inside, weight)


def _sample(
    x: torch.Tensor, row: _Neighbour, column: _Neighbour
) -> torch.Tensor:
    """Returns the pixels [batch, channels, positions] of x, and zeros for
    pixels outside. Indices are inside by then. They are clamped all the same,
    so that later passes know their bounds and add no check."""
    batch, channels, height, width = x.shape
    images = torch.arange(batch, device=x.device).view(-1, 1, 1)
    planes = torch.arange(channels, device=x.device).view(-1, 1)
    places = (row.index * width + column.index).clamp(0, height * width - 1)
    sample = x.flatten(2)[images, planes, places.unsqueeze(1)]
    for inside in (row.is_inside, column.is_inside):
        if inside is not None:
            sample = torch.where(inside.unsqueeze(1), sample, 0.0)
    return sample


TABLE: dict[Any, Callable[..., Any]] = {
    aten.grid_sampler_2d.default: _grid_sampler_2d,
}
