"""Random reductions, and how exact their results must be."""

import collections
import math
import random

import numpy as np

from emulated import elements
from emulated.program import Program

# What rounding to a type changes at most, as a part of the number; of f16, and
# of bf16 by much less, also the least numbers.
ROUNDING = {"bf16": 2.0**-8, "f16": 2.0**-11, "f32": 2.0**-24, "f64": 2.0**-53}
LEAST = 2.0**-24

_EXTENTS = (
    1,
    3,
    7,
    16,
    33,
    64,
    65,
    100,
    129,
    256,
    513,
    1000,
    1024,
    2050,
    4099,
    20000,
)
_LIMIT = 60000

# `exact` and `size` of the terms are arrays of f64 like the result.
Reduction = collections.namedtuple(
    "Reduction", "program inputs exact size terms"
)


def _sum(body, a, old, dtype):
    return body.let(f"arith.addf {old}, {a} : {dtype}")


def _sum_of_squares(body, a, old, dtype):
    square = body.let(f"arith.mulf {a}, {a} : {dtype}")
    return body.let(f"arith.addf {square}, {old} : {dtype}")


def _mean(count):
    def compute(body, a, old, dtype):
        part = body.let(
            "arith.divf {}, {} : {}".format(
                a, body.constant(count, dtype), dtype
            )
        )
        return body.let(f"arith.addf {old}, {part} : {dtype}")

    return compute


def _product(body, a, old, dtype):
    return body.let(f"arith.mulf {a}, {old} : {dtype}")


def make(seed):
    """A Reduction of one argument, from a number or from another argument, in
    the argument's type."""
    chance, generator = random.Random(seed), np.random.default_rng(seed)
    dtype = chance.choice(["bf16", "f16", "f32"])
    shape = _shape(chance)
    reduced = [chance.random() < 0.6 for _ in shape]
    reduced[chance.randrange(len(shape))] = True
    keep = [i for i in range(len(shape)) if not reduced[i]]
    terms = math.prod(shape[i] for i in range(len(shape)) if reduced[i])
    kind = chance.choice(["sum", "squares", "mean", "product"])
    compute = {
        "sum": _sum,
        "squares": _sum_of_squares,
        "product": _product,
        "mean": _mean(min(terms, 2048)),
    }[kind]

    program = Program(_LIMIT)
    x = program.argument(shape, dtype)
    values = _draw(generator, shape, kind, terms)
    inputs = [elements.encode(values, dtype)]
    results = tuple(shape[i] for i in keep)
    if chance.random() < 0.3:
        start = program.argument(results, dtype)
        inputs.append(
            elements.encode(generator.uniform(0.5, 1, results), dtype)
        )
        first = elements.decode(inputs[1], dtype).astype(np.float64)
    else:
        first = 1.0 if kind == "product" else 0.0
        start = program.filled(results, dtype, first)
    program.results = [
        program.accumulated(x, start, [f"d{i}" for i in keep], reduced, compute)
    ]

    values = elements.decode(inputs[0], dtype).astype(np.float64)
    axes = tuple(i for i in range(len(shape)) if reduced[i])
    if kind == "product":
        exact = first * values.prod(axis=axes)
        return Reduction(program, inputs, exact, np.abs(exact), terms)
    parts = {
        "sum": values,
        "squares": values * values,
        "mean": values / min(terms, 2048),
    }[kind]
    return Reduction(
        program,
        inputs,
        first + parts.sum(axis=axes),
        first + np.abs(parts).sum(axis=axes),
        terms,
    )


def bound(reduction, dtype, terms):
    """What the error may be: one rounding to the type of the result, and those
    in f32 of all terms and of sums of `terms`."""
    rounded = ROUNDING[dtype] * np.abs(reduction.exact) + LEAST
    return rounded + (terms + 4) * ROUNDING["f32"] * reduction.size


def _shape(chance):
    while True:
        shape = tuple(chance.choices(_EXTENTS, k=chance.choice([1, 2, 2, 3])))
        if math.prod(shape) <= _LIMIT:
            return shape


def _draw(generator, shape, kind, terms):
    """Sums stay below what f16 can hold, and products near 1."""
    if kind == "product":
        return generator.uniform(1 - 1 / terms, 1 + 1 / terms, shape)
    values = generator.uniform(0.25, 1.75, shape)
    return values if terms < 16384 else values - 0.75
