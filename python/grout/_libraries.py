"""Loads Grout's shared libraries: from this package, or from the folder that
the environment variable GROUT_LIBRARY_DIR names (the folder lib of a build
tree)."""

import ctypes
import functools
import json
import os
import pathlib
from typing import Any

from ._description import describe
from .errors import Error

_PACKAGE = pathlib.Path(__file__).parent


def _folder() -> pathlib.Path:
    given = os.environ.get("GROUT_LIBRARY_DIR")
    return pathlib.Path(given) if given else _PACKAGE / "lib"


def _load(name: str) -> ctypes.CDLL:
    path = _folder() / f"lib{name}.so.1"
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise Error(f"cannot load {path}: {error}") from error


@functools.cache
def runtime() -> ctypes.CDLL:
    """libGroutRuntime.so."""
    return _load("GroutRuntime")


@functools.cache
def compiler() -> ctypes.CDLL:
    """libGroutCompiler.so. A process that only runs artifacts does not load
    it."""
    return _load("GroutCompiler")


@functools.cache
def description() -> dict[str, Any]:
    """Returns what the compiler tells about itself, as _description.describe
    does. Loads the compiler only if the build has written no description."""
    path = _folder() / "libGroutCompiler.json"
    if not path.exists():
        return describe(compiler())
    described: dict[str, Any] = json.loads(path.read_text())
    return described
