"""What goes wrong on the way from PyTorch."""

from ..errors import CompileError, Error


class ImportFailed(CompileError):
    """torch-mlir cannot express a graph on tensors of `linalg`."""


class FallbackForbidden(Error):
    """fallback="error", and something is left to it."""


class MismatchError(Error):
    """verify=True, and a partition's result differs from eager's."""
