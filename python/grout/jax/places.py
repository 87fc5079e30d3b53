"""Finds the place in a user's program from which an operation comes."""

import dataclasses
import pathlib
import re
from typing import Any

from jax.extend import source_info_util
from jax.extend.core import JaxprEqn

from ..errors import CompileError, Diagnostic

_FILE = re.compile(r'"([^"]+)":(\d+):(\d+)')
_SUMMARY = re.compile(r"(.+):(\d+):(\d+) \(")
# JAX names its operations so: "jit(f)/jit(relu)/max".
_NAME = re.compile(r'"jit\([^"]*/([\w-]+):?"\(')

# The files of this package do not count as the user's code.
source_info_util.register_exclusion(str(pathlib.Path(__file__).parent))


def traceback_of(equation: JaxprEqn) -> Any:
    """Returns the traceback of an operation. Returns None if no user's code is
    in it, as for operations in functions that JAX has traced before; the place
    of these is that of their caller."""
    info = equation.source_info
    return info.traceback if source_info_util.summarize(info) else None


def refusal(equation: JaxprEqn, reason: str) -> CompileError:
    """Returns the error for an operation that is refused while it is traced
    again."""
    found = _SUMMARY.match(
        source_info_util.summarize(source_info_util.current())
    )
    file, line, column = found.groups() if found else ("", "0", "0")
    return _error(
        [
            Diagnostic(
                "error",
                equation.primitive.name,
                reason,
                file,
                int(line),
                int(column),
                "",
            )
        ]
    )


def at_location(op: str, reason: str, location: str) -> Diagnostic:
    """Returns an error about an op of MLIR, with the place that its location
    names."""
    file = _FILE.search(location)
    return in_terms_of_jax(
        Diagnostic(
            "error",
            op,
            reason,
            file[1] if file else "",
            int(file[2]) if file else 0,
            int(file[3]) if file else 0,
            location,
        )
    )


def in_terms_of_jax(diagnostic: Diagnostic) -> Diagnostic:
    """Names the operation of JAX in a diagnostic, instead of the op that was
    made from it."""
    name = _NAME.search(diagnostic.location)
    return dataclasses.replace(diagnostic, op=name[1]) if name else diagnostic


def explain(error: CompileError) -> CompileError:
    """Returns the compiler's errors in terms of JAX, each once. Leaves out
    notes, which are about MLIR."""
    if not error.diagnostics:
        return error
    return _error(
        list(
            dict.fromkeys(
                in_terms_of_jax(one)
                for one in error.diagnostics
                if one.severity == "error"
            )
        )
    )


def _error(diagnostics: list[Diagnostic]) -> CompileError:
    return CompileError("the function is refused", diagnostics)
