"""Matmuls whose sums have a single term. For example, rotary embeddings
multiply positions [T, 1] by frequencies [1, N]. As an elementwise product, such
a matmul is part of the kernel that reads it."""

from typing import Any, Callable

import torch

from .extents import are_known

aten = torch.ops.aten

_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def _multiply(x: torch.Tensor, y: torch.Tensor) -> Any:
    """Multiplies x [..., M, K] by y [..., K, N] if K is 1."""
    extents = (*x.shape, *y.shape)
    is_outer = (
        x.dtype == y.dtype
        and x.dtype in _TYPES
        and are_known(*extents)
        and x.shape[-1] == y.shape[-2] == 1
    )
    return x * y if is_outer else NotImplemented


TABLE: dict[Any, Callable[..., Any]] = {
    aten.mm.default: _multiply,
    aten.bmm.default: _multiply,
}
