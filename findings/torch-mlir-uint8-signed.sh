#!/bin/bash
# torch-mlir takes the elements of a uint8 tensor for signed ones in some
# operations: a product with a float, a division, a remainder and a sort. Their
# MLIR has sitofp, divsi, remsi and cmpi sle. A comparison with a number, a
# shift and a conversion by `.float()` are right. So an image of bytes that is
# scaled by `x * (1 / 255)` has negative numbers for all bytes above 127.
#
# Seen with torch-mlir 20261001 and PyTorch 2.15.0 on x86-64: 200 * 1.5 is -84,
# 200 / 3 truncated is 238, 200 % 3 is 1, and [3, 200] sorts to [200, 3].
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
    y = torch.full_like(x, 3)
    return (x * 1.5, torch.div(x, y, rounding_mode="trunc"), x % y,
            torch.sort(x).values, x.float(), x > 100)


expected, results = run(compute, torch.tensor([3, 200], dtype=torch.uint8))
names = "x * 1.5", "x / 3", "x % 3", "sorted", "float", "x > 100"
for name, wanted, result in zip(names, expected, results):
    print(f"{name}: PyTorch {wanted.tolist()}, torch-mlir {result.tolist()}")
is_as_seen = (
    [result.tolist() for result in results[:4]]
    == [[4.5, -84.0], [1, 238], [0, 1], [200, 3]]
    and torch.equal(expected[4], results[4])
    and torch.equal(expected[5], results[5]))
sys.exit(0 if is_as_seen else 1)
PROGRAM
