"""Pooling and the like, in terms of slices: one for each place in a window."""

import itertools
import math
from typing import Any, Iterator, Optional, Sequence

import torch

aten = torch.ops.aten

_MOST = 64
"""Places in a window, for which there is code each."""


def _of_rank(values: Sequence[int], rank: int) -> list[int]:
    return list(values) * rank if len(values) == 1 else list(values)


def _windows(x: torch.Tensor, kernel: Sequence[int], stride: Sequence[int],
             dilation: Sequence[int]
             ) -> Iterator[tuple[tuple[int, ...], torch.Tensor]]:
    """For each place in a window: where it is, and what is there in all of
    them. The last axes are those that windows move along."""
    first = x.dim() - len(kernel)
    for place in itertools.product(*map(range, kernel)):
        part = x
        for i, offset in enumerate(place):
            count = (x.shape[first + i] - dilation[i] * (kernel[i] - 1)
                     - 1) // stride[i] + 1
            start = offset * dilation[i]
            part = aten.slice(part, first + i, start,
                              start + (count - 1) * stride[i] + 1, stride[i])
        yield place, part


def _padded(x: torch.Tensor, padding: Sequence[int], value: Any
            ) -> torch.Tensor:
    if not any(padding):
        return x
    pads = [pad for pad in reversed(padding) for _ in range(2)]
    return aten.constant_pad_nd(x, pads, value)


def _is_cut_alike(x: torch.Tensor, kernel: Sequence[int],
                  stride: Sequence[int], padding: Sequence[int],
                  dilation: Sequence[int]) -> bool:
    """Whether there are as many windows if a part of one counts."""
    extents = x.shape[x.dim() - len(kernel):]
    return all((extent + 2 * pad - step * (size - 1) - 1) % stride_ == 0
               for extent, size, stride_, pad, step
               in zip(extents, kernel, stride, padding, dilation))


def _max_pool(x: torch.Tensor, kernel_size: Sequence[int],
              stride: Sequence[int] = (), padding: Sequence[int] = (0,),
              dilation: Sequence[int] = (1,), ceil_mode: bool = False
              ) -> Any:
    """The largest of each window, and where it was."""
    return _max_pool_of_rank(2, x, kernel_size, stride, padding, dilation,
                             ceil_mode)


def _max_pool3d(x: torch.Tensor, kernel_size: Sequence[int],
                stride: Sequence[int] = (), padding: Sequence[int] = (0,),
                dilation: Sequence[int] = (1,), ceil_mode: bool = False
                ) -> Any:
    return _max_pool_of_rank(3, x, kernel_size, stride, padding, dilation,
                             ceil_mode)


def _max_pool_of_rank(rank: int, x: torch.Tensor, kernel: Sequence[int],
                      stride: Sequence[int], padding: Sequence[int],
                      dilation: Sequence[int], ceil_mode: bool) -> Any:
    kernel = _of_rank(kernel, rank)
    stride = _of_rank(stride, rank) if stride else kernel
    padding, dilation = _of_rank(padding, rank), _of_rank(dilation, rank)
    if (math.prod(kernel) > _MOST or not x.is_floating_point() or ceil_mode
            and not _is_cut_alike(x, kernel, stride, padding, dilation)):
        return NotImplemented
    best: Optional[torch.Tensor] = None
    where: Optional[torch.Tensor] = None
    for place, value in _windows(_padded(x, padding, -math.inf), kernel,
                                 stride, dilation):
        index = _index(x, value, place, stride, padding, dilation)
        if best is None or where is None:
            best, where = value.clone(), index.expand(value.shape)
        else:
            is_better = (value > best) | value.isnan()
            best = torch.maximum(best, value)
            where = torch.where(is_better, index, where)
    assert best is not None and where is not None
    return best, where.clone()


def _index(x: torch.Tensor, value: torch.Tensor, place: Sequence[int],
           stride: Sequence[int], padding: Sequence[int],
           dilation: Sequence[int]) -> torch.Tensor:
    """Where in a plane of `x`, as if flattened, the values of a place are."""
    rank = len(place)
    index: Any = 0
    for i in range(rank):
        along = torch.arange(value.shape[value.dim() - rank + i],
                             device=x.device)
        along = along * stride[i] + (place[i] * dilation[i] - padding[i])
        index = (index * x.shape[x.dim() - rank + i]
                 + along.view([-1] + [1] * (rank - 1 - i)))
    return index


def _avg_pool2d(x: torch.Tensor, kernel_size: Sequence[int], *rest: Any,
                **options: Any) -> torch.Tensor:
    return _avg_pool(2, x, kernel_size, *rest, **options)


def _avg_pool3d(x: torch.Tensor, kernel_size: Sequence[int], *rest: Any,
                **options: Any) -> torch.Tensor:
    return _avg_pool(3, x, kernel_size, *rest, **options)


def _avg_pool(rank: int, x: torch.Tensor, kernel_size: Sequence[int],
              stride: Sequence[int] = (), padding: Sequence[int] = (0,),
              ceil_mode: bool = False, count_include_pad: bool = True,
              divisor_override: Optional[int] = None) -> torch.Tensor:
    """Summed in f32 or better."""
    kernel = _of_rank(kernel_size, rank)
    stride = _of_rank(stride, rank) if stride else kernel
    padding, dilation = _of_rank(padding, rank), [1] * rank
    if (math.prod(kernel) > _MOST or not x.is_floating_point() or ceil_mode
            and not _is_cut_alike(x, kernel, stride, padding, dilation)):
        return NotImplemented
    wide = x if x.dtype == torch.float64 else x.float()
    total = _sum(wide, kernel, stride, padding)
    count: Any = divisor_override or math.prod(kernel)
    if any(padding) and not count_include_pad and not divisor_override:
        count = _sum(torch.ones_like(wide), kernel, stride, padding)
    return (total / count).to(x.dtype)


def _sum(x: torch.Tensor, kernel: Sequence[int], stride: Sequence[int],
         padding: Sequence[int]) -> torch.Tensor:
    parts = [part for _, part in _windows(_padded(x, padding, 0.0), kernel,
                                          stride, [1] * len(kernel))]
    return sum(parts[1:], parts[0])


def _im2col(x: torch.Tensor, kernel_size: Sequence[int],
            dilation: Sequence[int], padding: Sequence[int],
            stride: Sequence[int]) -> torch.Tensor:
    if math.prod(kernel_size) > _MOST or x.dim() != 4:
        return NotImplemented
    parts = [part for _, part in _windows(_padded(x, padding, 0), kernel_size,
                                          stride, dilation)]
    return torch.stack(parts, 2).reshape(
        x.shape[0], x.shape[1] * len(parts), -1)


def _nearest(x: torch.Tensor, size: Sequence[int], *scales: Any
             ) -> torch.Tensor:
    """By whole numbers: new axes, expanded."""
    inner = x.shape[2:]
    if any(large % small for large, small in zip(size, inner)) or any(
            scale is not None and scale * small != large
            for scale, small, large in zip(scales, inner, size)):
        return NotImplemented
    axes = list(x.shape[:2])
    wide = list(x.shape[:2])
    for large, small in zip(size, inner):
        axes += [small, 1]
        wide += [small, large // small]
    return x.reshape(axes).expand(wide).reshape(list(x.shape[:2]) + list(size))


TABLE = {
    aten.max_pool2d_with_indices.default: _max_pool,
    aten.max_pool3d_with_indices.default: _max_pool3d,
    aten.avg_pool2d.default: _avg_pool2d, aten.avg_pool3d.default: _avg_pool3d,
    aten.im2col.default: _im2col,
    aten.upsample_nearest1d.default: _nearest,
    aten.upsample_nearest2d.default: _nearest,
    aten.upsample_nearest3d.default: _nearest,
}
