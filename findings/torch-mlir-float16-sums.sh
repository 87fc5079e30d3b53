#!/bin/bash
# torch-mlir adds up float16 in float16, and PyTorch in float32, which it rounds
# once. In float16, 2048 + 1 is 2048, so a sum of ones ends there, and the mean
# of more than 2048 ones is less than 1. In bfloat16, sums of ones end at 256.
# softmax and layer_norm of as many elements are right.
#
# Seen with torch-mlir 20261001 and PyTorch 2.15.0 on x86-64, for 5000 ones: sum
# 2048 and mean 0.4097, where PyTorch has 5000 and 1.
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
    return x.sum(), x.mean()


expected, results = run(compute, torch.ones(5000, dtype=torch.float16))
for name, wanted, result in zip(("sum", "mean"), expected, results):
    print(f"{name}: PyTorch {wanted.item()}, torch-mlir {result.item()}")
text = str(fx.export_and_import(
    Function(torch.sum), torch.ones(5000, dtype=torch.bfloat16),
    output_type="linalg-on-tensors"))
in_bfloat16 = "arith.addf %in, %out : bf16" in text
print("sum of bfloat16 is made in bfloat16:", in_bfloat16)
is_as_seen = (
    [tensor.item() for tensor in expected] == [5000, 1]
    and results[0].item() == 2048 and 0.4 < results[1].item() < 0.42
    and in_bfloat16)
sys.exit(0 if is_as_seen else 1)
PROGRAM
