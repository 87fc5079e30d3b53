"""Numbers with a bound on the error that rounding may make: running error
analysis (Higham, Accuracy and Stability of Numerical Algorithms, 3.3).

Values are those of exact arithmetic, as far as f64 has it. Each operation adds
the rounding of its type to what errors of its operands come to. Code that
rounds less often is closer. Sums may be taken in any order: their bound is of
the magnitudes of all that is added. Where nothing is known, as of what
overflows in its type, the bound is infinite.
"""

import dataclasses

import numpy as np

# Half a unit in the last place of 1, the least number, and the largest.
_FORMATS = {
    "bf16": (2.0**-8, 2.0**-133, 3.3895313892515355e38),
    "f16": (2.0**-11, 2.0**-24, 65504.0),
    "f32": (2.0**-24, 2.0**-149, float(np.finfo(np.float32).max)),
    "f64": (2.0**-53, 2.0**-1074, float(np.finfo(np.float64).max)),
}
# How many times the rounding of its type a function's result may be off: those
# of narrow types are computed in f32, with a few units in the last place.
_FUNCTION = 8


@dataclasses.dataclass(frozen=True)
class Bounded:
    value: np.ndarray
    error: np.ndarray
    # What the absolute values of all terms of a sum add up to.
    magnitude: np.ndarray

    def map(self, move):
        """With elements moved."""
        return Bounded(move(self.value), move(self.error), move(self.magnitude))


def exact(value):
    value = np.asarray(value, np.float64)
    return Bounded(value, np.zeros_like(value), np.abs(value))


def unknown(shape):
    return Bounded(np.zeros(shape), np.full(shape, np.inf), np.zeros(shape))


def _made(value, error, dtype, magnitude=None, units=1.0):
    """As a result of type `dtype`, rounded."""
    unit, least, largest = _FORMATS[dtype]
    magnitude = np.abs(value) if magnitude is None else magnitude
    error = error + units * unit * magnitude + least
    error = np.where(
        np.isnan(error) | (magnitude + error > largest), np.inf, error
    )
    return Bounded(value, error, magnitude)


def rounded(a, dtype):
    return _made(a.value, a.error, dtype, a.magnitude)


def add(a, b, dtype, sign=1):
    return _made(
        a.value + sign * b.value,
        a.error + b.error,
        dtype,
        a.magnitude + b.magnitude,
    )


def subtract(a, b, dtype):
    return add(a, b, dtype, -1)


def sum_(a, dtype, start):
    """Of the first axis, onto `start`, in any order."""
    count = len(a.value)
    magnitude = a.magnitude.sum(0) + start.magnitude
    return _made(
        a.value.sum(0) + start.value,
        a.error.sum(0) + start.error,
        dtype,
        magnitude,
        count,
    )


def multiply(a, b, dtype):
    error = (
        np.abs(a.value) * b.error
        + np.abs(b.value) * a.error
        + a.error * b.error
    )
    return _made(a.value * b.value, error, dtype)


def divide(a, b, dtype):
    value = a.value / b.value
    distance = np.abs(b.value) - b.error
    error = np.where(
        distance > 0, (a.error + np.abs(value) * b.error) / distance, np.inf
    )
    return _made(value, error, dtype, units=2)


def _either(choose):
    def of(a, b, dtype):
        value = choose(a.value, b.value)
        return Bounded(value, np.maximum(a.error, b.error), np.abs(value))

    return of


def negate(a, dtype):
    return Bounded(-a.value, a.error, a.magnitude)


def absolute(a, dtype):
    return Bounded(np.abs(a.value), a.error, np.abs(a.value))


def _lipschitz(function, slope):
    """A function that is nowhere steeper, and whose results are about 1."""

    def of(a, dtype):
        value = function(a.value)
        return _made(
            value, slope * a.error, dtype, np.abs(value) + 0.1, _FUNCTION
        )

    return of


def exp(a, dtype):
    value = np.exp(a.value)
    return _made(value, value * np.expm1(a.error), dtype, units=_FUNCTION)


def sqrt(a, dtype):
    value = np.sqrt(a.value)
    error = value - np.sqrt(np.maximum(a.value - a.error, 0))
    return _made(value, error, dtype, units=_FUNCTION)


def rsqrt(a, dtype):
    low = a.value - a.error
    error = np.where(low > 0, 0.5 * a.error * low**-1.5, np.inf)
    return _made(a.value**-0.5, error, dtype, units=_FUNCTION)


def log(a, dtype):
    low = a.value - a.error
    value = np.log(a.value)
    return _made(
        value,
        np.where(low > 0, a.error / low, np.inf),
        dtype,
        np.abs(value) + 0.1,
        _FUNCTION,
    )


def erf(x):
    from math import erf as of

    return np.vectorize(of, otypes=[np.float64])(x)


UNARY = {
    "arith.negf": negate,
    "math.absf": absolute,
    "math.exp": exp,
    "math.sqrt": sqrt,
    "math.rsqrt": rsqrt,
    "math.log": log,
    "math.tanh": _lipschitz(np.tanh, 1),
    "math.sin": _lipschitz(np.sin, 1),
    "math.erf": _lipschitz(erf, 1.2),
}
BINARY = {
    "arith.addf": add,
    "arith.subf": subtract,
    "arith.mulf": multiply,
    "arith.divf": divide,
    "arith.maximumf": _either(np.maximum),
    "arith.minimumf": _either(np.minimum),
    "arith.maxnumf": _either(np.fmax),
}


def product(a, b, start, dtype):
    """Of matrices, batches of them first, onto `start`."""
    magnitude = np.abs(a.value) @ np.abs(b.value) + start.magnitude
    error = (
        np.abs(a.value) @ b.error
        + a.error @ np.abs(b.value)
        + a.error @ b.error
        + start.error
    )
    return _made(
        a.value @ b.value + start.value,
        error,
        dtype,
        magnitude,
        a.value.shape[-1] + 1,
    )


def softmax(a, dim, dtype):
    most = a.value.max(dim, keepdims=True)
    less = a.value - most
    powers = np.exp(less)
    value = powers / powers.sum(dim, keepdims=True)
    # Twice the largest error of a row, for the element and for the sum; then
    # that of the difference, of both functions, and of a sum in f32.
    worst = 2 * a.error.max(dim, keepdims=True)
    unit = _FORMATS[dtype][0]
    error = value * (
        np.expm1(worst)
        + unit * np.abs(less)
        + _FORMATS["f32"][0] * value.shape[dim]
    )
    return _made(value, error, dtype, units=2 * _FUNCTION)


def differ(got, want):
    """Where results are not within the bound. It is doubled, for what is of
    second order in it."""
    with np.errstate(all="ignore"):
        near = np.abs(got - want.value) <= 2 * want.error
    same = (got == want.value) | (np.isnan(got) & np.isnan(want.value))
    return ~(near | same | np.isinf(want.error))
