"""Recognises constant masks of attention that kernels need not read."""

import enum
import math

import torch
from torch.utils._python_dispatch import _disable_current_modes


class Kind(enum.Enum):
    """The effect of a mask on scores."""

    NEUTRAL = enum.auto()
    """The mask changes no score."""
    CAUSAL = enum.auto()
    """The mask lets each query see the keys up to its own position."""
    OTHER = enum.auto()


def kind_of(mask: torch.Tensor, queries: int, keys: int) -> Kind:
    """Returns the kind of a mask. The mask is bool, or is added to scores. Its
    axes broadcast to [..., queries, keys]."""
    with _disable_current_modes():
        causal = torch.ones(queries, keys, dtype=torch.bool).tril()
        if mask.dtype != torch.bool:
            causal = torch.where(causal, 0.0, -math.inf)
        is_neutral = (
            mask.all() if mask.dtype == torch.bool else (mask == 0).all()
        )
        return (
            Kind.NEUTRAL
            if is_neutral
            else Kind.CAUSAL
            if (mask == causal).all()
            else Kind.OTHER
        )
