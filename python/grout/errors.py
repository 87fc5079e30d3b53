"""What goes wrong."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What the compiler says of a program."""

    severity: str
    """error, warning, remark, or note: more about the one before."""
    op: str
    """The op that it is about, such as "linalg.conv_2d_nhwc_hwcf", or ""."""
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
    """Whatever Grout raises, but for ValueError and TypeError of arguments that
    are none."""


class CompileError(Error):
    """A program is malformed or not supported."""

    def __init__(self, message: str, diagnostics: list[Diagnostic]):
        super().__init__("\n".join(map(str, diagnostics)) or message)
        self.diagnostics = diagnostics


class RunError(Error):
    """An artifact cannot be loaded, or has failed."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status
        """A grout_status of grout-c/Runtime.h."""
