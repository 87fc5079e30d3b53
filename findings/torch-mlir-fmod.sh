#!/bin/bash
# torch-mlir computes torch.fmod of floats as x - trunc(x / y) * y, in which the
# quotient and the product are rounded. So the result is wrong for a large
# quotient, is 0 where x / y is rounded up to a whole number, and is NaN where y
# is infinite. fmod of floats is exact by definition, and in PyTorch.
# torch.remainder, for which torch-mlir has arith.remf, is right.
#
# Seen with torch-mlir 20261001 and PyTorch 2.15.0 on x86-64: fmod(1, inf) is
# NaN, fmod(1e30, 7) is 0 and fmod(1, 0.1) is 0, where PyTorch has 1, 1 and 0.1.
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


def compute(x, y):
    return torch.fmod(x, y), torch.remainder(x, y)


x = torch.tensor([5.0, 1.0, 1e30, 1.0])
y = torch.tensor([3.0, float("inf"), 7.0, 0.1])
expected, results = run(compute, x, y)
for name, wanted, result in zip(("fmod", "remainder"), expected, results):
    print(f"{name}: PyTorch {wanted.tolist()}, torch-mlir {result.tolist()}")
wrong = torch.tensor([2.0, float("nan"), 0.0, 0.0])
is_as_seen = (
    torch.equal(expected[0], torch.tensor([2.0, 1.0, 1.0, 0.1 - 2**-26]))
    and torch.allclose(results[0], wrong, equal_nan=True)
    and torch.equal(*(tensors[1] for tensors in (expected, results))))
sys.exit(0 if is_as_seen else 1)
PROGRAM
