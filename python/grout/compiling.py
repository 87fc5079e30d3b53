"""Compiles MLIR to modules that run."""

import json
import pathlib
from typing import Any, Union

from . import _compiler
from .module import Module

Program = Union[str, bytes]
Option = Union[str, int, bool]


def _text(value: Option) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _run(
    program: Program,
    name: str,
    target: str,
    mode: str,
    options: dict[str, Option],
) -> _compiler.Compiler:
    if not isinstance(program, (str, bytes)):
        raise TypeError(
            "a program is MLIR as text (str) or bytecode (bytes), "
            f"not {type(program).__name__}"
        )
    if not isinstance(name, str):
        raise TypeError(f"a name is a str, not {type(name).__name__}")
    compiler = _compiler.Compiler()
    for option, value in {"target": target, "mode": mode, **options}.items():
        compiler.set(option.replace("_", "-"), _text(value))
    data = program.encode() if isinstance(program, str) else program
    compiler.compile(data, name)
    return compiler


def _refuse(options: dict[str, Option], *names: str) -> None:
    """Raises ValueError for options that the calling function sets itself."""
    for name in names:
        if name in options:
            raise ValueError(f"{name} is not to be chosen here")


def compile(
    program: Program,
    *,
    target: str = "cpu",
    mode: str = "auto",
    name: str = "program",
    **options: Option,
) -> Module:
    """Compiles a program in MLIR, `linalg` on tensors, to a Module.

    `program` is MLIR as text or as bytecode. `target` is "cpu" (processors of
    this architecture; on x86-64, those with x86-64-v3), or a GPU such as
    "h200". `mode` says how dependent kernels run: "auto", "serial", "pdl",
    "overlap" or "persistent". `name` stands for the program in diagnostics.
    Other options are those of grout.options(): for example,
    `granularity="tile"`, `tuning="tuning.db"`, `strict_types=True`,
    `reference=False`.

    No GPU is needed. Raises CompileError if the program is refused, ValueError
    if an option or its value is not known, and TypeError if `program` or `name`
    has a wrong type.
    """
    if "emit" in options:
        raise ValueError(
            "a module is an artifact; for other forms call grout-compile --emit"
        )
    if "list_tilings" in options:
        raise ValueError(
            "a module is an artifact; for its tilings call grout.tilings"
        )
    return Module(_run(program, name, target, mode, options).result("output"))


def tilings(
    program: Program,
    *,
    count: int,
    target: str = "h200",
    name: str = "program",
    **options: Option,
) -> list[dict[str, Any]]:
    """Lists the fastest tilings of each GEMM and convolution, as grout-compile
    --list-tilings does.

    Returns a dictionary for each function that has GEMMs or convolutions. The
    dictionary lists these ops. For each op, it has the `count` tilings that are
    modelled to be the fastest, their modelled times, and the op as a function
    of its own. The other arguments are those of `compile`. Raises CompileError
    if the program has no such op, and ValueError if `count` is below 1.
    """
    _refuse(options, "list_tilings", "reference", "emit")
    if count < 1:
        raise ValueError(f"count is {count}; at least one tiling is listed")
    compiler = _run(
        program,
        name,
        target,
        "auto",
        {**options, "list_tilings": count, "reference": False},
    )
    functions: list[dict[str, Any]] = json.loads(compiler.result("output"))[
        "functions"
    ]
    return functions


def explain(
    program: Program,
    *,
    target: str = "h200",
    mode: str = "auto",
    name: str = "program",
    **options: Option,
) -> str:
    """Returns a text that explains a compilation: the tilings and why they were
    chosen, the dependences, the semaphores and the proof. The arguments are
    those of `compile`."""
    _refuse(options, "list_tilings", "explain", "emit")
    compiler = _run(program, name, target, mode, {"explain": True, **options})
    return compiler.result("explanation").decode()


class Timeline:
    """A drawing, as SVG, of the modelled tiles over the processors. A notebook
    shows it."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, pathlib.Path]) -> None:
        pathlib.Path(path).write_text(self.svg)


def timeline(
    program: Program,
    *,
    target: str = "h200",
    mode: str = "auto",
    name: str = "program",
    **options: Option,
) -> Timeline:
    """Draws the modelled tiles of a program. The arguments are those of
    `compile`."""
    compiler = _run(program, name, target, mode, {"timeline": True, **options})
    return Timeline(compiler.result("timeline").decode())


def version() -> str:
    """Returns the version of Grout, such as "0.1.0"."""
    return _compiler.version()
