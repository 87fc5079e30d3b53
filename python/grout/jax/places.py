"""Where in a user's program an operation is from."""

import dataclasses
import pathlib
import re
from typing import Any

from jax.extend import source_info_util
from jax.extend.core import JaxprEqn

from ..errors import CompileError, Diagnostic

_FILE = re.compile(r'"([^"]+)":(\d+):(\d+)')
_SUMMARY = re.compile(r"(.+):(\d+):(\d+) \(")
# "jit(f)/jit(relu)/max", the names that JAX gives its operations.
_NAME = re.compile(r'"jit\([^"]*/([\w-]+):?"\(')

# A user's code is none of this package's.
source_info_util.register_exclusion(str(pathlib.Path(__file__).parent))


def traceback_of(equation: JaxprEqn) -> Any:
    """None if no user's code is in it, as of operations in functions that JAX
    has traced before; those are where their caller is."""
    info = equation.source_info
    return info.traceback if source_info_util.summarize(info) else None


def refusal(equation: JaxprEqn, reason: str) -> CompileError:
    """Of an operation that is being traced again."""
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
    """An error of an op of MLIR."""
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
    """Says the operation of JAX instead of the op that was made of it."""
    name = _NAME.search(diagnostic.location)
    return dataclasses.replace(diagnostic, op=name[1]) if name else diagnostic


def explain(error: CompileError) -> CompileError:
    """The compiler's errors, each once; what it says of MLIR is left out."""
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
