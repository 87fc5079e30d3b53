"""Sorting along an axis by counting: the position of an element is the number
of elements that come before it (Knuth, The Art of Computer Programming, volume
3, 5.2, "sorting by counting"). All pairs of elements are compared at once."""

from typing import Any, Callable, Optional

import torch

from .extents import are_known

aten = torch.ops.aten

LONGEST = 256
"""The largest extent of an axis that is sorted here. For longer axes, n * n
comparisons take too long."""

_FEW = 32
"""The largest number of elements that are looked for one by one, in the kernel
that counts."""


def _is_less(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Whether `x` comes before `y`. NaN is larger than all numbers."""
    if not x.is_floating_point():
        return x < y
    return ~(x >= y) & (x == x)


def _ranks(x: torch.Tensor, descending: bool) -> torch.Tensor:
    """Returns the position that each element has after the last axis is sorted.
    Equal elements stay in their order."""
    extent = x.shape[-1]
    if x.dtype == torch.bool:
        x = x.to(torch.int32)
    places = torch.arange(extent, device=x.device)
    # [..., an element, one that may come before it]
    one, other = x.unsqueeze(-1), x.unsqueeze(-2)
    if descending:
        one, other = other, one
    before = torch.where(
        places[None, :] < places[:, None],
        ~_is_less(one, other),
        _is_less(other, one),
    )
    return before.to(torch.int32).sum(-1, dtype=torch.int32)


def _taken(
    x: torch.Tensor, ranks: torch.Tensor, wanted: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the elements along the last axis that have the `wanted` ranks,
    and their indices."""
    places = torch.arange(x.shape[-1], dtype=torch.int32, device=x.device)
    # [..., a rank, the element that has it]
    has_rank = ranks.unsqueeze(-2) == wanted.unsqueeze(-1)
    found = (
        torch.where(has_rank, places, 0)
        .sum(-1, dtype=torch.int32)
        .to(torch.int64)
    )
    return x.gather(-1, found), found


def _placed(
    x: torch.Tensor, ranks: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the sorted elements of the last axis, and the index that each had
    before."""
    ranks = ranks.to(torch.int64)
    places = torch.arange(x.shape[-1], device=x.device).expand(x.shape)
    return (
        torch.zeros(x.shape, dtype=x.dtype, device=x.device).scatter(
            -1, ranks, x
        ),
        torch.zeros(x.shape, dtype=torch.int64, device=x.device).scatter(
            -1, ranks, places
        ),
    )


def _first(
    x: torch.Tensor, count: int, dim: int, descending: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the first `count` elements of the sorted axis `dim`, and their
    indices."""
    x = x.movedim(dim, -1)
    ranks = _ranks(x, descending)
    if count > _FEW:
        values, places = (one.narrow(-1, 0, count) for one in _placed(x, ranks))
    else:
        wanted = torch.arange(count, dtype=torch.int32, device=x.device)
        values, places = _taken(x, ranks, wanted)
    return values.movedim(-1, dim), places.movedim(-1, dim)


def _is_short(x: torch.Tensor, dim: int) -> bool:
    return (
        x.dim() > 0
        and x.device.type in ("cpu", "cuda")
        and are_known(x.shape[dim])
        and 0 < x.shape[dim] <= LONGEST
    )


def _sort(x: torch.Tensor, dim: int = -1, descending: bool = False) -> Any:
    if not _is_short(x, dim):
        return NotImplemented
    return _first(x, x.shape[dim], dim, descending)


def _stable_sort(
    x: torch.Tensor,
    *,
    stable: Optional[bool],
    dim: int = -1,
    descending: bool = False,
) -> Any:
    return _sort(x, dim, descending)


def _topk(
    x: torch.Tensor,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
) -> Any:
    if not _is_short(x, dim) or not 0 < k <= x.shape[dim]:
        return NotImplemented
    return _first(x, k, dim, largest)


def _at_rank(
    x: torch.Tensor,
    rank: Callable[[torch.Tensor], torch.Tensor],
    dim: int,
    keepdim: bool,
) -> Any:
    """Returns the element along `dim` that has a rank, and its index. `rank`
    gets the tensor with that axis last."""
    if not _is_short(x, dim):
        return NotImplemented
    x = x.movedim(dim, -1)
    values, places = (
        one.movedim(-1, dim) for one in _taken(x, _ranks(x, False), rank(x))
    )
    return (
        (values, places)
        if keepdim
        else (values.squeeze(dim), places.squeeze(dim))
    )


def _constant(value: int, x: torch.Tensor) -> torch.Tensor:
    return torch.full((1,), value, dtype=torch.int32, device=x.device)


def _kthvalue(
    x: torch.Tensor, k: int, dim: int = -1, keepdim: bool = False
) -> Any:
    return _at_rank(x, lambda x: _constant(k - 1, x), dim, keepdim)


def _count_nan(x: torch.Tensor) -> torch.Tensor:
    return (x != x).to(torch.int32).sum(-1, keepdim=True, dtype=torch.int32)


def _median_rank(x: torch.Tensor) -> torch.Tensor:
    """Returns the rank of the median: the lower one of two middle elements. If
    an element is NaN, the last rank, which is NaN."""
    extent = x.shape[-1]
    middle = _constant((extent - 1) // 2, x)
    if not x.is_floating_point():
        return middle
    return torch.where(_count_nan(x) > 0, extent - 1, middle)


def _nanmedian_rank(x: torch.Tensor) -> torch.Tensor:
    """Returns the rank of the median of the elements that are not NaN, or 0 if
    all are NaN."""
    extent = x.shape[-1]
    if not x.is_floating_point():
        return _median_rank(x)
    last = (extent - 1 - _count_nan(x)).clamp(min=0)
    return torch.div(last, 2, rounding_mode="trunc")


def _middle(rank: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Any]:
    def decompose(x: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
        return _at_rank(x, rank, dim, keepdim)

    return decompose


def _middle_of_all(
    rank: Callable[[torch.Tensor], torch.Tensor],
) -> Callable[..., Any]:
    def decompose(x: torch.Tensor) -> Any:
        result = _at_rank(x.reshape(-1), rank, 0, False)
        return result if result is NotImplemented else result[0]

    return decompose


TABLE: dict[Any, Callable[..., Any]] = {
    aten.sort.default: _sort,
    aten.sort.stable: _stable_sort,
    aten.topk.default: _topk,
    aten.kthvalue.default: _kthvalue,
    aten.median.default: _middle_of_all(_median_rank),
    aten.median.dim: _middle(_median_rank),
    aten.nanmedian.default: _middle_of_all(_nanmedian_rank),
    aten.nanmedian.dim: _middle(_nanmedian_rank),
}
