"""Convolutions in 1-D of few channels as products: a signal is cut into frames,
one for each place of the filter, which overlap. What is copied so is little
beside the result."""

from typing import Optional

import torch

from .steps import Steps, pad

_MOST_PIECES = 64


def are_better(
    x: torch.Tensor, weight: torch.Tensor, steps: Steps, unit: int
) -> bool:
    """Than a convolution whose channels are multiples of `unit`."""
    pieces = -(-weight.shape[2] // steps.stride[0])
    return (
        steps.groups == 1
        and steps.dilation[0] == 1
        and x.shape[1] % unit != 0
        and pieces <= _MOST_PIECES
        and x.shape[1] * pieces * steps.stride[0] <= 2 * weight.shape[0]
    )


def convolve(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    steps: Steps,
    unit: int,
) -> torch.Tensor:
    """A frame is some blocks of as many elements as the filter moves by."""
    (batch, channels, extent), (features, _, size) = x.shape, weight.shape
    (stride,), (padding,) = steps.stride, steps.padding
    (count,) = steps.counts([extent], [size])
    pieces = -(-size // stride)
    blocks = count + pieces - 1
    x = pad(x, [(padding, blocks * stride - extent - padding)])
    x = x.reshape(batch, channels, blocks, stride)
    rows = torch.cat([x.narrow(2, i, count) for i in range(pieces)], 3)
    rows = rows.transpose(1, 2).reshape(batch * count, -1)
    columns = pad(weight, [(0, pieces * stride - size)]).flatten(1)
    missing = (0, -rows.shape[1] % unit)
    rows, columns = pad(rows, [missing]), pad(columns, [missing]).t()
    result = (
        torch.mm(rows, columns)
        if bias is None
        else torch.addmm(bias, rows, columns)
    )
    return result.view(batch, count, features).transpose(1, 2)
