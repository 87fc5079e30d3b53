"""Transposed convolutions in terms of ordinary convolutions.

Along an axis with stride s, s neighbours in the result depend on the same
elements of the input. Each of the neighbours uses every s-th element of the
filter. An ordinary convolution with stride 1 computes the neighbours as
features, which are then put side by side. So the convolution multiplies no
zeros between the elements of a widened input. Where s does not divide the size
of a filter, it multiplies zeros that pad the filter.
"""

import dataclasses
import math
from typing import Optional, Sequence

import torch

from ... import targets
from . import ranks
from .steps import Steps, pad


@dataclasses.dataclass(frozen=True)
class Axis:
    """An axis along which filters move."""

    extent: int
    size: int
    stride: int
    padding: int
    dilation: int
    more: int
    """Additional elements at the end of the result (`output_padding`)."""

    @property
    def count(self) -> int:
        """The extent of the result."""
        return (
            (self.extent - 1) * self.stride
            - 2 * self.padding
            + self.dilation * (self.size - 1)
            + self.more
            + 1
        )

    @property
    def places(self) -> int:
        """The number of filter elements that each neighbour uses."""
        return -(-self.size // self.stride)

    @property
    def first(self) -> int:
        """The number of whole strides before the first element of the
        result."""
        return self.padding // self.stride

    @property
    def strides(self) -> int:
        """The number of strides that contain elements of the result."""
        return -(-(self.padding + self.count) // self.stride) - self.first

    @property
    def around(self) -> tuple[int, int]:
        """The numbers of zeros before and behind the input; negative numbers
        remove elements."""
        reach = self.dilation * (self.places - 1)
        low = reach - self.first
        return low, self.strides + reach - low - self.extent


def axes(
    x: torch.Tensor, weight: torch.Tensor, steps: Steps, more: Sequence[int]
) -> list[Axis]:
    return [
        Axis(*of_axis)
        for of_axis in zip(
            x.shape[2:],
            weight.shape[2:],
            steps.stride,
            steps.padding,
            steps.dilation,
            more,
        )
    ]


def convolve(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    more: Sequence[int],
    target: targets.Target,
) -> torch.Tensor:
    """Computes a transposed convolution. Filters are [channels, features of a
    group, sizes...]. An axis must not have both a dilation and a stride."""
    along, groups = axes(x, weight, steps, more), steps.groups
    rank, neighbours = len(along), math.prod(axis.stride for axis in along)
    around = [axis.around for axis in along]
    padding = [low if low == high and low >= 0 else 0 for low, high in around]
    x = pad(
        x,
        [(low - one, high - one) for (low, high), one in zip(around, padding)],
    )
    if bias is not None and neighbours > 1:
        bias = (
            bias.view(groups, 1, -1).expand(groups, neighbours, -1).reshape(-1)
        )
    result = ranks.convolve(
        x,
        _filters(weight, along, groups),
        bias,
        Steps([1] * rank, padding, [axis.dilation for axis in along], groups),
        target,
    )
    if neighbours > 1:
        result = _side_by_side(result, along, groups)
    for i, axis in enumerate(along):
        if result.shape[2 + i] > axis.count:
            result = result.narrow(
                2 + i, axis.padding - axis.first * axis.stride, axis.count
            )
    return result


def _filters(
    weight: torch.Tensor, along: Sequence[Axis], groups: int
) -> torch.Tensor:
    """Returns filters [groups x neighbours x features of a group, channels of a
    group, places...]."""
    rank = len(along)
    weight = pad(
        weight, [(0, axis.places * axis.stride - axis.size) for axis in along]
    )
    parts = weight.reshape(
        groups,
        -1,
        weight.shape[1],
        *(one for axis in along for one in (axis.places, axis.stride)),
    )
    places = range(3, 3 + 2 * rank, 2)
    parts = parts.flip([dim for dim in places if parts.shape[dim] > 1])
    parts = parts.permute(0, *range(4, 4 + 2 * rank, 2), 2, 1, *places)
    return parts.reshape(
        -1, parts.shape[rank + 2], *(axis.places for axis in along)
    )


def _side_by_side(
    result: torch.Tensor, along: Sequence[Axis], groups: int
) -> torch.Tensor:
    """Takes [batch, groups x neighbours x features, strides...], and moves the
    neighbours to their positions in the result."""
    rank, batch = len(along), result.shape[0]
    parts = result.view(
        batch,
        groups,
        *(axis.stride for axis in along),
        -1,
        *(axis.strides for axis in along),
    )
    pairs = [dim for i in range(rank) for dim in (3 + rank + i, 2 + i)]
    return parts.permute(0, 1, 2 + rank, *pairs).reshape(
        batch, -1, *(axis.strides * axis.stride for axis in along)
    )
