"""The errors that Grout raises."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler about a program."""

    severity: str
    """One of "error", "warning", "remark" and "note". A note says more about
    the diagnostic before it."""
    op: str
    """The op that the diagnostic is about, such as "linalg.conv_2d_nhwc_hwcf",
    or ""."""
    reason: str
    file: str
    line: int
    column: int
    location: str
    """The whole location, as MLIR prints it."""

    def __str__(self) -> str:
        op = f"'{self.op}' " if self.op else ""
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {op}{self.reason}"


class Error(Exception):
    """The base class of the errors that Grout raises. Wrong arguments raise
    ValueError or TypeError instead."""


class CompileError(Error):
    """A program is malformed or not supported; `diagnostics` tells why."""

    def __init__(self, message: str, diagnostics: list[Diagnostic]):
        super().__init__("\n".join(map(str, diagnostics)) or message)
        self.diagnostics = diagnostics


class RunError(Error):
    """An artifact cannot be loaded, or has failed."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status
        """A grout_status of grout-c/Runtime.h."""
