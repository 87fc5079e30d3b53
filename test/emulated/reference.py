"""What a program means: as upstream MLIR lowers it, to plain loops."""

import ctypes

import numpy as np
from operators import upstream

from emulated import elements
from emulated.isolation import call


def run(tools, source, program, inputs):
    lowered = upstream.lower(tools.llvm, source, [upstream.BUFFERIZATION])
    assembly, library = (
        source.with_suffix(f".reference.{kind}") for kind in ("ll", "so")
    )
    upstream.call(
        [tools.llvm.translate, "--mlir-to-llvmir", lowered, "-o", assembly]
    )
    libraries = tools.llvm.libraries
    # It copies slices by calls of MLIR's runtime library.
    tools.link(
        [assembly, tools.support],
        library,
        f"-L{libraries}",
        "-lmlir_c_runner_utils",
        f"-Wl,-rpath,{libraries}",
    )

    def compute():
        copies = [np.array(array) for array in inputs]
        results = [
            np.zeros(value.shape, elements.array_type(value.dtype))
            for value in program.results
        ]
        ctypes.CDLL(str(library)).f(
            *(ctypes.c_void_p(array.ctypes.data) for array in copies + results)
        )
        return results

    return call(compute)
