"""From MLIR to modules that run."""

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
    """Raises ValueError for options that a function sets itself."""
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
    """Compiles MLIR, `linalg` on tensors, as text or bytecode.

    `target` is "cpu" (this processor), "h100", "h200" or "a100"; `mode` says
    how dependent kernels run: "auto", "serial", "pdl", "overlap", "persistent".
    Other options are those of grout-compile's flags, with underscores
    (`granularity="tile"`, `tuning="tuning.db"`, `strict_types=True`,
    `reference=False`). `name` stands for the program in diagnostics.

    Raises CompileError if the program is refused, and ValueError if an option
    is. Needs no GPU.
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
    """Of each function with products the `count` tilings of each product that
    are modelled to be the fastest, with their modelled times, and each product
    as a function of its own, as grout-compile --list-tilings prints them; for
    the rest as `compile`. Raises CompileError if there is no product."""
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
    """Tilings and why they were chosen, dependences, semaphores and the proof;
    for the rest as `compile`."""
    _refuse(options, "list_tilings", "explain", "emit")
    compiler = _run(program, name, target, mode, {"explain": True, **options})
    return compiler.result("explanation").decode()


class Timeline:
    """The modelled tiles over the processors, as SVG; a notebook shows it."""

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
    """Draws a program; for the rest as `compile`."""
    compiler = _run(program, name, target, mode, {"timeline": True, **options})
    return Timeline(compiler.result("timeline").decode())


def version() -> str:
    """Grout's: "0.1.0"."""
    return _compiler.version()
