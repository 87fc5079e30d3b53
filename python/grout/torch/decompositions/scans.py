"""Scans, such as cumsum: recurrences along an axis.

A tensor with few elements takes one step: each result is a reduction over the
elements up to its own. A short axis takes steps that double: each element is
combined with the element 1, 2, 4, ... positions before. A long axis is cut into
blocks. Each block takes one step. The totals of the blocks are a shorter axis,
which is scanned in the same way (Blelloch, Prefix Sums and Their Applications).
For a long axis, doubling steps would be too many statements for the
scheduler."""

import dataclasses
import math
from typing import Any, Callable, Optional

import torch

from .extents import are_known
from .quotients import shifted_right

aten = torch.ops.aten

_LONGEST = 4096
"""The largest extent of an axis that is not cut into blocks."""

_BLOCK = 32

_MOST_TERMS = 1 << 18
"""The largest number of terms of all reductions of a scan in a single step. This
is one kernel, but the number grows with the square of the extent."""

Values = tuple[torch.Tensor, ...]


@dataclasses.dataclass(frozen=True)
class _Scan:
    """A recurrence of one or several tensors."""

    combine: Callable[..., Values]
    """Combines earlier values with later values, which are the arguments in
    this order."""
    fold: Callable[..., Values]
    """Reduces the last axis of the values. The first argument is a mask: where
    it is false, the neutral value takes the place of the element."""
    neutral: Callable[[torch.dtype], tuple[Any, ...]]
    """Returns the neutral values of a type, one for each tensor."""


def _scan(values: Values, dim: int, scan: _Scan) -> Values:
    extent = values[0].shape[dim]
    is_small = (
        are_known(*values[0].shape)
        and 0 < math.prod(values[0].shape) * extent <= _MOST_TERMS
    )
    if is_small or extent > _LONGEST:
        last = tuple(x.movedim(dim, -1) for x in values)
        scanned = (_scan_block if is_small else _scan_blocks)(last, scan)
        return tuple(x.movedim(-1, dim) for x in scanned)
    step = 1
    while step < extent:
        earlier = [x.narrow(dim, 0, extent - step) for x in values]
        later = [x.narrow(dim, step, extent - step) for x in values]
        values = tuple(
            torch.cat([x.narrow(dim, 0, step), combined], dim)
            for x, combined in zip(values, scan.combine(*earlier, *later))
        )
        step *= 2
    return values


def _scan_blocks(values: Values, scan: _Scan) -> Values:
    """Scans the last axis in blocks."""
    extent = values[0].shape[-1]
    if extent <= _BLOCK:
        return _scan_block(values, scan)
    neutral = scan.neutral(values[0].dtype)
    missing = -extent % _BLOCK
    blocks = _scan_block(
        tuple(
            _padded(x, 0, missing, number).unflatten(-1, (-1, _BLOCK))
            for x, number in zip(values, neutral)
        ),
        scan,
    )
    totals = _scan_blocks(tuple(x.select(-1, _BLOCK - 1) for x in blocks), scan)
    before = tuple(
        _padded(x.narrow(-1, 0, x.shape[-1] - 1), 1, 0, number).unsqueeze(-1)
        for x, number in zip(totals, neutral)
    )
    return tuple(
        x.flatten(-2).narrow(-1, 0, extent)
        for x in scan.combine(*before, *blocks)
    )


def _padded(
    x: torch.Tensor, before: int, behind: int, value: Any
) -> torch.Tensor:
    return (
        aten.constant_pad_nd(x, [before, behind], value)
        if before or behind
        else x
    )


def _scan_block(values: Values, scan: _Scan) -> Values:
    places = torch.arange(values[0].shape[-1], device=values[0].device)
    return scan.fold(
        places <= places.unsqueeze(-1), *(x.unsqueeze(-2) for x in values)
    )


def _scanned(values: Values, dim: int, scan: _Scan) -> Values:
    """Scans an axis of tensors, which may have no axes."""
    rank = values[0].dim()
    if not rank:
        return tuple(x.clone() for x in values)
    return _scan(values, dim % rank, scan)


def _is_known(x: torch.Tensor, dim: int) -> bool:
    return not x.dim() or are_known(x.shape[dim])


def _is_known_type(x: torch.Tensor, dtype: Optional[torch.dtype]) -> bool:
    """Whether `x` is scanned as `dtype`. PyTorch raises an error for results
    that are truth values."""
    return not (
        x.is_complex()
        or dtype == torch.bool
        or (dtype is not None and dtype.is_complex)
    )


def _wide(
    x: torch.Tensor, dtype: Optional[torch.dtype]
) -> tuple[torch.Tensor, torch.dtype]:
    """Returns `x` in the type in which to compute, and the type of the
    result."""
    result = dtype or (x.dtype if x.is_floating_point() else torch.int64)
    x = x.to(result)
    return (
        x.float() if result in (torch.float16, torch.bfloat16) else x,
        result,
    )


_SUM = _Scan(
    lambda a, b: (a + b,),
    lambda mask, x: (torch.where(mask, x, 0).sum(-1, dtype=x.dtype),),
    lambda dtype: (0,),
)

_PRODUCT = _Scan(
    lambda a, b: (a * b,),
    lambda mask, x: (torch.where(mask, x, 1).prod(-1, dtype=x.dtype),),
    lambda dtype: (1,),
)

_LOGSUMEXP = _Scan(
    lambda a, b: (torch.logaddexp(a, b),),
    lambda mask, x: (torch.where(mask, x, -math.inf).logsumexp(-1),),
    lambda dtype: (-math.inf,),
)


def _cumsum(
    x: torch.Tensor, dim: int, *, dtype: Optional[torch.dtype] = None
) -> torch.Tensor:
    if not (_is_known(x, dim) and _is_known_type(x, dtype)):
        return NotImplemented
    x, result = _wide(x, dtype)
    return _scanned((x,), dim, _SUM)[0].to(result)


def _cumprod(
    x: torch.Tensor, dim: int, *, dtype: Optional[torch.dtype] = None
) -> torch.Tensor:
    if not (_is_known(x, dim) and _is_known_type(x, dtype)):
        return NotImplemented
    x, result = _wide(x, dtype)
    if x.dtype == torch.float32 and x.device.type == "cpu":
        x = x.double()  # as in eager; in f32, each product would round
    return _scanned((x,), dim, _PRODUCT)[0].to(result)


def _logcumsumexp(x: torch.Tensor, dim: int) -> torch.Tensor:
    if not _is_known(x, dim) or not x.is_floating_point():
        return NotImplemented
    x, result = _wide(x, None)
    return _scanned((x,), dim, _LOGSUMEXP)[0].to(result)


def _extreme(
    is_better: Callable[[Any, Any], Any],
    extreme_of: Callable[..., torch.Tensor],
    worst: Callable[[torch.dtype], Any],
) -> Callable[..., Any]:
    """Returns a rule for the largest or smallest element so far, and its index.
    Of several equal elements, the last counts, and says the sign of a zero."""

    def combine(
        a: torch.Tensor, i: torch.Tensor, b: torch.Tensor, j: torch.Tensor
    ) -> Values:
        is_later = is_better(b, a)
        if b.is_floating_point():
            is_later = is_later | b.isnan()
        return torch.where(is_later, b, a), torch.where(is_later, j, i)

    def fold(
        mask: torch.Tensor, x: torch.Tensor, places: torch.Tensor
    ) -> Values:
        extreme = extreme_of(torch.where(mask, x, worst(x.dtype)), [-1], True)
        is_there = mask & (x == extreme)
        extreme = extreme.squeeze(-1)
        if not x.is_floating_point():
            return extreme, torch.where(is_there, places, -1).amax(-1)
        is_there = is_there | (mask & x.isnan())
        # Element i has place 2 i, or 2 i + 1 if its sign bit is set.
        places = 2 * places + torch.signbit(x).to(places.dtype)
        found = torch.where(is_there, places, -1).amax(-1)
        zero = torch.where((found & 1) == 1, -0.0, 0.0)
        return (
            torch.where(extreme == 0, zero, extreme).to(x.dtype),
            shifted_right(found, 1),
        )

    scan = _Scan(combine, fold, lambda dtype: (worst(dtype), -1))

    def decompose(x: torch.Tensor, dim: int) -> Any:
        if not _is_known(x, dim):
            return NotImplemented
        if not x.dim():
            return x.clone(), torch.zeros_like(x, dtype=torch.int64)
        shape = [1] * x.dim()
        shape[dim] = x.shape[dim]
        places = torch.arange(x.shape[dim], device=x.device).view(shape)
        is_true = x.dtype == torch.bool
        values, found = _scanned(
            (x.to(torch.int32) if is_true else x, places.expand(x.shape)),
            dim,
            scan,
        )
        return values.to(x.dtype), found

    return decompose


def least(dtype: torch.dtype) -> Any:
    """Returns a number than which no number of a type is smaller."""
    return -math.inf if dtype.is_floating_point else torch.iinfo(dtype).min


def _greatest(dtype: torch.dtype) -> Any:
    return math.inf if dtype.is_floating_point else torch.iinfo(dtype).max


TABLE: dict[Any, Callable[..., Any]] = {
    aten.cumsum.default: _cumsum,
    aten.cumprod.default: _cumprod,
    aten.logcumsumexp.default: _logcumsumexp,
    aten.cummax.default: _extreme(lambda b, a: b >= a, torch.amax, least),
    aten.cummin.default: _extreme(lambda b, a: b <= a, torch.amin, _greatest),
}
