"""Checks programs, on the CPU and on emulated GPUs."""

import collections
import enum
import pathlib
import random
import tempfile

import numpy as np
from operators.upstream import BackendError

from emulated import (
    comparison,
    cpu,
    elements,
    emulator,
    native,
    random_programs,
    reference,
)
from emulated.isolation import Failure
from emulated.plan import Unsupported

GPUS = (
    ("--target=h200",),
    ("--target=a100",),
    ("--target=h200", "--scop-tree=none"),
    ("--target=h200", "--scop-tree=akg"),
    ("--target=h200", "--scop-tree=none", "--scop-solver=isl"),
    ("--target=h200", "--mode=pdl"),
    ("--target=h200", "--launch-policy=wave"),
    ("--target=h200", "--launch-policy=opara", "--mode=pdl"),
    ("--target=a100", "--launch-policy=nimble"),
)


class Status(enum.Enum):
    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"  # By Grout.
    UNSUPPORTED = "unsupported"  # By the emulator, or by upstream.


Outcome = collections.namedtuple("Outcome", "what status reason")


def inputs_of(program, seed):
    generator = np.random.default_rng(seed)
    return [
        elements.draw(generator, value.shape, value.dtype)
        for value in program.arguments
    ]


def check(tools, seed):
    """An Outcome for the CPU, and one for a GPU with options that follow from
    the seed; or one of the reference, if there is none."""
    program = random_programs.make(seed)
    options = random.Random(seed).choice(GPUS)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source, meant = folder / "program.mlir", folder / "meant.mlir"
        source.write_text(program.text)
        meant.write_text(random_programs.make(seed, explicit=True).text)
        inputs = inputs_of(program, seed)
        try:
            expected = reference.run(tools, meant, program, inputs)
        except (BackendError, Failure) as error:
            return [Outcome("reference", Status.UNSUPPORTED, str(error))]
        return [
            _outcome(
                "cpu",
                program,
                expected,
                lambda: cpu.run(
                    tools,
                    source,
                    folder,
                    inputs,
                    check=_are_finite(program, expected),
                ),
            ),
            _outcome(
                " ".join(options),
                program,
                expected,
                lambda: emulator.run(
                    tools,
                    emulator.compile(tools, source, options),
                    folder,
                    inputs,
                    seed,
                ),
            ),
        ]


def _are_finite(program, results):
    """grout-run takes nothing else for right."""
    return all(
        np.isfinite(elements.decode(array, value.dtype)).all()
        for array, value in zip(results, program.results, strict=True)
        if value.dtype in elements.FLOATS
    )


def _outcome(what, program, expected, run):
    try:
        wrong = comparison.differences(program, run(), expected)
    except native.Refused as error:
        return Outcome(what, Status.REFUSED, str(error))
    except Unsupported as error:
        return Outcome(what, Status.UNSUPPORTED, str(error))
    except (native.ToolError, Failure) as error:
        return Outcome(what, Status.WRONG, str(error))
    return Outcome(
        what, Status.WRONG if wrong else Status.RIGHT, "; ".join(wrong)
    )
