"""Compiles graphs with upstream MLIR's passes for the processor at hand.

A backend has compile(), which gives a program for some graphs, and the program
has run(), which computes one of them. What is wrong they say by a BackendError,
and what they do not support by a BackendRefusal.
"""

import ctypes
import math
import pathlib
import shutil
import subprocess

import numpy as np
from errors import UserError

from operators import emit

BUFFERIZATION = (
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map"
)
_LOWERING = (
    "--buffer-results-to-out-params=modify-public-functions",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--math-expand-ops=ops=rsqrt",
    "--convert-math-to-libm",
    "--convert-math-to-llvm",
    "--convert-complex-to-llvm",
    "--convert-vector-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm=use-bare-ptr-memref-call-conv",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)


# Grout's loops take it for granted.
_ALIGNMENT = 64


class BackendError(Exception):
    pass


class BackendRefusal(BackendError):
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
        found = (
            shutil.which(name, path=folder)
            if folder
            else shutil.which(f"{name}-22") or shutil.which(name)
        )
        if not found:
            raise UserError(
                f"there is no {name}"
                + (
                    f" in {folder}"
                    if folder
                    else "; --llvm says where LLVM 22's programs are"
                )
            )
        return found


class Upstream:
    def __init__(self, tools):
        self._tools = tools

    def compile(self, graphs, folder):
        """A program for graphs with different names; its files are in
        `folder`."""
        source = pathlib.Path(folder) / "operators.mlir"
        source.write_text("".join(map(emit.function, graphs)))
        return library(self._tools, source, [BUFFERIZATION])


def library(tools, source, passes=()):
    """The program of the functions in the file `source`, which are on memrefs
    after `passes`."""
    lowered = lower(tools, source, passes)
    assembly, output = source.with_suffix(".ll"), source.with_suffix(".so")
    call([tools.translate, "--mlir-to-llvmir", lowered, "-o", assembly])
    call(
        [
            tools.clang,
            "-O1",
            "-march=native",
            "-shared",
            "-fPIC",
            "-Wno-override-module",
            assembly,
            "-o",
            output,
            f"-L{tools.libraries}",
            "-lmlir_c_runner_utils",
            f"-Wl,-rpath,{tools.libraries}",
            "-lm",
        ]
    )
    return _Library(output)


def lower(tools, source, passes=()):
    """A file of the functions in `source` in the llvm dialect."""
    lowered = source.with_suffix(".llvm.mlir")
    call([tools.opt, source, *passes, *_LOWERING, "-o", lowered])
    return lowered


def call(command):
    done = subprocess.run(
        list(map(str, command)), stderr=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise BackendError(
            f"{pathlib.Path(command[0]).name}: "
            + (done.stderr.strip() or f"status {done.returncode}").splitlines()[
                0
            ]
        )


class _Library:
    def __init__(self, path):
        self._library = ctypes.CDLL(str(path))

    def run(self, graph, inputs):
        """The arrays of graph.results. Functions take bare pointers, those of
        results last."""
        copies = [_aligned(array.shape, array.dtype) for array in inputs]
        for copy, array in zip(copies, inputs):
            copy[...] = array
        # What is not written shows: NaN, -1, or no truth value.
        results = [
            _aligned(graph.type(value).shape, graph.type(value).dtype)
            for value in graph.results
        ]
        pointers = [
            ctypes.c_void_p(array.ctypes.data) for array in copies + results
        ]
        getattr(self._library, graph.name)(*pointers)
        return results


def _aligned(shape, dtype):
    """An array of bytes 0xFF."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    memory = np.full(size + _ALIGNMENT, 0xFF, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    return memory[start : start + size].view(dtype).reshape(shape)
