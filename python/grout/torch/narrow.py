"""Arithmetic of int8, in 32 bits: importers do not know what to make of it."""

from typing import Any, Callable, Optional

import torch

aten = torch.ops.aten

Rule = Callable[..., Any]


def _elementwise(operator: Any) -> Rule:
    def decompose(x: Any, y: Any, *rest: Any, **options: Any) -> Any:
        if torch.result_type(x, y) != torch.int8:
            return NotImplemented
        return operator(_wide(x), _wide(y), *rest, **options).to(torch.int8)
    return decompose


def _wide(x: Any) -> Any:
    if isinstance(x, torch.Tensor):
        return x.to(torch.int32)
    # A number takes part as if it had 8 bits.
    return (x + 128) % 256 - 128 if isinstance(x, int) else x


def _product(operator: Any) -> Rule:
    def decompose(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if x.dtype != torch.int8:
            return NotImplemented
        wide: torch.Tensor = operator(x.to(torch.int32), y.to(torch.int32))
        return wide.to(torch.int8)
    return decompose


def _sum(operator: Any) -> Rule:
    def decompose(*args: Any, dtype: Optional[torch.dtype] = None,
                  **options: Any) -> Any:
        if dtype != torch.int8:
            return NotImplemented
        return operator(*args, dtype=torch.int32, **options).to(torch.int8)
    return decompose


_RULES = {
    **{operator: _elementwise for operator in (
        aten.add.Tensor, aten.add.Scalar, aten.sub.Tensor, aten.sub.Scalar,
        aten.rsub.Scalar, aten.mul.Tensor, aten.mul.Scalar,
        aten.div.Tensor_mode, aten.div.Scalar_mode,
        aten.floor_divide.default, aten.floor_divide.Scalar,
        aten.remainder.Tensor, aten.remainder.Scalar,
        aten.fmod.Tensor, aten.fmod.Scalar, aten.pow.Tensor_Tensor)},
    **{operator: _product for operator in (aten.mm.default, aten.bmm.default)},
    **{operator: _sum for operator in (
        aten.sum.default, aten.sum.dim_IntList, aten.prod.default,
        aten.prod.dim_int)},
}


def _either(first: Rule, second: Optional[Rule]) -> Rule:
    if second is None:
        return first

    def decompose(*args: Any, **options: Any) -> Any:
        result = first(*args, **options)
        return second(*args, **options) if result is NotImplemented else result
    return decompose


def widened(table: dict[Any, Rule]) -> dict[Any, Rule]:
    """A table of decompositions that has these, too."""
    return {**table, **{
        operator: _either(make(operator), table.get(operator))
        for operator, make in _RULES.items()}}
