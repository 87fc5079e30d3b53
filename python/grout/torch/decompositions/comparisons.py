"""Comparisons in the type in which eager PyTorch compares. Without these rules,
importers would compare with numbers as f64, and with truth values as if no
number were negative."""

from typing import Any

import torch

from .narrow import HALVES, Rule, either, rounded

aten = torch.ops.aten


def _compared(operator: Any) -> Rule:
    def decompose(x: Any, y: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return NotImplemented
        common = torch.result_type(x, y)
        if isinstance(y, torch.Tensor):
            if x.dtype == y.dtype:
                return NotImplemented
            return operator(x.to(common), y.to(common))
        if _is_widened(x, y, common):
            return operator(x.to(common), y)
        if x.dtype not in (*HALVES, torch.float32) or common != x.dtype:
            return NotImplemented
        number = rounded(y, x.dtype)
        if number == y or y != y:  # NaN needs no rounding
            return NotImplemented
        return operator(x, number)

    return decompose


def _is_widened(x: torch.Tensor, y: Any, common: torch.dtype) -> bool:
    """Whether the elements of `x` are converted before importers see them."""
    if x.dtype == torch.bool:
        return isinstance(y, int) and y < 0
    return not x.is_floating_point() and common.is_floating_point


def as_eager(table: dict[Any, Rule]) -> dict[Any, Rule]:
    """Returns a copy of `table` with the rules of this module. Where one of
    them gives NotImplemented, the rule of `table` is used."""
    return {
        **table,
        **{
            operator: either(_compared(operator), table.get(operator))
            for packet in (aten.eq, aten.ne, aten.lt, aten.le, aten.gt, aten.ge)
            for operator in (packet.Scalar, packet.Tensor)
        },
    }
