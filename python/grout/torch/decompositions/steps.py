"""How filters move along images, and what of an image they read."""

import dataclasses
from typing import Sequence

import torch

aten = torch.ops.aten

MOST_PLACES = 64
"""Of filters for which there is an operator for each place."""


@dataclasses.dataclass(frozen=True)
class Steps:
    """How filters move along images."""

    stride: Sequence[int]
    padding: Sequence[int]
    dilation: Sequence[int]
    groups: int

    def reach(self, sizes: Sequence[int]) -> list[int]:
        """Of filters, beyond their first place."""
        return [(size - 1) * apart for size, apart in zip(sizes, self.dilation)]

    def counts(self, extents: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """The extents of results."""
        return [
            (extent + 2 * pad - reach - 1) // stride + 1
            for extent, pad, reach, stride in zip(
                extents, self.padding, self.reach(sizes), self.stride
            )
        ]


def pad(x: torch.Tensor, around: Sequence[tuple[int, int]]) -> torch.Tensor:
    """Zeros before and behind each of the last axes; fewer than none cut."""
    pads = [one for pair in reversed(around) for one in pair]
    return aten.constant_pad_nd(x, pads, 0.0) if any(pads) else x


def every(
    x: torch.Tensor, dim: int, start: int, count: int, step: int
) -> torch.Tensor:
    part: torch.Tensor = aten.slice(
        x, dim, start, start + (count - 1) * step + 1, step
    )
    return part
