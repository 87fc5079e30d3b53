"""Operators that move elements, in terms of slices and concatenations."""

import math
from typing import Any, Callable, Optional, Sequence

import torch

from .extents import are_known

aten = torch.ops.aten

_LONGEST = 64
"""The largest number of parts of a concatenation that is made here."""


def _flipped(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Flips an axis. The axis is split into axes whose extents are the prime
    factors of its extent, and each is flipped by itself."""
    extent = x.shape[dim]
    factor = next(
        (n for n in range(2, math.isqrt(extent) + 1) if extent % n == 0), extent
    )
    if factor != extent:
        parts = x.unflatten(dim, (factor, extent // factor))
        return _flipped(_flipped(parts, dim), dim + 1).flatten(dim, dim + 1)
    if extent < 2:
        return x
    return torch.cat(
        [x.narrow(dim, i, 1) for i in reversed(range(extent))], dim
    )


def _largest_prime(extent: int) -> int:
    largest, n = 1, 2
    while extent > 1:
        while extent % n == 0:
            largest, extent = n, extent // n
        n += 1
    return largest


def _flip(x: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    if not x.dim():
        return x.clone()
    if not are_known(*(x.shape[dim] for dim in dims)) or any(
        _largest_prime(x.shape[dim]) > _LONGEST for dim in dims
    ):
        return NotImplemented
    for dim in dims:
        x = _flipped(x, dim % x.dim())
    return x.clone()


def _repeat(x: torch.Tensor, counts: Sequence[int]) -> torch.Tensor:
    """Repeats by adding a new axis for each axis, which is then expanded."""
    shape = [1] * (len(counts) - x.dim()) + list(x.shape)
    axes = [axis for extent in shape for axis in (1, extent)]
    wide = [
        axis for count, extent in zip(counts, shape) for axis in (count, extent)
    ]
    return (
        x.reshape(axes)
        .expand(wide)
        .reshape([count * extent for count, extent in zip(counts, shape)])
    )


def _pad(x: torch.Tensor, pads: Sequence[int], value: Any = 0) -> torch.Tensor:
    """Expresses negative padding by slices."""
    if min(pads, default=0) >= 0:
        return NotImplemented
    for i, (low, high) in enumerate(zip(pads[::2], pads[1::2])):
        dim, extent = x.dim() - 1 - i, x.shape[x.dim() - 1 - i]
        start, end = max(-low, 0), extent - max(-high, 0)
        x = x.narrow(dim, start, end - start)
    if max(pads) <= 0:
        return x.clone()
    return aten.constant_pad_nd(x, [max(pad, 0) for pad in pads], value)


def _reflected(x: torch.Tensor, pads: Sequence[int]) -> torch.Tensor:
    padded = x.shape[x.dim() - len(pads) // 2 :]
    if not are_known(*pads, *padded) or max(pads) > _LONGEST or min(pads) < 0:
        return NotImplemented
    for i, (low, high) in enumerate(zip(pads[::2], pads[1::2])):
        dim, extent = x.dim() - 1 - i, x.shape[x.dim() - 1 - i]
        rows = (
            [*range(low, 0, -1)],
            [*range(extent - 2, extent - 2 - high, -1)],
        )
        before, after = (
            [x.narrow(dim, row, 1) for row in side] for side in rows
        )
        x = torch.cat([*before, x, *after], dim)
    return x


def _replicated(x: torch.Tensor, pads: Sequence[int]) -> torch.Tensor:
    if not are_known(*pads) or min(pads) < 0:
        return NotImplemented
    for i, (low, high) in enumerate(zip(pads[::2], pads[1::2])):
        dim, extent = x.dim() - 1 - i, x.shape[x.dim() - 1 - i]

        def repeated(row: int, count: int) -> torch.Tensor:
            shape = list(x.shape)
            shape[dim] = count
            return x.narrow(dim, row, 1).expand(shape)

        x = torch.cat([repeated(0, low), x, repeated(extent - 1, high)], dim)
    return x


def _slice_scatter(
    x: torch.Tensor,
    part: torch.Tensor,
    dim: int = 0,
    start: Optional[int] = None,
    end: Optional[int] = None,
    step: int = 1,
) -> torch.Tensor:
    """Concatenates the elements before the slice, `part`, and the elements
    after the slice."""
    if step != 1 or not are_known(x.shape[dim]):
        return NotImplemented
    start, end, _ = slice(start, end).indices(x.shape[dim])
    return torch.cat(
        [
            x.narrow(dim, 0, start),
            part.to(x.dtype),
            x.narrow(dim, end, x.shape[dim] - end),
        ],
        dim,
    )


def _select_scatter(
    x: torch.Tensor, part: torch.Tensor, dim: int, index: int
) -> torch.Tensor:
    if not are_known(x.shape[dim]):
        return NotImplemented
    start = index % x.shape[dim]
    return _slice_scatter(x, part.unsqueeze(dim), dim, start, start + 1)


def _index_fill(
    x: torch.Tensor, dim: int, index: torch.Tensor, value: Any
) -> torch.Tensor:
    """Before version 2.15, PyTorch's own decomposition sets the strides by an
    in-place copy, which graphs of torch.compile must not have."""
    if not x.dim() or isinstance(value, torch.Tensor) and value.dim():
        return NotImplemented
    shape = list(x.shape)
    shape[dim] = index.numel()
    one = (
        value.to(x.dtype)
        if isinstance(value, torch.Tensor)
        else torch.full((), value, dtype=x.dtype, device=x.device)
    )
    return x.index_copy(dim, index, one.expand(shape))


def _diagonal(
    x: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> torch.Tensor:
    """Takes every n-th element of the flattened matrix, where n is the number
    of columns plus 1."""
    x = x.movedim((dim1, dim2), (-2, -1))
    rows, columns = x.shape[-2:]
    if not are_known(rows, columns):
        return NotImplemented
    count = (
        min(rows, columns - offset)
        if offset >= 0
        else min(rows + offset, columns)
    )
    if count <= 0:
        return NotImplemented
    start = offset if offset >= 0 else -offset * columns
    flat = x.flatten(-2)
    return aten.slice(
        flat, -1, start, start + (count - 1) * (columns + 1) + 1, columns + 1
    )


def _diagonal_scatter(
    x: torch.Tensor,
    part: torch.Tensor,
    offset: int = 0,
    dim1: int = 0,
    dim2: int = 1,
) -> torch.Tensor:
    if (
        offset
        or not are_known(x.shape[dim1], x.shape[dim2])
        or x.shape[dim1] != x.shape[dim2]
    ):
        return NotImplemented
    own = x.movedim((dim1, dim2), (-2, -1))
    rows = torch.arange(x.shape[dim1], device=x.device)
    return torch.where(
        rows == rows.unsqueeze(-1), part.unsqueeze(-1), own
    ).movedim((-2, -1), (dim1, dim2))


def _bucketize(
    x: torch.Tensor,
    boundaries: torch.Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
) -> torch.Tensor:
    """Compares `x` with each boundary, and counts the boundaries below it."""
    if not are_known(boundaries.numel()) or boundaries.numel() > _LONGEST:
        return NotImplemented
    x = x.unsqueeze(-1)
    # NaN is above all boundaries.
    is_below = ~(boundaries > x) if right else ~(boundaries >= x)
    return is_below.sum(-1, dtype=torch.int32 if out_int32 else torch.int64)


def _unfold(x: torch.Tensor, dim: int, size: int, step: int) -> torch.Tensor:
    if (
        x.dim() == 0
        or not are_known(size, step, x.shape[dim])
        or size > _LONGEST
    ):
        return NotImplemented
    count = (x.shape[dim] - size) // step + 1
    return torch.stack(
        [
            aten.slice(x, dim, i, i + (count - 1) * step + 1, step)
            for i in range(size)
        ],
        -1,
    )


def _eye(
    rows: int,
    columns: Optional[int] = None,
    *,
    dtype: Optional[torch.dtype] = None,
    device: Optional[torch.device] = None,
    **options: Any,
) -> torch.Tensor:
    i = torch.arange(rows, device=device)
    j = torch.arange(rows if columns is None else columns, device=device)
    return (i.unsqueeze(-1) == j).to(dtype or torch.get_default_dtype())


def _eye_of(rows: int, columns: int, **options: Any) -> torch.Tensor:
    return _eye(rows, columns, **options)


def _scalar_tensor(
    value: Any,
    *,
    dtype: Optional[torch.dtype] = None,
    device: Optional[torch.device] = None,
    **options: Any,
) -> torch.Tensor:
    return torch.full((), value, dtype=dtype, device=device)


def _empty(
    shape: Sequence[int],
    *,
    dtype: Optional[torch.dtype] = None,
    device: Optional[torch.device] = None,
    **options: Any,
) -> torch.Tensor:
    """Fills with zeros, because the elements must have some value."""
    return torch.zeros(shape, dtype=dtype, device=device)


def _empty_permuted(
    shape: Sequence[int], order: Sequence[int], **options: Any
) -> torch.Tensor:
    result = _empty([shape[dim] for dim in order], **options)
    return result.permute([order.index(dim) for dim in range(len(order))])


TABLE: dict[Any, Callable[..., Any]] = {
    aten.index_fill.int_Scalar: _index_fill,
    aten.index_fill.int_Tensor: _index_fill,
    aten.flip.default: _flip,
    aten.repeat.default: _repeat,
    aten.constant_pad_nd.default: _pad,
    aten.reflection_pad1d.default: _reflected,
    aten.reflection_pad2d.default: _reflected,
    aten.reflection_pad3d.default: _reflected,
    aten.replication_pad1d.default: _replicated,
    aten.replication_pad2d.default: _replicated,
    aten.replication_pad3d.default: _replicated,
    aten.slice_scatter.default: _slice_scatter,
    aten.select_scatter.default: _select_scatter,
    aten.diagonal_copy.default: _diagonal,
    aten.diagonal_scatter.default: _diagonal_scatter,
    aten.bucketize.Tensor: _bucketize,
    aten.eye.default: _eye,
    aten.eye.m: _eye_of,
    torch.ops.prims.scalar_tensor.default: _scalar_tensor,
    aten.empty.memory_format: _empty,
    aten.empty_permuted.default: _empty_permuted,
}

VIEWS: dict[Any, Callable[..., Any]] = {
    aten.diagonal.default: _diagonal,
    aten.unfold.default: _unfold,
}
"""Rules that make tensors of their own from the elements of these views."""
