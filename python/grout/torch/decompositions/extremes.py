"""Indices of the largest and the smallest elements."""

from typing import Any, Callable, Optional

import torch

aten = torch.ops.aten


def _place(
    x: torch.Tensor, extreme: torch.Tensor, dim: int, keepdim: bool
) -> torch.Tensor:
    """Returns the first index along `dim` at which `x` is the extreme or NaN.
    `extreme` has extent 1 in `dim`. Importers would not handle NaN."""
    is_there = x == extreme
    if x.is_floating_point():
        is_there = is_there | (x != x)
    shape = [1] * x.dim()
    shape[dim] = extent = x.shape[dim]
    places = torch.arange(extent, device=x.device).view(shape)
    return torch.where(is_there, places, extent).amin(dim, keepdim)


def _index(extreme_of: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    def decompose(
        x: torch.Tensor, dim: Optional[int] = None, keepdim: bool = False
    ) -> torch.Tensor:
        if x.dtype == torch.bool or not x.dim():
            return NotImplemented
        if dim is not None:
            return _place(x, extreme_of(x, [dim], True), dim, keepdim)
        flat = x.reshape(-1)
        result = _place(flat, extreme_of(flat, [0], True), 0, False)
        return result.reshape([1] * x.dim()) if keepdim else result

    return decompose


def _both(extreme_of: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    def decompose(x: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
        if x.dtype == torch.bool or not x.dim():
            return NotImplemented
        extreme = extreme_of(x, [dim], True)
        return (
            extreme if keepdim else extreme.squeeze(dim),
            _place(x, extreme, dim, keepdim),
        )

    return decompose


def _of_all(extreme_of: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    def decompose(x: torch.Tensor) -> torch.Tensor:
        return extreme_of(x, [], False)

    return decompose


def _of_scalar(
    x: torch.Tensor, dim: Any = (), keepdim: bool = False
) -> torch.Tensor:
    """A tensor without axes is its own extreme. Importers require an axis."""
    return NotImplemented if x.dim() else x.clone()


TABLE = {
    aten.amax.default: _of_scalar,
    aten.amin.default: _of_scalar,
    aten.argmax.default: _index(torch.amax),
    aten.argmin.default: _index(torch.amin),
    aten.max.dim: _both(torch.amax),
    aten.min.dim: _both(torch.amin),
    aten.max.default: _of_all(torch.amax),
    aten.min.default: _of_all(torch.amin),
}
