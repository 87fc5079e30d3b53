"""Recurrences along an axis, in steps that double: each element is combined
with the one 1, 2, 4, ... places before."""

from typing import Any, Callable, Optional

import torch

from .extents import are_known

aten = torch.ops.aten

_LONGEST = 4096


def _scan(values: tuple[torch.Tensor, ...], dim: int,
          combine: Callable[..., tuple[torch.Tensor, ...]]
          ) -> tuple[torch.Tensor, ...]:
    """`combine` takes earlier values, and then later ones."""
    extent = values[0].shape[dim]
    step = 1
    while step < extent:
        earlier = [x.narrow(dim, 0, extent - step) for x in values]
        later = [x.narrow(dim, step, extent - step) for x in values]
        values = tuple(
            torch.cat([x.narrow(dim, 0, step), combined], dim)
            for x, combined in zip(values, combine(*earlier, *later)))
        step *= 2
    return values


def _is_short(x: torch.Tensor, dim: int) -> bool:
    return (x.dim() > 0 and are_known(x.shape[dim])
            and x.shape[dim] <= _LONGEST)


def _wide(x: torch.Tensor, dtype: Optional[torch.dtype]
          ) -> tuple[torch.Tensor, torch.dtype]:
    """In the type in which to compute, and that of the result."""
    result = dtype or (x.dtype if x.is_floating_point() else torch.int64)
    x = x.to(result)
    return (x.float() if result in (torch.float16, torch.bfloat16) else x,
            result)


def _cumsum(x: torch.Tensor, dim: int, *, dtype: Optional[torch.dtype] = None
            ) -> torch.Tensor:
    if not _is_short(x, dim):
        return NotImplemented
    x, result = _wide(x, dtype)
    return _scan((x,), dim, lambda a, b: (a + b,))[0].to(result)


def _cumprod(x: torch.Tensor, dim: int, *, dtype: Optional[torch.dtype] = None
             ) -> torch.Tensor:
    if not _is_short(x, dim):
        return NotImplemented
    x, result = _wide(x, dtype)
    return _scan((x,), dim, lambda a, b: (a * b,))[0].to(result)


def _logcumsumexp(x: torch.Tensor, dim: int) -> torch.Tensor:
    if not _is_short(x, dim) or not x.is_floating_point():
        return NotImplemented
    x, result = _wide(x, None)
    return _scan((x,), dim, lambda a, b: (torch.logaddexp(a, b),)
                 )[0].to(result)


def _extreme(is_better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The largest or smallest so far, and where it is; of equal ones the
    last."""
    def combine(a: torch.Tensor, i: torch.Tensor, b: torch.Tensor,
                j: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        is_later = is_better(b, a)
        if b.is_floating_point():
            is_later = is_later | b.isnan()
        return torch.where(is_later, b, a), torch.where(is_later, j, i)

    def decompose(x: torch.Tensor, dim: int) -> Any:
        if not _is_short(x, dim):
            return NotImplemented
        shape = [1] * x.dim()
        shape[dim] = x.shape[dim]
        places = torch.arange(x.shape[dim], device=x.device).view(shape)
        return _scan((x, places.expand(x.shape)), dim, combine)

    return decompose


TABLE: dict[Any, Callable[..., Any]] = {
    aten.cumsum.default: _cumsum, aten.cumprod.default: _cumprod,
    aten.logcumsumexp.default: _logcumsumexp,
    aten.cummax.default: _extreme(lambda b, a: b >= a),
    aten.cummin.default: _extreme(lambda b, a: b <= a),
}
