#!/bin/bash
# torch-mlir's maximum along an axis is NaN where an element is, as PyTorch's,
# but the index beside it is that of the greatest number before the NaN: the
# value is made with arith.maximumf, and the index with a comparison that NaN
# never wins. So x[index] is not the value, and argmax differs from PyTorch's,
# which has the index of the NaN. max_pool2d has the index -1 for a window with
# a NaN.
#
# Seen with torch-mlir 20261001 and PyTorch 2.15.0 on x86-64, for [1, 2, nan,
# 3]: NaN with index 1, where PyTorch has NaN with index 2; in a window of these
# four max_pool2d has NaN with index -1.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5 \
  torch-mlir==20261001

"$folder/venv/bin/python" - <<'PROGRAM'
import ctypes
import sys

import torch
from torch_mlir import fx, ir
from torch_mlir.execution_engine import ExecutionEngine
from torch_mlir.passmanager import PassManager
from torch_mlir.runtime import get_ranked_memref_descriptor

PASSES = """builtin.module(
  func.func(tm-tensor-bufferize),
  one-shot-bufferize{copy-before-write bufferize-function-boundaries
      function-boundary-type-conversion=identity-layout-map},
  func.func(tm-tensor-to-loops, convert-linalg-to-loops),
  buffer-results-to-out-params{modify-public-functions},
  convert-scf-to-cf, expand-strided-metadata, lower-affine, arith-expand,
  convert-math-to-llvm, convert-math-to-libm, convert-arith-to-llvm,
  finalize-memref-to-llvm, convert-func-to-llvm, convert-cf-to-llvm,
  convert-index-to-llvm, reconcile-unrealized-casts)"""


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def run(function, *inputs):
    """Results of PyTorch, and of the program that torch-mlir makes of it."""
    expected = function(*inputs)
    results = tuple(torch.empty_like(tensor) for tensor in expected)
    module = fx.export_and_import(Function(function), *inputs,
                                  output_type="linalg-on-tensors")
    with module.context:
        main = module.body.operations[0]
        main.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        PassManager.parse(PASSES).run(module.operation)
        ExecutionEngine(module).invoke("main", *(
            ctypes.pointer(ctypes.pointer(
                get_ranked_memref_descriptor(tensor.numpy())))
            for tensor in (*inputs, *results)))
    return expected, results


def compute(x):
    return (*torch.max(x, 0), x.argmax(0),
            *torch.nn.functional.max_pool2d(x.reshape(1, 1, 2, 2), 2,
                                            return_indices=True))


names = "max", "its index", "argmax", "pooled", "its index"
expected, results = run(compute, torch.tensor([1.0, 2.0, float("nan"), 3.0]))
for name, wanted, result in zip(names, expected, results):
    print(f"{name}: PyTorch {wanted.item()}, torch-mlir {result.item()}")


def numbers(tensors):
    """What the tensors have, with 9 for NaN."""
    return [tensor.nan_to_num(9).item() for tensor in tensors]


is_as_seen = (numbers(expected) == [9, 2, 2, 9, 2]
              and numbers(results) == [9, 1, 1, 9, -1])
sys.exit(0 if is_as_seen else 1)
PROGRAM
