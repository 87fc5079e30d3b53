"""Random programs, each of which follows from a number."""

import math
import random

from emulated import steps
from emulated.program import Program

_EXTENTS = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    12,
    14,
    16,
    17,
    20,
    31,
    32,
    33,
    48,
    49,
    50,
    64,
    65,
    98,
    100,
    128,
    129,
    131,
    197,
    256,
    257,
    512,
    600,
    1021,
    2050,
    4099,
)
_TYPES = {
    "f32": 8,
    "f16": 5,
    "bf16": 3,
    "f64": 1,
    "i32": 2,
    "i8": 1,
    "i1": 1,
    "i64": 1,
    "i16": 1,
}
_LIMITS = [300, 3000, 12000, 40000]
_TRIES = 60
# The attack, whose oracle has no gathers, draws the other steps.
_WEIGHTS = {**steps.WEIGHTS, steps.gathered: 2}


def make(seed, explicit=False):
    return draw(random.Random(seed), _WEIGHTS, _LIMITS, explicit)


def draw(chance, weights, limits, explicit=False):
    """A program of up to 14 steps with one to three results. `weights` says how
    often each step is tried, and `limits` how many elements tensors may have;
    with `explicit`, it means what Grout makes of it.
    """
    program = Program(chance.choice(limits), explicit)
    (dtype,) = chance.choices(list(_TYPES), list(_TYPES.values()))
    for _ in range(chance.choice([1, 1, 2])):
        program.argument(_shape(chance, program.limit), dtype)
    count = chance.choice([1, 2, 3, 4, 6, 9, 14])
    for _ in range(_TRIES):
        if count == 0:
            break
        before = len(program.values)
        recent = program.values[-4 if chance.random() < 0.7 else 0 :]
        (step,) = chance.choices(list(weights), list(weights.values()))
        step(chance, program, chance.choice(recent))
        count -= len(program.values) > before
    computed = [
        value for value in program.values if value not in program.arguments
    ] or program.values
    program.results = [
        computed[-1],
        *chance.choices(computed, k=chance.choice([0, 0, 1, 2])),
    ]
    # Some functions return an argument, or one value twice.
    if chance.random() < 0.1:
        program.results.append(chance.choice(program.values))
    return program


def _shape(chance, limit):
    rank = chance.choice([1, 2, 2, 2, 3, 3, 4])
    while True:
        shape = tuple(chance.choices(_EXTENTS, k=rank))
        if math.prod(shape) <= limit:
            return shape
