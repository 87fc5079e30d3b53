"""Elementwise operators in terms of other operators."""

import math
from typing import Any, Optional

import torch

from . import quotients

aten = torch.ops.aten

_MEAN = 1
"""The reduction of a loss to the mean of its elements."""


def _reciprocal(x: torch.Tensor) -> torch.Tensor:
    """Divides 1 by `x`. The importers' own expansion has an assertion."""
    if x.is_complex():
        return NotImplemented
    dtype = x.dtype if x.is_floating_point() else torch.get_default_dtype()
    return torch.div(torch.ones((), dtype=dtype, device=x.device), x)


def _neg(x: torch.Tensor) -> torch.Tensor:
    """Multiplies integers by -1. Importers would negate them as f32."""
    if x.is_floating_point() or x.is_complex() or x.dtype == torch.bool:
        return NotImplemented
    return x * -1


def _isfinite(x: torch.Tensor) -> torch.Tensor:
    if not x.is_floating_point():
        return NotImplemented
    return torch.abs(x) < math.inf


def _signbit(x: torch.Tensor) -> torch.Tensor:
    return NotImplemented if x.is_floating_point() else x < 0


def _trunc(x: torch.Tensor) -> torch.Tensor:
    """Rounds towards zero. A zero keeps the sign of `x`, which importers would
    lose."""
    if not x.is_floating_point():
        return NotImplemented
    return torch.where(x < 0, torch.ceil(x), torch.floor(x))


def _frac(x: torch.Tensor) -> torch.Tensor:
    return x - torch.trunc(x) if x.is_floating_point() else NotImplemented


def _pow(x: torch.Tensor, exponent: Any) -> torch.Tensor:
    """Uses sqrt or rsqrt for the exponents 0.5 and -0.5 where eager does; for
    f16 eager does so on GPUs only. The difference from pow: sqrt of -infinity
    is NaN, and sqrt of -0.0 is -0.0. A bool to the power of a bool is a
    bool."""
    if x.dtype == torch.bool and isinstance(exponent, bool):
        return x.clone() if exponent else torch.ones_like(x)
    if (
        x.is_complex()
        or not isinstance(exponent, float)
        or abs(exponent) != 0.5
        or (x.dtype == torch.float16 and x.device.type == "cpu")
    ):
        return NotImplemented
    return torch.sqrt(x) if exponent > 0 else torch.rsqrt(x)


def _power_of_number(number: Any, x: torch.Tensor) -> torch.Tensor:
    """Eager's result is contiguous."""
    if x.is_contiguous():
        return NotImplemented
    return torch.pow(number, x.contiguous())


def _copysign(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if not x.is_floating_point() or not y.is_floating_point():
        return NotImplemented
    x = torch.abs(x)
    return torch.where(torch.signbit(y), -x, x)


def _copysign_scalar(x: torch.Tensor, y: float) -> torch.Tensor:
    if not x.is_floating_point():
        return NotImplemented
    x = torch.abs(x)
    return -x if math.copysign(1.0, y) < 0 else x


def _angle(x: torch.Tensor) -> torch.Tensor:
    if not x.is_floating_point():
        return NotImplemented
    return torch.where(x.isnan(), x, torch.where(x < 0, math.pi, 0.0)).to(
        x.dtype
    )


def _fmax(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    common = torch.result_type(x, y)
    if not common.is_floating_point:
        return torch.maximum(x, y)
    x, y = x.to(common), y.to(common)
    return torch.where(x.isnan() | (y > x), y, x)


def _fmin(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    common = torch.result_type(x, y)
    if not common.is_floating_point:
        return torch.minimum(x, y)
    x, y = x.to(common), y.to(common)
    return torch.where(x.isnan() | (y < x), y, x)


def _maximum(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Returns NaN where `x` is NaN, too, which importers would lose."""
    if not torch.promote_types(x.dtype, y.dtype).is_floating_point:
        return NotImplemented
    return torch.where((x > y) | (x != x), x, y)


def _minimum(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if not torch.promote_types(x.dtype, y.dtype).is_floating_point:
        return NotImplemented
    return torch.where((x < y) | (x != x), x, y)


def _clamp(x: torch.Tensor, low: Any = None, high: Any = None) -> torch.Tensor:
    """Clamps by comparisons, which are false for NaN, so that NaN stays NaN. If
    a bound is NaN, all elements become NaN."""
    if not x.is_floating_point():
        return NotImplemented
    if any(
        isinstance(bound, float) and math.isnan(bound) for bound in (low, high)
    ):
        return torch.full_like(x, math.nan)
    if low is not None:
        x = torch.where(x < low, low, x)
    return x if high is None else torch.where(x > high, high, x)


def _clamp_min(x: torch.Tensor, low: Any) -> torch.Tensor:
    return _clamp(x, low)


def _clamp_max(x: torch.Tensor, high: Any) -> torch.Tensor:
    return _clamp(x, None, high)


def _clamp_tensor(
    x: torch.Tensor,
    low: Optional[torch.Tensor] = None,
    high: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    if low is not None:
        x = torch.maximum(x, low)
    return x if high is None else torch.minimum(x, high)


def _round(x: torch.Tensor, *, decimals: int) -> torch.Tensor:
    if not x.is_floating_point():
        return NotImplemented
    wide = x if x.dtype == torch.float64 else x.float()
    factor = 10.0 ** abs(decimals)
    if decimals >= 0:
        return (torch.round(wide * factor) / factor).to(x.dtype)
    return (torch.round(wide / factor) * factor).to(x.dtype)


def _rrelu(
    x: torch.Tensor,
    noise: torch.Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Any = None,
) -> Any:
    if training:
        return NotImplemented
    return torch.where(x > 0, x, x * ((lower + upper) / 2)), noise.clone()


def _hypot(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Computes without squares that overflow. If one operand is infinite, the
    result is infinity, even where the other operand is NaN."""
    dtype = torch.result_type(x, y)
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    x, y = torch.abs(x.to(wide)), torch.abs(y.to(wide))
    infinite = (x == math.inf) | (y == math.inf)
    large = torch.where(infinite, math.inf, torch.maximum(x, y))
    ratio = torch.minimum(x, y) / large
    ratio = torch.where((large == 0) | infinite, 0.0, ratio)
    return (large * torch.sqrt(ratio * ratio + 1)).to(dtype)


def _ldexp(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Multiplies by several powers of two, none of which is infinite or 0. The
    smallest power comes first, so that as few results as possible are rounded
    twice. For integers `x`, or floats `y`, there is a single power, as in
    eager: 0 times infinity is NaN."""
    dtype = x.dtype if x.is_floating_point() else torch.get_default_dtype()
    if y.is_floating_point() or not x.is_floating_point():
        dtype = torch.promote_types(dtype, y.dtype)
        power = y if y.is_floating_point() else y.to(dtype)
        return (x * torch.pow(2.0, power)).to(dtype)
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    most = 1022 if dtype == torch.float64 else 126
    steps = []
    for _ in range(3):
        steps.append(torch.clamp(y, -most, most))
        y = y - steps[-1]
    result = x.to(wide)
    for step in reversed(steps):
        result = result * torch.pow(2.0, step.to(wide))
    return result.to(dtype)


def _shift(x: torch.Tensor, y: Any, is_left: bool) -> torch.Tensor:
    """Shifts by a number. To the left, this is a multiplication."""
    if (
        not isinstance(y, int)
        or isinstance(y, bool)
        or x.dtype == torch.bool
        or not 0 <= y < x.dtype.itemsize * 8 - 1
    ):
        return NotImplemented
    return x * (1 << y) if is_left else quotients.shifted_right(x, y)


def _shift_left(x: torch.Tensor, y: Any) -> torch.Tensor:
    return _shift(x, y, is_left=True)


def _shift_right(x: torch.Tensor, y: Any) -> torch.Tensor:
    return _shift(x, y, is_left=False)


def _smooth_l1_loss_backward(
    grad: torch.Tensor,
    x: torch.Tensor,
    y: torch.Tensor,
    reduction: int,
    beta: float,
) -> torch.Tensor:
    """Gives NaN where the difference is NaN. PyTorch's decomposition gives
    0."""
    if not beta or not x.is_floating_point():
        return NotImplemented
    dtype = torch.promote_types(x.dtype, y.dtype)
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    difference = x.to(wide) - y.to(wide)
    grad = grad.to(wide)
    if reduction == _MEAN:
        grad = grad / difference.numel()
    outer = torch.where(difference >= beta, grad, difference * grad / beta)
    return torch.where(difference <= -beta, -grad, outer).to(dtype)


def _dist(x: torch.Tensor, y: torch.Tensor, p: float = 2) -> torch.Tensor:
    return torch.linalg.vector_norm(x - y, p)


def _cross(x: torch.Tensor, y: torch.Tensor, *, dim: int = -1) -> torch.Tensor:
    x, y = torch.broadcast_tensors(x, y)
    return x.roll(-1, dim) * y.roll(-2, dim) - x.roll(-2, dim) * y.roll(-1, dim)


def _cdist(
    x: torch.Tensor, y: torch.Tensor, p: float, mode: Optional[int]
) -> torch.Tensor:
    """Eager has it for f32 and f64 only. Its maximum passes over NaN."""
    if x.dtype.itemsize < 4:
        return NotImplemented
    difference = x.unsqueeze(-2) - y.unsqueeze(-3)
    if p == math.inf:
        difference = torch.where(difference.isnan(), 0.0, difference)
    distance = torch.linalg.vector_norm(difference, p, -1)
    if p == 0 and x.device.type == "cpu":
        is_nan = difference.isnan().any(-1)
        distance = torch.where(is_nan, math.nan, distance)
    return distance


def _wide(x: torch.Tensor) -> tuple[torch.Tensor, torch.dtype]:
    """Returns `x` in the type in which to compute, and the type of the
    result."""
    result = x.dtype if x.is_floating_point() else torch.get_default_dtype()
    return (x if result == torch.float64 else x.float()), result


def _log1p(x: torch.Tensor) -> torch.Tensor:
    """Corrects for the digits that are lost in x + 1."""
    x, result = _wide(x)
    more = x + 1
    return torch.where(
        (more == 1) | (more == math.inf), x, torch.log(more) * (x / (more - 1))
    ).to(result)


def _expm1(x: torch.Tensor) -> torch.Tensor:
    """For small `x`, corrects for the digits that are lost in exp(x)."""
    x, result = _wide(x)
    power = torch.exp(x)
    precise = torch.where(power == 1, x, (power - 1) * (x / torch.log(power)))
    return torch.where(torch.abs(x) > 1, power - 1, precise).to(result)


CPU_TABLE = {aten.log1p.default: _log1p, aten.expm1.default: _expm1}
"""Rules for the CPU only: the libraries of GPUs have better functions."""


def rrelu(
    x: torch.Tensor,
    noise: torch.Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Any = None,
) -> Any:
    """Returns the result and the noise. Training, which draws new noise, is not
    decomposed."""
    if training or not x.is_floating_point():
        return NotImplemented
    return torch.where(x > 0, x, x * ((lower + upper) / 2)), noise


TABLE = {
    aten.reciprocal.default: _reciprocal,
    aten.neg.default: _neg,
    aten.isfinite.default: _isfinite,
    aten.trunc.default: _trunc,
    aten.frac.default: _frac,
    aten.pow.Scalar: _power_of_number,
    aten.pow.Tensor_Scalar: _pow,
    aten.signbit.default: _signbit,
    aten.copysign.Tensor: _copysign,
    aten.copysign.Scalar: _copysign_scalar,
    aten.angle.default: _angle,
    aten.fmax.default: _fmax,
    aten.fmin.default: _fmin,
    aten.hypot.default: _hypot,
    aten.ldexp.Tensor: _ldexp,
    aten.__lshift__.Scalar: _shift_left,
    aten.__rshift__.Scalar: _shift_right,
    aten.bitwise_left_shift.Tensor_Scalar: _shift_left,
    aten.bitwise_right_shift.Tensor_Scalar: _shift_right,
    aten.maximum.default: _maximum,
    aten.minimum.default: _minimum,
    aten.clamp.default: _clamp,
    aten.clamp.Tensor: _clamp_tensor,
    aten.clamp_min.default: _clamp_min,
    aten.clamp_max.default: _clamp_max,
    aten.round.decimals: _round,
    aten.rrelu_with_noise_functional.default: _rrelu,
    aten.smooth_l1_loss_backward.default: _smooth_l1_loss_backward,
    aten.dist.default: _dist,
    aten.linalg_cross.default: _cross,
    aten._cdist_forward.default: _cdist,
}
