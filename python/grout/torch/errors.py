"""The errors of grout.torch."""

from ..errors import CompileError, Error


class ImportFailed(CompileError):
    """torch-mlir cannot lower a graph to `linalg` on tensors."""


class FallbackForbidden(Error):
    """With fallback="error": a part of a graph would be left to the
    fallback."""


class MismatchError(Error):
    """With verify=True: a result of a partition differs from eager's."""
