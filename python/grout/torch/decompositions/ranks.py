"""1-D and 3-D convolutions in terms of 2-D convolutions, and depthwise
convolutions in terms of elementwise operators.

Operands are like those of an aten.convolution that is not transposed: images
[batch, channels, extents...], filters [features, channels of a group,
sizes...].
"""

import itertools
import math
from typing import Optional

import torch

from ... import targets
from . import frames
from .steps import MOST_PLACES, Steps, every, pad

aten = torch.ops.aten


def convolve(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    target: targets.Target,
) -> torch.Tensor:
    """Convolves in 1-D, 2-D or 3-D. Unless there are groups, the 2-D
    convolutions that this makes have numbers of channels and features that are
    multiples of the target's unit."""
    if is_alone(weight, steps.groups):
        return _convolve_alone(x, weight, bias, steps)
    rank = x.dim() - 2
    return {1: _in_1d, 2: _in_2d, 3: _in_3d}[rank](
        x, weight, bias, steps, target
    )


def _in_2d(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    target: targets.Target,
) -> torch.Tensor:
    """Convolves in 2-D. If there are no groups, zeros pad the channels and
    features to multiples of the target's unit."""
    features, unit = weight.shape[0], target.row_unit
    if steps.groups == 1:
        more, less = -features % unit, -x.shape[1] % unit
        none = (0, 0)
        x = pad(x, [(0, less), none, none])
        weight = pad(weight, [(0, more), (0, less), none, none])
        bias = bias if bias is None else pad(bias, [(0, more)])
    result: torch.Tensor = aten.convolution(
        x,
        weight,
        bias,
        steps.stride,
        steps.padding,
        steps.dilation,
        False,
        [0, 0],
        steps.groups,
    )
    return (
        result.narrow(1, 0, features)
        if result.shape[1] > features
        else (result)
    )


def _in_1d(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    target: targets.Target,
) -> torch.Tensor:
    """Convolves in 1-D: by frames if these are better, and otherwise in 2-D.
    The 2-D images have one row, unless the filter reaches too far for that."""
    if frames.are_better(x, weight, steps, target.row_unit):
        return frames.convolve(x, weight, bias, steps, target.row_unit)
    reach = steps.reach(weight.shape[2:])[0]
    if steps.stride[0] == 1 and not target.has_filters(
        1, steps.padding[0], reach
    ):
        return _in_rows(x, weight, bias, steps, target)
    return _in_2d(
        x.unsqueeze(2),
        weight.unsqueeze(2),
        bias,
        Steps(
            [1, *steps.stride],
            [0, *steps.padding],
            [1, *steps.dilation],
            steps.groups,
        ),
        target,
    ).squeeze(2)


def _in_rows(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    target: targets.Target,
) -> torch.Tensor:
    """Convolves in 1-D with stride 1 and a large dilation. The signal is cut
    into the rows of a 2-D image. A row has as many elements as the dilation, so
    that the elements of a filter lie below each other, in one column."""
    (batch, channels, extent), size = x.shape, weight.shape[2]
    (padding,), (apart,) = steps.padding, steps.dilation
    (count,) = steps.counts([extent], [size])
    rows = -(-count // apart) + size - 1
    x = pad(x, [(padding, rows * apart - extent - padding)])
    result = _in_2d(
        x.reshape(batch, channels, rows, apart),
        weight.unsqueeze(3),
        bias,
        Steps([1, 1], [0, 0], [1, 1], steps.groups),
        target,
    )
    return result.flatten(2).narrow(2, 0, count)


def _in_3d(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    target: targets.Target,
) -> torch.Tensor:
    """Convolves in 3-D. The planes that a filter reads become channels of one
    2-D image, so that one convolution computes the whole sum, and rounds
    once."""
    x = pad(x, [(one, one) for one in (steps.padding[0], 0, 0)])
    groups, (batch, channels, depth, *plane) = steps.groups, x.shape
    features, of_group, size, *sizes = weight.shape
    count = (depth - steps.reach(weight.shape[2:])[0] - 1) // steps.stride[
        0
    ] + 1
    x = x.view(batch, groups, of_group, depth, *plane)
    planes = [
        every(x, 3, i * steps.dilation[0], count, steps.stride[0])
        for i in range(size)
    ]
    # [batch, groups, size, channels, count, ...]; count moves next to batch
    images = (
        torch.stack(planes, 2)
        .movedim(4, 1)
        .reshape(batch * count, channels * size, *plane)
    )
    filters = weight.transpose(1, 2).reshape(features, size * of_group, *sizes)
    result = _in_2d(
        images,
        filters,
        bias,
        Steps(steps.stride[1:], steps.padding[1:], steps.dilation[1:], groups),
        target,
    )
    return result.unflatten(0, (batch, count)).transpose(1, 2)


def _convolve_alone(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
) -> torch.Tensor:
    """Convolves each channel alone, with one or more features for each channel.
    The sum over the elements of a filter is in f32, or in f64 for f64
    images."""
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    batch, channels, *extents = x.shape
    features, _, *sizes = weight.shape
    counts = steps.counts(extents, sizes)
    x = pad(x, [(one, one) for one in steps.padding]).unsqueeze(2)
    weight = weight.view(channels, features // channels, *sizes)
    total = None
    for place in itertools.product(*map(range, sizes)):
        part = x
        for i, at in enumerate(place):
            part = every(
                part, 3 + i, at * steps.dilation[i], counts[i], steps.stride[i]
            )
        factor = weight[(..., *place)].view(channels, -1, *[1] * len(sizes))
        product = part.to(wide) * factor.to(wide)
        total = product if total is None else total + product
    assert total is not None
    result = total.reshape(batch, features, *counts)
    if bias is not None:
        result = result + bias.to(wide).view(-1, *[1] * len(sizes))
    return result.to(x.dtype)


def is_alone(weight: torch.Tensor, groups: int) -> bool:
    """Whether a convolution is depthwise (each channel is a group of its own)
    and its filter is small."""
    return (
        groups > 1
        and weight.shape[1] == 1
        and math.prod(weight.shape[2:]) <= MOST_PLACES
    )
