"""Remainders, and quotients that are rounded to whole numbers."""

from typing import Any, Optional, Union

import torch

aten = torch.ops.aten


def _fmod(x: torch.Tensor, y: Any) -> torch.Tensor:
    """Returns the remainder of the absolute values, which is exact, with the
    sign of `x`. Importers would multiply a rounded quotient."""
    if not isinstance(x, torch.Tensor):
        return NotImplemented
    result = torch.result_type(x, y)
    if not result.is_floating_point:
        return NotImplemented
    x = x.to(result)
    rest = torch.remainder(torch.abs(x), abs(y))
    signed = torch.where(x < 0, -rest, rest)
    # The remainder of a zero is that zero, with its sign, or NaN.
    return torch.where((x == 0) & (rest == 0), x, signed)


def _whole(x: torch.Tensor, y: Any, is_floor: bool) -> torch.Tensor:
    """Returns the quotient of integers, which importers would divide in f64. To
    divide by a power of two is to shift. Otherwise, a second division, of the
    remainder of the first, makes the quotient exact. For divisors so large that
    f64 rounds this remainder as well, a comparison of the last remainder
    corrects the quotient."""
    y = y.to(x.dtype) if isinstance(y, torch.Tensor) else y
    if isinstance(y, int) and 0 < y < 2**62 and not y & (y - 1):
        if not is_floor:
            x = torch.where(x < 0, x + (y - 1), x)
        return shifted_right(x, y.bit_length() - 1)
    quotient = _rounded_down(x, y)
    quotient = quotient + _rounded_down(x - quotient * y, y)
    if isinstance(y, torch.Tensor) or abs(y) >= 2**53:
        rest = x - quotient * y
        quotient = torch.where(
            (rest != 0) & ((rest < 0) != (y < 0)), quotient - 1, quotient
        )
    if is_floor:
        return quotient
    return torch.where(
        (x != quotient * y) & (quotient < 0), quotient + 1, quotient
    )


def shifted_right(x: torch.Tensor, bits: int) -> torch.Tensor:
    """Shifts signed integers by fewer bits than they have, which divides by a
    power of two and rounds down."""
    number = torch.full((), bits, dtype=x.dtype, device=x.device)
    return torch.bitwise_right_shift(x, number)


def _rounded_down(x: torch.Tensor, y: Any) -> torch.Tensor:
    divisor = y.double() if isinstance(y, torch.Tensor) else float(y)
    return torch.floor(x.double() / divisor).to(torch.int64)


def _div(x: Any, y: Any, *, rounding_mode: Optional[str]) -> torch.Tensor:
    """Rounds quotients to whole numbers. With "floor", the quotient comes from
    the remainder, because x / y may already be rounded up to a whole number:
    for example, the floor of 1 / 0.1 is 9, and x / y is 10. With "trunc", x / y
    is truncated; importers would divide in f32."""
    if not isinstance(x, torch.Tensor):
        if rounding_mode is None or not isinstance(x, (int, float)):
            return NotImplemented  # a symbolic extent
        x = _element(x, y)
    result = torch.result_type(x, y)
    if (
        result == torch.int64
        and rounding_mode is not None
        and isinstance(y, (int, torch.Tensor))
    ):
        return _whole(x.to(result), y, rounding_mode == "floor")
    if rounding_mode is None or not result.is_floating_point:
        return NotImplemented
    wide = result if result == torch.float64 else torch.float32
    x = x.to(result).to(wide)
    if isinstance(y, torch.Tensor):  # without axes, y is not rounded
        y = (y.to(result) if y.dim() else y).to(wide)
    if rounding_mode == "trunc":
        quotient = x / y
        if isinstance(y, torch.Tensor) and y.dim():  # as eager
            quotient = quotient.to(result)
        return torch.trunc(quotient).to(result)
    rest = torch.fmod(x, y)
    quotient = (x - rest) / y
    quotient = torch.round(
        torch.where(
            (rest != 0) & ((rest < 0) != (y < 0)), quotient - 1, quotient
        )
    )
    quotient = torch.where(quotient == 0, x / y * 0, quotient)  # with its sign
    return torch.where((y == 0) & (x == x), x / y, quotient).to(result)


def _floor_divide(x: torch.Tensor, y: Any) -> torch.Tensor:
    return torch.div(x, y, rounding_mode="floor")


def _remainder_of_number(number: Any, y: torch.Tensor) -> torch.Tensor:
    if not isinstance(number, (bool, int, float)):
        return NotImplemented  # a symbolic extent
    return torch.remainder(_element(number, y), y)


def _element(number: Union[int, float], other: torch.Tensor) -> torch.Tensor:
    """Returns a number in the type that it has in an operation with `other`.
    Integers that the type does not hold wrap, as in eager."""
    dtype = torch.result_type(number, other)
    wraps = isinstance(number, int) and not dtype.is_floating_point
    return torch.full(
        (), number, dtype=torch.int64 if wraps else dtype, device=other.device
    ).to(dtype)


TABLE = {
    aten.fmod.Tensor: _fmod,
    aten.fmod.Scalar: _fmod,
    aten.div.Tensor_mode: _div,
    aten.div.Scalar_mode: _div,
    aten.floor_divide.default: _floor_divide,
    aten.remainder.Scalar_Tensor: _remainder_of_number,
    aten.floor_divide.Scalar: _floor_divide,
}
