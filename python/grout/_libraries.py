"""Loads Grout's shared libraries: from this package, or from the folder that
the environment variable GROUT_LIBRARY_DIR names (the folder lib of a build
tree)."""

import ctypes
import functools
import os
import pathlib

from .errors import Error

_PACKAGE = pathlib.Path(__file__).parent


def _load(name: str) -> ctypes.CDLL:
    given = os.environ.get("GROUT_LIBRARY_DIR")
    folder = pathlib.Path(given) if given else _PACKAGE / "lib"
    path = folder / f"lib{name}.so.1"
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
