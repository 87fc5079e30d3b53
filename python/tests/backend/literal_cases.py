"""Operators on tensors that are the same whatever a graph is given, in forms
and types of which importers fold some wrongly; compared with eager's results,
within what the rounding of an operator's parts changes."""

import contextlib
import dataclasses
import itertools
import logging
import math
import random
import warnings
from typing import Optional

import torch
from sweep import OK, WRONG, Outcome

TYPES = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "bool": torch.bool,
    "u8": torch.uint8,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
}

_FLOATS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.5,
    -0.3,
    3.0,
    math.inf,
    -math.inf,
    math.nan,
    65504.0,
)
_INTEGERS = (0, 1, -1, 2, -3, 100, 127, 2**31 - 1, 2**53 + 1, -(2**62) - 1)


def _binary(name):
    return getattr(torch, name)


def _mode(mode):
    return lambda x, y: torch.div(x, y, rounding_mode=mode)


def _where(is_first):
    return lambda x, y: torch.where(torch.full((3, 4), is_first), x, y)


BINARY = {
    **{
        name: _binary(name)
        for name in """
        eq ne lt le gt ge add sub mul true_divide floor_divide remainder fmod
        pow maximum minimum fmax fmin atan2 hypot copysign xlogy rsub heaviside
        logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
        ldexp""".split()
    },
    "div_floor": _mode("floor"),
    "div_trunc": _mode("trunc"),
    "where_true": _where(True),
    "where_false": _where(False),
    "add_alpha": lambda x, y: torch.add(x, y, alpha=2),
    "sub_alpha": lambda x, y: torch.sub(x, y, alpha=2),
    "masked_fill": lambda x, y: torch.masked_fill(
        x, torch.full((3, 4), True), y
    ),
    "joined": lambda x, y: torch.cat([x.reshape(-1), y.reshape(-1)]) == 1,
    "clamp": lambda x, y: torch.clamp(x, y, 2),
}

UNARY = {
    **{
        name: _binary(name)
        for name in """
        abs neg exp log sqrt rsqrt sign floor ceil trunc round frac isnan isinf
        isfinite signbit logical_not bitwise_not reciprocal sigmoid tanh relu
        erf square expm1 log1p sum mean amax any all argmax prod
        zeros_like ones_like""".split()
    },
    **{
        f"to_{name}": (lambda x, dtype=dtype: x.to(dtype))
        for name, dtype in TYPES.items()
    },
    "pow_half": lambda x: x**0.5,
    "pow_minus_half": lambda x: x**-0.5,
    "entr": torch.special.entr,
    "select": lambda x: x.reshape(-1)[0] == 1,
    "slice": lambda x: x.reshape(-1)[:1] == 1,
    "take": lambda x: (
        x.reshape(-1).index_select(0, torch.zeros(1, dtype=torch.int64)) == 0
    ),
    "copy_equal": lambda x: x == x.clone(),
    "copy_twice": lambda x: (x > 0) == (x.clone() > 0),
}

FORMS = {
    "number": None,
    "tensor": None,
    "full": lambda value, dtype: torch.full((3, 4), value, dtype=dtype),
    "scalar": lambda value, dtype: torch.full((), value, dtype=dtype),
    "expanded": lambda value, dtype: torch.full(
        (4,), value, dtype=dtype
    ).expand(3, 4),
    "transposed": lambda value, dtype: (
        torch.full((4, 3), value, dtype=dtype).t().clone()
    ),
    "chosen": lambda value, dtype: torch.where(
        torch.full((3, 4), True),
        torch.full((3, 4), value, dtype=dtype),
        torch.zeros((), dtype=dtype),
    ),
    "like": lambda value, dtype: torch.full_like(
        torch.arange(12).view(3, 4), value, dtype=dtype
    ),
    "sliced": lambda value, dtype: torch.full((6, 4), value, dtype=dtype)[::2],
    "joined": lambda value, dtype: torch.cat(
        [
            torch.full((1, 4), value, dtype=dtype),
            torch.full((2, 4), 1, dtype=dtype),
        ]
    ),
    "row": lambda value, dtype: torch.cat(
        [torch.full((1,), value, dtype=dtype), torch.ones(3, dtype=dtype)]
    ),
}
"""Of an operand: a number, a tensor that the graph takes, or one it makes."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One operator of BINARY or UNARY, with types and forms of operands."""

    name: str
    types: tuple
    forms: tuple

    def __str__(self):
        return " ".join(
            [
                self.name,
                *(
                    f"{form}:{dtype}"
                    for form, dtype in zip(self.forms, self.types)
                ),
            ]
        )


def _is_possible(case):
    """Whether something in it is a literal, and something a tensor."""
    return not set(case.forms) <= {"tensor", "number"} and not (
        case.forms[0] == "number"
        and case.name in ("joined", "clamp", "masked_fill")
    )


def cases(names=lambda name: True):
    """All of them, operators in turn."""
    found = [
        Case(name, types, forms)
        for table, count in ((UNARY, 1), (BINARY, 2))
        for name in table
        if names(name)
        for types in itertools.product(TYPES, repeat=count)
        for forms in itertools.product(FORMS, repeat=count)
    ]
    return [case for case in found if _is_possible(case)]


def _values(dtype):
    if dtype == torch.bool:
        return (False, True)
    if dtype.is_floating_point:
        return _FLOATS
    limits = torch.iinfo(dtype)
    return tuple(
        value for value in _INTEGERS if limits.min <= value <= limits.max
    )


def _operand(form, value, dtype, given):
    if form == "number":
        return value
    return next(given) if form == "tensor" else FORMS[form](value, dtype)


def _call(case, values, given):
    operator = {**UNARY, **BINARY}[case.name]
    given = iter(given)
    return operator(
        *(
            _operand(form, value, TYPES[dtype], given)
            for form, value, dtype in zip(case.forms, values, case.types)
        )
    )


def _inputs(case, values):
    return [
        torch.full((3, 4), value, dtype=TYPES[dtype])
        for form, value, dtype in zip(case.forms, values, case.types)
        if form == "tensor"
    ]


def _is_computed(case):
    """Whether it is by kernels: not all elements are the same number."""
    return not {"tensor", "joined", "row"}.isdisjoint(case.forms)


def _is_defined(case, values, results):
    """Whether processors agree on the results: casts to integers have limits,
    and so have powers of integers. What is f32 inside a kernel is not infinite
    where f16 is."""
    if case.name == "ldexp" and abs(values[1]) >= 2**31:
        return False  # Eager's exponents have 32 bits.
    if not _is_computed(case):
        return True
    if results.is_floating_point():
        largest = torch.finfo(results.dtype).max
        return all(
            isinstance(value, float) or abs(value) <= largest
            for value in values
        )
    return (
        all(abs(value) < 128 for value in values) or results.dtype == torch.bool
    )


def _drawn(case, seed, count):
    """Some values for which eager has a result, and some for which it raises an
    error, or None."""
    all_values = list(
        itertools.product(*(_values(TYPES[dtype]) for dtype in case.types))
    )
    random.Random(f"{seed} {case}").shuffle(all_values)
    draws, refused = [], None
    for values in all_values:
        try:
            results = _call(case, values, _inputs(case, values))
        except Exception:
            refused = _Draw(case, values)
            continue
        if _is_defined(case, values, results):
            draws.append(_Draw(case, values, results))
        if len(draws) == count:
            break
    return draws, refused


_TIES = {"maximum", "minimum", "fmax", "fmin", "clamp", "amax", "any", "all"}
"""Of 0.0 and -0.0 these take one or the other, as kernels are vectorised."""


@dataclasses.dataclass(frozen=True)
class _Draw:
    """Values for a case, and eager's result; None if it raises."""

    case: Case
    values: tuple
    wanted: Optional[torch.Tensor] = None


def _same(got, draw):
    wanted = draw.wanted
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    if not got.is_floating_point():
        return torch.equal(got, wanted)
    tolerance = 4 * torch.finfo(wanted.dtype).eps
    both = got.isnan() & wanted.isnan()
    got, wanted = (x.masked_fill(both, 0.0).double() for x in (got, wanted))
    return torch.allclose(got, wanted, rtol=tolerance, atol=0) and (
        draw.case.name in _TIES or torch.equal(got.signbit(), wanted.signbit())
    )


def _compiled(draws, backend="grout"):
    def run(x, given):
        return x + 1, [
            _call(draw.case, draw.values, tensors)
            for draw, tensors in zip(draws, given)
        ]

    torch._dynamo.reset()
    options = (
        {"fallback": "eager", "min_block_size": 1} if backend == "grout" else {}
    )
    return torch.compile(
        run, backend=backend, fullgraph=True, dynamic=False, options=options
    )(torch.ones(3), [_inputs(draw.case, draw.values) for draw in draws])[1]


def _difference(draws, backend):
    """How results differ from eager's, or ""."""
    try:
        results = _compiled(draws, backend)
    except Exception as found:
        return f"{type(found).__name__}: {found}"[:300]
    for draw, got in zip(draws, results):
        if not _same(got, draw):
            return (
                f"{draw.values}: {_shown(got)}, eager has {_shown(draw.wanted)}"
            )
    return ""


def _shown(x):
    return f"{x.dtype} {x.reshape(-1)[:5].tolist()}"


@contextlib.contextmanager
def _quiet():
    """PyTorch says much of what it cannot make a graph of."""
    log = logging.getLogger("torch._subclasses.fake_tensor")
    level = log.level
    log.setLevel(logging.CRITICAL)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        yield
    log.setLevel(level)


def try_case(case, seed=0, count=4):
    """Compiles it, for some values, and compares what it gives. What
    torch.compile has wrong without Grout, too, is none of Grout's."""
    with _quiet():
        draws, refused = _drawn(case, seed, count)
        if refused and not draws:
            return _try_refused(refused)
        difference = _difference(draws, "grout")
        if not difference or _difference(draws, "aot_eager"):
            return Outcome(OK)
    return Outcome(WRONG, difference)


def _try_refused(draw):
    try:
        _compiled([draw])
    except Exception:
        return Outcome(OK)
    return Outcome(WRONG, f"{draw.values}: eager raises an error, Grout none")


def try_cases(group, seed=0, count=4):
    """The outcomes of some cases: of all in one graph, if that is right, or else
    of each alone."""
    with _quiet():
        drawn = [_drawn(case, seed, count)[0] for case in group]
        is_right = not _difference(
            [draw for draws in drawn for draw in draws], "grout"
        )
    return [
        Outcome(OK) if is_right and draws else try_case(case, seed, count)
        for case, draws in zip(group, drawn)
    ]
