"""Compiles graphs with upstream MLIR's passes for the processor at hand.

A backend has compile(), which gives a program for some graphs, and the program
has run(), which computes one of them. What they cannot do they say by a
BackendError.
"""

import ctypes
import pathlib
import shutil
import subprocess

import numpy as np

from errors import UserError
from operators import emit

_PASSES = (
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--buffer-results-to-out-params=modify-public-functions",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata", "--lower-affine", "--convert-scf-to-cf",
    "--math-expand-ops=ops=rsqrt", "--convert-math-to-libm",
    "--convert-math-to-llvm", "--convert-complex-to-llvm",
    "--convert-arith-to-llvm", "--convert-index-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm=use-bare-ptr-memref-call-conv",
    "--convert-cf-to-llvm", "--reconcile-unrealized-casts")


class BackendError(Exception):
    pass


class Tools:
    """Programs of LLVM, in `folder` or on the PATH."""

    def __init__(self, folder):
        self.opt = self._find("mlir-opt", folder)
        self.translate = self._find("mlir-translate", folder)
        self.clang = self._find("clang", folder)
        # Copies of slices are calls of MLIR's runtime library.
        self.libraries = pathlib.Path(self.opt).resolve().parents[1] / "lib"

    @staticmethod
    def _find(name, folder):
        found = (shutil.which(name, path=folder) if folder
                 else shutil.which(f"{name}-22") or shutil.which(name))
        if not found:
            raise UserError(f"there is no {name}"
                            + (f" in {folder}" if folder else
                               "; --llvm says where LLVM 22's programs are"))
        return found


class Upstream:
    def __init__(self, tools):
        self._tools = tools

    def compile(self, graphs, folder):
        """A program for graphs with different names; its files are in
        `folder`."""
        folder = pathlib.Path(folder)
        source = folder / "operators.mlir"
        source.write_text("".join(map(emit.function, graphs)))
        self._run([self._tools.opt, source, *_PASSES,
                   "-o", folder / "lowered.mlir"])
        self._run([self._tools.translate, "--mlir-to-llvmir",
                   folder / "lowered.mlir", "-o", folder / "operators.ll"])
        self._run([self._tools.clang, "-O1", "-march=native", "-shared",
                   "-fPIC", "-Wno-override-module", folder / "operators.ll",
                   "-o", folder / "operators.so",
                   f"-L{self._tools.libraries}", "-lmlir_c_runner_utils",
                   f"-Wl,-rpath,{self._tools.libraries}", "-lm"])
        return _Library(folder / "operators.so")

    @staticmethod
    def _run(command):
        done = subprocess.run(list(map(str, command)), stderr=subprocess.PIPE,
                              text=True)
        if done.returncode:
            raise BackendError(
                f"{pathlib.Path(command[0]).name}: "
                + (done.stderr.strip() or f"status {done.returncode}")
                .splitlines()[0])


class _Library:
    def __init__(self, path):
        self._library = ctypes.CDLL(str(path))

    def run(self, graph, inputs):
        """The arrays of graph.results. Functions take bare pointers, those of
        results last."""
        copies = [array.copy() for array in inputs]
        results = []
        for value in graph.results:
            tensor = graph.type(value)
            # What is not written shows: NaN, -1, or no truth value.
            array = np.empty(tensor.shape, tensor.dtype)
            array.view(np.uint8).fill(0xFF)
            results.append(array)
        pointers = [ctypes.c_void_p(array.ctypes.data)
                    for array in copies + results]
        getattr(self._library, graph.name)(*pointers)
        return results
