"""Grout: tensor programs whose dependent kernels overlap tile by tile.

    import grout

    module = grout.compile(text)        # MLIR: linalg on tensors
    y = module(x, w)                    # NumPy, PyTorch, JAX, CuPy: DLPack
    module.save("mlp.grout")
    y = grout.load("mlp.grout")(x, w)

With PyTorch, `torch.compile(model, backend="grout")` compiles a model.
`grout.report(model, inputs)` tells which operators Grout runs, and why it does
not run the others. `grout.export(model, inputs, "m.gpkg")` writes a model as a
package; `grout.load` loads the package, and `grout.info` describes it. With
JAX, `grout.jax.jit(function)` compiles a function. `grout.ops` has operators for
mixtures of experts, for all of PyTorch.

`grout.explain` explains the decisions of the compiler, and `grout.timeline`
draws its model of the tiles over time. `grout.trace` records when the tiles of
runs began and ended. `grout.options()` describes the compiler's options. If the compiler refuses a program, it
raises `grout.CompileError`, which has the diagnostics.
"""

from typing import Any

from . import logs
from .compiler_options import CompilerOption, options
from .compiling import Timeline, compile, explain, tilings, timeline, version
from .errors import CompileError, Diagnostic, Error, RunError
from .loading import load
from .module import Module, TensorInfo
from .packages import Info, info
from .tracing import Trace, TraceRecord, trace

logs.configure()


def report(model: Any, inputs: Any, **options: Any) -> Any:
    """Tells which operators of a PyTorch model Grout runs, and why it does not
    run the others. See grout.torch.report for `options`."""
    from .torch import report as of_model

    return of_model(model, inputs, **options)


def export(model: Any, args: Any, path: Any, **options: Any) -> Info:
    """Writes a PyTorch model as a package, and returns its description. See
    grout.torch.export for `options`."""
    from .torch import export as of_model

    return of_model(model, args, path, **options)


__all__ = [
    "CompileError",
    "CompilerOption",
    "Diagnostic",
    "Error",
    "Info",
    "Module",
    "RunError",
    "TensorInfo",
    "Timeline",
    "Trace",
    "TraceRecord",
    "compile",
    "explain",
    "export",
    "info",
    "load",
    "options",
    "report",
    "tilings",
    "timeline",
    "trace",
    "version",
]
