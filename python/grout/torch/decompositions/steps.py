"""Strides, padding and dilation of filters that move along images."""

import dataclasses
from typing import Sequence

import torch

aten = torch.ops.aten

MOST_PLACES = 64
"""The largest number of elements of a filter for which a decomposition makes an
operator for each element."""


@dataclasses.dataclass(frozen=True)
class Steps:
    """How filters move along images."""

    stride: Sequence[int]
    padding: Sequence[int]
    dilation: Sequence[int]
    groups: int

    def reach(self, sizes: Sequence[int]) -> list[int]:
        """Returns how far filters of these sizes reach beyond their first
        element, for each axis."""
        return [(size - 1) * apart for size, apart in zip(sizes, self.dilation)]

    def counts(self, extents: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """Returns the extents of the result."""
        return [
            (extent + 2 * pad - reach - 1) // stride + 1
            for extent, pad, reach, stride in zip(
                extents, self.padding, self.reach(sizes), self.stride
            )
        ]


def pad(x: torch.Tensor, around: Sequence[tuple[int, int]]) -> torch.Tensor:
    """Adds zeros before and behind each of the last axes. A negative number of
    zeros removes elements."""
    pads = [one for pair in reversed(around) for one in pair]
    return aten.constant_pad_nd(x, pads, 0.0) if any(pads) else x


def every(
    x: torch.Tensor, dim: int, start: int, count: int, step: int
) -> torch.Tensor:
    part: torch.Tensor = aten.slice(
        x, dim, start, start + (count - 1) * step + 1, step
    )
    return part
