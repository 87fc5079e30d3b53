"""Wraps include/grout-c/Compiler.h with ctypes."""

import ctypes
from typing import Optional

from . import _libraries
from .errors import CompileError, Diagnostic

_OK, _INVALID_ARGUMENT = 0, 1
_SEVERITIES = ("error", "warning", "remark", "note")


class _Diagnostic(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("severity", ctypes.c_int),
        ("op", ctypes.c_char_p),
        ("reason", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
        ("location", ctypes.c_char_p),
    ]


def _decode(text: bytes) -> str:
    return text.decode(errors="replace")


class Compiler:
    """A grout_compiler, whose options are set by name, as strings."""

    def __init__(self) -> None:
        self._handle: Optional[ctypes.c_void_p] = None
        self._library = _libraries.compiler()
        self._library.grout_compiler_last_error.restype = ctypes.c_char_p
        self._library.grout_compiler_destroy.argtypes = [ctypes.c_void_p]
        self._library.grout_compiler_num_diagnostics.restype = ctypes.c_size_t
        handle = ctypes.c_void_p()
        self._check(self._library.grout_compiler_create(ctypes.byref(handle)))
        self._handle = handle

    def __del__(self) -> None:
        if self._handle:
            self._library.grout_compiler_destroy(self._handle)

    def _check(self, status: int) -> None:
        if status != _OK:
            message = _decode(self._library.grout_compiler_last_error())
            if status == _INVALID_ARGUMENT:
                raise ValueError(message)
            raise CompileError(message, [])

    def set(self, name: str, value: str) -> None:
        """Sets an option. Raises ValueError if there is no such option or
        value."""
        self._check(
            self._library.grout_compiler_set_option(
                self._handle, name.encode(), value.encode()
            )
        )

    def compile(self, program: bytes, name: str) -> None:
        """Compiles a program; `name` stands for it in diagnostics. Raises
        CompileError, with the diagnostics, if the program is refused."""
        status = self._library.grout_compiler_compile(
            self._handle, program, ctypes.c_size_t(len(program)), name.encode()
        )
        if status not in (_OK, _INVALID_ARGUMENT):
            raise CompileError(
                _decode(self._library.grout_compiler_last_error()),
                self.diagnostics(),
            )
        self._check(status)

    def diagnostics(self) -> list[Diagnostic]:
        """Returns the diagnostics of the last compilation."""
        found = []
        for i in range(
            self._library.grout_compiler_num_diagnostics(self._handle)
        ):
            one = _Diagnostic(struct_size=ctypes.sizeof(_Diagnostic))
            self._check(
                self._library.grout_compiler_diagnostic(
                    self._handle, ctypes.c_size_t(i), ctypes.byref(one)
                )
            )
            found.append(
                Diagnostic(
                    _SEVERITIES[one.severity],
                    _decode(one.op),
                    _decode(one.reason),
                    _decode(one.file),
                    one.line,
                    one.column,
                    _decode(one.location),
                )
            )
        return found

    def result(self, name: str) -> bytes:
        """Returns a result of the last compilation: `name` is "output",
        "explanation" or "timeline"."""
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._check(
            getattr(self._library, f"grout_compiler_{name}")(
                self._handle, ctypes.byref(data), ctypes.byref(size)
            )
        )
        return ctypes.string_at(data, size.value)


def version() -> str:
    """Returns the version of the compiler, such as "0.1.0"."""
    library = _libraries.compiler()
    library.grout_compiler_version.restype = ctypes.c_char_p
    return _decode(library.grout_compiler_version())
