#!/bin/bash
# torch-mlir's clamp of NaN is the lower bound, where PyTorch's is NaN. relu6,
# hardtanh and hardsigmoid are made of it. torch.maximum(x, y) gives y where one
# of both is NaN, so its result depends on the order of the operands. relu, and
# the maximum along an axis, keep NaN. So a network with relu6 whose activations
# have become NaN goes on with zeros.
#
# Seen with torch-mlir 20261001 and PyTorch 2.15.0 on x86-64: clamp(nan, 0, 1)
# is 0, hardtanh(nan) is -1, and maximum(nan, 1) is 1, but maximum(1, nan) is
# NaN.
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
    one = torch.ones_like(x)
    return (x.clamp(0, 1), torch.nn.functional.hardtanh(x),
            torch.maximum(x, one), torch.maximum(one, x), torch.relu(x))


names = ("clamp", "hardtanh", "maximum(x, 1)", "maximum(1, x)", "relu")
expected, results = run(compute, torch.tensor([float("nan"), 0.5]))
for name, wanted, result in zip(names, expected, results):
    print(f"{name}: PyTorch {wanted.tolist()}, torch-mlir {result.tolist()}")
firsts = torch.stack([result[0] for result in results])
nan = float("nan")
is_as_seen = (
    all(wanted[0].isnan() for wanted in expected)
    and torch.equal(firsts.nan_to_num(7), torch.tensor([0.0, -1, 1, 7, 7])))
sys.exit(0 if is_as_seen else 1)
PROGRAM
