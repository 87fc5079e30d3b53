"""Grout: tensor programs whose dependent kernels overlap tile by tile.

    import grout

    module = grout.compile(text)        # MLIR: linalg on tensors
    y = module(x, w)                    # NumPy, PyTorch, JAX, CuPy: DLPack
    module.save("mlp.grout")
    y = grout.load("mlp.grout")(x, w)

With PyTorch, `torch.compile(model, backend="grout")` compiles models,
`grout.report(model, inputs)` says what became of each operator, and
`grout.export(model, inputs, "m.gpkg")` writes a package, which `grout.load`
runs and `grout.info` tells of. With JAX, `grout.jax.jit(function)` compiles
functions.

`grout.explain` says what was decided and why, `grout.timeline` draws it, and
`grout.CompileError` has the diagnostics of a program that is refused.
"""

from typing import Any

from . import logs
from .compiling import Timeline, compile, explain, tilings, timeline, version
from .errors import CompileError, Diagnostic, Error, RunError
from .loading import load
from .module import Module, TensorInfo
from .packages import Info, info

logs.configure()


def report(model: Any, inputs: Any, **options: Any) -> Any:
    """What becomes of a PyTorch model: see grout.torch.report."""
    from .torch import report as of_model

    return of_model(model, inputs, **options)


def export(model: Any, args: Any, path: Any, **options: Any) -> Info:
    """Writes a PyTorch model as a package: see grout.torch.export."""
    from .torch import export as of_model

    return of_model(model, args, path, **options)


__all__ = [
    "CompileError",
    "Diagnostic",
    "Error",
    "Info",
    "Module",
    "RunError",
    "TensorInfo",
    "Timeline",
    "compile",
    "explain",
    "export",
    "info",
    "load",
    "report",
    "tilings",
    "timeline",
    "version",
]
