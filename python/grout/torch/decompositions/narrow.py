"""Arithmetic on narrow types, computed in 32 bits: on int8, which importers do
not handle, sums of truth values, which importers would make modulo 2, and on
halves (f16 and bf16) with numbers that their type cannot hold exactly."""

from typing import Any, Callable, Optional, Union

import torch
from torch.utils._python_dispatch import _disable_current_modes

aten = torch.ops.aten

Rule = Callable[..., Any]

HALVES = (torch.float16, torch.bfloat16)


def _elementwise(operator: Any) -> Rule:
    def decompose(x: Any, y: Any, *rest: Any, **options: Any) -> Any:
        if (
            torch.result_type(x, y) != torch.int8
            or options.get("rounding_mode", "floor") is None
        ):
            return NotImplemented
        return operator(_wide(x), _wide(y), *rest, **options).to(torch.int8)

    return decompose


def _wide(x: Any) -> Any:
    # A number wraps to 8 bits, also one in a tensor without axes.
    if isinstance(x, torch.Tensor):
        return x.to(torch.int8).to(torch.int32)
    return (x + 128) % 256 - 128 if isinstance(x, int) else x


def _product(operator: Any) -> Rule:
    def decompose(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if x.dtype != torch.int8:
            return NotImplemented
        wide: torch.Tensor = operator(x.to(torch.int32), y.to(torch.int32))
        return wide.to(torch.int8)

    return decompose


def _sum(operator: Any) -> Rule:
    def decompose(
        x: torch.Tensor,
        *args: Any,
        dtype: Optional[torch.dtype] = None,
        **options: Any,
    ) -> Any:
        if dtype == torch.bool:
            x = x.to(torch.bool)
        elif dtype != torch.int8:
            return NotImplemented
        return operator(x, *args, dtype=torch.int32, **options).to(dtype)

    return decompose


def _range(operator: Any) -> Rule:
    def decompose(
        *bounds: Any, dtype: Optional[torch.dtype] = None, **options: Any
    ) -> Any:
        if dtype != torch.int8:
            return NotImplemented
        return operator(*bounds, dtype=torch.int32, **options).to(torch.int8)

    return decompose


def _scaled(operator: Any) -> Rule:
    """Multiplies or divides halves by a number in f32, as eager's kernels do.
    In f16 or bf16 the number would be rounded, for example to infinity."""

    def decompose(x: Any, y: Any) -> Any:
        if not _is_number_beside(y, x):
            return NotImplemented
        if isinstance(y, torch.Tensor):
            y = y.to(torch.float32)
        elif rounded(y, x.dtype) == y:
            return NotImplemented
        return operator(x.to(torch.float32), y).to(x.dtype)

    return decompose


def _is_number_beside(y: Any, x: Any) -> bool:
    """Whether `x` is a tensor of halves, and `y` a number, or a CPU tensor
    without axes of another type that does not change the type of the result."""
    if not isinstance(x, torch.Tensor) or x.dtype not in HALVES:
        return False
    if isinstance(y, torch.Tensor):
        return (
            y.dim() == 0 < x.dim()
            and y.device.type == "cpu"
            and y.dtype not in (x.dtype, torch.bool)
            and torch.result_type(x, y) == x.dtype
        )
    return isinstance(y, (int, float))


def _with_alpha(operator: Any) -> Rule:
    """Adds or subtracts halves without rounding `y * alpha`. On the CPU,
    `alpha` itself is rounded, as in eager."""

    def decompose(x: Any, y: Any, *, alpha: Union[int, float] = 1) -> Any:
        if (
            alpha == 1
            or not isinstance(x, torch.Tensor)
            or not isinstance(y, torch.Tensor)
            or torch.result_type(x, y) not in HALVES
        ):
            return NotImplemented
        dtype = torch.result_type(x, y)
        if x.device.type == "cpu":
            alpha = rounded(alpha, dtype)
        x, y = (one.to(dtype).to(torch.float32) for one in (x, y))
        wide: torch.Tensor = operator(x, y * alpha)
        return wide.to(dtype)

    return decompose


def rounded(number: Union[int, float], dtype: torch.dtype) -> float:
    """Rounds a number to `dtype`."""
    with _disable_current_modes():
        return float(torch.tensor(number, dtype=dtype).item())


_SCALED = (aten.mul.Tensor, aten.mul.Scalar, aten.div.Tensor, aten.div.Scalar)

_RULES = {
    **{
        operator: _elementwise
        for operator in (
            aten.add.Tensor,
            aten.add.Scalar,
            aten.sub.Tensor,
            aten.sub.Scalar,
            aten.rsub.Scalar,
            aten.mul.Tensor,
            aten.mul.Scalar,
            aten.div.Tensor_mode,
            aten.div.Scalar_mode,
            aten.floor_divide.default,
            aten.floor_divide.Scalar,
            aten.remainder.Tensor,
            aten.remainder.Scalar,
            aten.fmod.Tensor,
            aten.fmod.Scalar,
            aten.pow.Tensor_Tensor,
        )
    },
    **{operator: _product for operator in (aten.mm.default, aten.bmm.default)},
    **{
        operator: _range
        for operator in (
            aten.arange.default,
            aten.arange.start,
            aten.arange.start_step,
        )
    },
    **{
        operator: _sum
        for operator in (
            aten.sum.default,
            aten.sum.dim_IntList,
            aten.prod.default,
            aten.prod.dim_int,
        )
    },
}


def either(first: Rule, second: Optional[Rule]) -> Rule:
    """Returns a rule that tries `first`, and then `second` if `first` gives
    NotImplemented."""
    if second is None:
        return first

    def decompose(*args: Any, **options: Any) -> Any:
        result = first(*args, **options)
        return second(*args, **options) if result is NotImplemented else result

    return decompose


def widened(table: dict[Any, Rule]) -> dict[Any, Rule]:
    """Returns a copy of `table` with the rules of this module. Where one of
    them gives NotImplemented, the rule of `table` is used."""
    table = dict(table)
    for operator, make in (
        *_RULES.items(),
        *((operator, _scaled) for operator in _SCALED),
        (aten.add.Tensor, _with_alpha),
        (aten.sub.Tensor, _with_alpha),
    ):
        table[operator] = either(make(operator), table.get(operator))
    return table
