"""Grout: tensor programs whose dependent kernels overlap tile by tile.

    import grout

    module = grout.compile(text)        # MLIR: linalg on tensors
    y = module(x, w)                    # NumPy, PyTorch, JAX, CuPy: DLPack
    module.save("mlp.grout")
    y = grout.load("mlp.grout")(x, w)

`grout.explain` says what was decided and why, `grout.timeline` draws it, and
`grout.CompileError` has the diagnostics of a program that is refused.
"""

from .compiling import Timeline, compile, explain, timeline, version
from .errors import CompileError, Diagnostic, Error, RunError
from .module import Module, TensorInfo, load

__all__ = ["CompileError", "Diagnostic", "Error", "Module", "RunError",
           "TensorInfo", "Timeline", "compile", "explain", "load", "timeline",
           "version"]
