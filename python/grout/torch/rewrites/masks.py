"""Masks of attention that need not be read."""

import enum
import math

import torch
from torch.utils._python_dispatch import _disable_current_modes


class Kind(enum.Enum):
    """What a mask does to scores."""

    NEUTRAL = enum.auto()
    """It lets all take part, and changes none."""
    CAUSAL = enum.auto()
    """It lets each row see the columns up to its own."""
    OTHER = enum.auto()


def kind_of(mask: torch.Tensor, queries: int, keys: int) -> Kind:
    """Of truth values, or of what is added to scores. There may be one for
    several queries or keys."""
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
