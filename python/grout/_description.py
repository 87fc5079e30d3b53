"""Describes the compiler, by include/grout-c/Compiler.h: its targets and its
options.

The build writes the description beside the library, so that a process that
finds all its programs in the cache does not load the compiler:

    python _description.py libGroutCompiler.so libGroutCompiler.json
"""

import ctypes
import json
import pathlib
import sys
from typing import Any


class _Target(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("architecture", ctypes.c_char_p),
        ("code", ctypes.c_int),
        ("has_products", ctypes.c_uint32),
        ("has_f32_products", ctypes.c_uint32),
        ("has_attention", ctypes.c_uint32),
        ("processors", ctypes.c_uint32),
        ("peak_memory_rate", ctypes.c_uint64),
        ("cache_bytes", ctypes.c_uint64),
        ("row_unit", ctypes.c_uint32),
        ("max_convolution_stride", ctypes.c_uint32),
        ("convolution_reach_limit", ctypes.c_uint32),
        ("convolution_corner_limit", ctypes.c_uint32),
        ("head_unit", ctypes.c_uint32),
        ("max_head_elements", ctypes.c_uint32),
        ("max_group_rows", ctypes.c_uint32),
    ]


class _Option(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("help", ctypes.c_char_p),
        ("default_value", ctypes.c_char_p),
        ("values", ctypes.c_char_p),
    ]


def describe(compiler: ctypes.CDLL) -> dict[str, Any]:
    """Returns the description, which can be written as JSON."""
    return {
        "targets": _list(compiler, "target", _Target),
        "options": _list(compiler, "option", _Option),
    }


def _list(
    compiler: ctypes.CDLL, kind: str, structure: type[ctypes.Structure]
) -> list[dict[str, Any]]:
    count = getattr(compiler, f"grout_compiler_num_{kind}s")
    count.restype = ctypes.c_size_t
    get = getattr(compiler, f"grout_compiler_{kind}")
    found = []
    for index in range(count()):
        one = structure(struct_size=ctypes.sizeof(structure))
        status = get(ctypes.c_size_t(index), ctypes.byref(one))
        assert status == 0, f"grout_compiler_{kind} failed with {status}"
        found.append(_fields(one))
    return found


def _fields(structure: ctypes.Structure) -> dict[str, Any]:
    return {
        field[0]: _plain(field[0], getattr(structure, field[0]))
        for field in structure._fields_
        if field[0] != "struct_size"
    }


def _plain(name: str, value: Any) -> Any:
    if name.startswith("has_"):
        return bool(value)
    return value.decode() if isinstance(value, bytes) else value


if __name__ == "__main__":
    text = json.dumps(describe(ctypes.CDLL(sys.argv[1])), indent=1)
    pathlib.Path(sys.argv[2]).write_text(text + "\n")
