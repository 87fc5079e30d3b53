"""1-D convolutions of few channels as GEMMs. The signal is cut into overlapping
frames, one for each position of the filter. The copied frames have at most
twice as many elements as the result."""

from typing import Optional

import torch

from .steps import Steps, pad

_MOST_PIECES = 64


def are_better(
    x: torch.Tensor, weight: torch.Tensor, steps: Steps, unit: int
) -> bool:
    """Whether frames are better than a convolution whose channels are padded to
    a multiple of `unit`."""
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
    """Convolves by frames. A frame consists of `pieces` blocks, and a block has
    as many elements as the stride."""
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
