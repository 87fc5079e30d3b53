"""Pooling and similar operators, in terms of slices: one slice for each
position in a window."""

import itertools
import math
from typing import Any, Callable, Iterator, Optional, Sequence

import torch

aten = torch.ops.aten

_MOST = 64
"""The largest number of positions in a window. Each position has code of its
own."""

_MOST_PLANES = 9
"""The largest number of windows, or of positions in a window, that have kernels
of their own."""


def _of_rank(values: Sequence[int], rank: int) -> list[int]:
    return list(values) * rank if len(values) == 1 else list(values)


def _windows(
    x: torch.Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
) -> Iterator[tuple[tuple[int, ...], torch.Tensor]]:
    """Yields each position in a window, with the elements that all windows have
    at this position. Windows move along the last axes."""
    first = x.dim() - len(kernel)
    for place in itertools.product(*map(range, kernel)):
        part = x
        for i, offset in enumerate(place):
            count = (
                x.shape[first + i] - dilation[i] * (kernel[i] - 1) - 1
            ) // stride[i] + 1
            start = offset * dilation[i]
            part = aten.slice(
                part,
                first + i,
                start,
                start + (count - 1) * stride[i] + 1,
                stride[i],
            )
        yield place, part


def _padded(
    x: torch.Tensor, padding: Sequence[int], more: Sequence[int], value: Any
) -> torch.Tensor:
    """Pads the last axes by `padding` on both sides, and by `more` in addition
    at their ends."""
    if not any(padding) and not any(more):
        return x
    pads = [
        pad
        for low, extra in zip(reversed(padding), reversed(more))
        for pad in (low, low + extra)
    ]
    return aten.constant_pad_nd(x, pads, value)


def _more(
    x: torch.Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> list[int]:
    """Returns how many elements each axis lacks for its last window. With
    `ceil_mode`, this window may reach over the end, if it begins before the
    end."""
    lacking = []
    for extent, size, step, pad, apart in zip(
        x.shape[x.dim() - len(kernel) :], kernel, stride, padding, dilation
    ):
        rest = (extent + 2 * pad - apart * (size - 1) - 1) % step
        begins_inside = (
            extent + 2 * pad - apart * (size - 1) - 1 - rest + step
            < extent + pad
        )
        lacking.append(
            step - rest if ceil_mode and rest and begins_inside else 0
        )
    return lacking


def _max_pool(
    x: torch.Tensor,
    kernel_size: Sequence[int],
    stride: Sequence[int] = (),
    padding: Sequence[int] = (0,),
    dilation: Sequence[int] = (1,),
    ceil_mode: bool = False,
) -> Any:
    """Returns the largest element of each window, and its index in the
    plane."""
    return _max_pool_of_rank(
        2, x, kernel_size, stride, padding, dilation, ceil_mode
    )


def _max_pool3d(
    x: torch.Tensor,
    kernel_size: Sequence[int],
    stride: Sequence[int] = (),
    padding: Sequence[int] = (0,),
    dilation: Sequence[int] = (1,),
    ceil_mode: bool = False,
) -> Any:
    return _max_pool_of_rank(
        3, x, kernel_size, stride, padding, dilation, ceil_mode
    )


def _max_pool_of_rank(
    rank: int,
    x: torch.Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> Any:
    kernel = _of_rank(kernel, rank)
    stride = _of_rank(stride, rank) if stride else kernel
    padding, dilation = _of_rank(padding, rank), _of_rank(dilation, rank)
    if math.prod(kernel) > _MOST or not x.is_floating_point():
        return NotImplemented
    more = _more(x, kernel, stride, padding, dilation, ceil_mode)
    best: Optional[torch.Tensor] = None
    where: Optional[torch.Tensor] = None
    for place, value in _windows(
        _padded(x, padding, more, -math.inf), kernel, stride, dilation
    ):
        if best is None or where is None:
            # A window of minus infinities has its first index in the plane.
            first = _index(x, value, place, stride, padding, dilation, True)
            best, where = value.clone(), first.expand(value.shape)
        else:
            index = _index(x, value, place, stride, padding, dilation)
            is_better = (value > best) | value.isnan()
            # Of equal elements, such as 0.0 and -0.0, the first stays.
            best = torch.where(is_better, value, best)
            where = torch.where(is_better, index, where)
    assert best is not None and where is not None
    return best, where.clone()


def _index(
    x: torch.Tensor,
    value: torch.Tensor,
    place: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    is_inside: bool = False,
) -> torch.Tensor:
    """Returns the indices, in a flattened plane of `x`, of the elements that
    windows have at `place`. With `is_inside`, a place in the padding before
    the plane is replaced by the first place of its window that is not."""
    rank = len(place)
    index: Any = 0
    for i in range(rank):
        along = torch.arange(
            value.shape[value.dim() - rank + i], device=x.device
        )
        along = along * stride[i] + (place[i] * dilation[i] - padding[i])
        if is_inside and padding[i]:
            along = torch.maximum(along, along % dilation[i])
        index = index * x.shape[x.dim() - rank + i] + along.view(
            [-1] + [1] * (rank - 1 - i)
        )
    return index


def _avg_pool2d(
    x: torch.Tensor, kernel_size: Sequence[int], *rest: Any, **options: Any
) -> torch.Tensor:
    return _avg_pool(2, x, kernel_size, *rest, **options)


def _avg_pool3d(
    x: torch.Tensor, kernel_size: Sequence[int], *rest: Any, **options: Any
) -> torch.Tensor:
    return _avg_pool(3, x, kernel_size, *rest, **options)


def _avg_pool(
    rank: int,
    x: torch.Tensor,
    kernel_size: Sequence[int],
    stride: Sequence[int] = (),
    padding: Sequence[int] = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Optional[int] = None,
) -> torch.Tensor:
    """Averages windows, with sums in f32 or better."""
    kernel = _of_rank(kernel_size, rank)
    stride = _of_rank(stride, rank) if stride else kernel
    padding = _of_rank(padding, rank)
    if math.prod(kernel) > _MOST or not x.is_floating_point():
        return NotImplemented
    more = _more(x, kernel, stride, padding, [1] * rank, ceil_mode)
    wide = x if x.dtype == torch.float64 else x.float()
    total = _sum(_padded(wide, padding, more, 0.0), kernel, stride)
    count: Any = divisor_override or math.prod(kernel)
    if not divisor_override and (
        any(more) or any(padding) and not count_include_pad
    ):
        counted = wide.new_ones(
            [1] * (x.dim() - rank) + list(x.shape[x.dim() - rank :])
        )
        none = [0] * rank
        counted = _padded(counted, padding, none, float(count_include_pad))
        count = _sum(_padded(counted, none, more, 0.0), kernel, stride)
    return (total / count).to(x.dtype)


def _sum(
    x: torch.Tensor, kernel: Sequence[int], stride: Sequence[int]
) -> torch.Tensor:
    parts = [part for _, part in _windows(x, kernel, stride, [1] * len(kernel))]
    return sum(parts[1:], parts[0])


def _im2col(
    x: torch.Tensor,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> torch.Tensor:
    if math.prod(kernel_size) > _MOST or x.dim() != 4:
        return NotImplemented
    parts = [
        part
        for _, part in _windows(
            _padded(x, padding, [0] * len(padding), 0),
            kernel_size,
            stride,
            dilation,
        )
    ]
    return torch.stack(parts, 2).flatten(3).flatten(1, 2)


def _col2im(
    x: torch.Tensor,
    output_size: Sequence[int],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> torch.Tensor:
    """Adds up windows at their positions in the result. Windows that do not
    overlap, and have no gaps, are only moved there."""
    if x.dim() != 3 or math.prod(kernel_size) == 0:
        return NotImplemented
    wide = [size + 2 * pad for size, pad in zip(output_size, padding)]
    counts = [
        (extent - step * (size - 1) - 1) // stride_ + 1
        for extent, size, stride_, step in zip(
            wide, kernel_size, stride, dilation
        )
    ]
    parts = x.reshape(
        [
            x.shape[0],
            x.shape[1] // math.prod(kernel_size),
            *kernel_size,
            *counts,
        ]
    )
    if all(
        count * size == extent and stride_ == size and step == 1
        for count, size, extent, stride_, step in zip(
            counts, kernel_size, wide, stride, dilation
        )
    ):
        total = parts.permute(0, 1, 4, 2, 5, 3).reshape(
            [*parts.shape[:2], *wide]
        )
    elif math.prod(kernel_size) <= _MOST_PLANES:
        total = _overlapped(parts, wide, dilation, stride)
    else:
        return NotImplemented
    for i, (size, pad) in enumerate(zip(output_size, padding)):
        total = total.narrow(2 + i, pad, size)
    return total.to(x.dtype).clone()


def _overlapped(
    parts: torch.Tensor,
    extents: Sequence[int],
    dilation: Sequence[int],
    stride: Sequence[int],
) -> torch.Tensor:
    """Adds up windows that overlap, in f32 or better. Axes 2 and 3 of `parts`
    are the axes of a window, axes 4 and 5 number the windows."""
    if parts.dtype != torch.float64:
        parts = parts.float()
    places = itertools.product(*map(range, parts.shape[2:4]))
    first, *others = [
        _placed(parts[:, :, i, j], (i, j), extents, dilation, stride)
        for i, j in places
    ]
    return sum(others, first)


def _placed(
    x: torch.Tensor,
    place: Sequence[int],
    extents: Sequence[int],
    dilation: Sequence[int],
    stride: Sequence[int],
) -> torch.Tensor:
    """Returns a tensor of `extents` with the elements of `x` at distances of
    `stride`, from `place` times `dilation` on, and zeros elsewhere."""
    for i, extent in enumerate(extents):
        dim, start = 2 + i, place[i] * dilation[i]
        if stride[i] != 1:
            apart = aten.constant_pad_nd(
                x.unsqueeze(dim + 1),
                [0, 0] * (x.dim() - dim - 1) + [0, stride[i] - 1],
                0,
            )
            x = apart.flatten(dim, dim + 1)
            x = x.narrow(dim, 0, min(x.shape[dim], extent - start))
        after = extent - start - x.shape[dim]
        x = aten.constant_pad_nd(
            x, [0, 0] * (x.dim() - dim - 1) + [start, after], 0
        )
    return x


def _adaptive_max_pool2d(x: torch.Tensor, output_size: Sequence[int]) -> Any:
    """Returns the largest element of each window, and its index in the
    plane."""
    if not 0 < math.prod(output_size) <= _MOST_PLANES:
        return NotImplemented
    spans = [
        [
            (i * extent // count, -(-(i + 1) * extent // count))
            for i in range(count)
        ]
        for extent, count in zip(x.shape[-2:], output_size)
    ]
    rows, columns = x.shape[-2:]
    plane = torch.arange(rows * columns, device=x.device).view(rows, columns)
    found = [
        _largest(x[..., top:bottom, left:right], plane[top:bottom, left:right])
        for (top, bottom), (left, right) in itertools.product(*spans)
    ]
    shape = [*x.shape[:-2], *output_size]
    values, places = (
        torch.stack(parts, -1).view(shape) for parts in zip(*found)
    )
    return values, places


def _largest(
    window: torch.Tensor, places: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the largest element of the last two axes, and its index: the
    first of equal elements, but the last NaN."""
    value = window.amax((-2, -1), keepdim=True)
    first = torch.where(window == value, places, torch.iinfo(torch.int64).max)
    last = torch.where(window.isnan(), places, -1).amax((-2, -1))
    return (
        value.squeeze((-2, -1)),
        torch.where(last < 0, first.amin((-2, -1)), last),
    )


def _nearest(
    x: torch.Tensor, size: Sequence[int], *scales: Any
) -> torch.Tensor:
    """Upsamples by whole factors, with new axes that are expanded."""
    inner = x.shape[2:]
    if any(large % small for large, small in zip(size, inner)) or any(
        scale is not None and scale * small != large
        for scale, small, large in zip(scales, inner, size)
    ):
        return NotImplemented
    axes = list(x.shape[:2])
    wide = list(x.shape[:2])
    for large, small in zip(size, inner):
        axes += [small, 1]
        wide += [small, large // small]
    return x.reshape(axes).expand(wide).reshape(list(x.shape[:2]) + list(size))


TABLE: dict[Any, Callable[..., Any]] = {
    aten.max_pool2d_with_indices.default: _max_pool,
    aten.max_pool3d_with_indices.default: _max_pool3d,
    aten.avg_pool2d.default: _avg_pool2d,
    aten.avg_pool3d.default: _avg_pool3d,
    aten.adaptive_max_pool2d.default: _adaptive_max_pool2d,
    aten.im2col.default: _im2col,
    aten.col2im.default: _col2im,
    aten.upsample_nearest1d.default: _nearest,
    aten.upsample_nearest2d.default: _nearest,
    aten.upsample_nearest3d.default: _nearest,
}
