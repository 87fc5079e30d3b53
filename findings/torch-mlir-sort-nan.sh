#!/bin/bash
# A NaN has no fixed place in a tensor that torch-mlir sorts: it is among the
# numbers, by where it was before. PyTorch has it as the greatest. torch-mlir
# compares with `ole`, which is false of NaN in both orders, so that it is no
# order. topk is made of a sort: it has no NaN where PyTorch has one, and has
# one as the least element, where PyTorch has a number.
#
# Seen with torch-mlir 20261001 and PyTorch 2.15.0 on x86-64: [3, nan, 1] sorts
# to [1, nan, 3], and the greatest is 3; [nan, 3, 1] sorts to [nan, 1, 3], and
# the least is NaN.
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
    return (torch.sort(x).values, torch.topk(x, 1).values,
            torch.topk(x, 1, largest=False).values)


def texts(tensors):
    return [str(tensor.tolist()) for tensor in tensors]


first = run(compute, torch.tensor([3.0, float("nan"), 1.0]))
second = run(compute, torch.tensor([float("nan"), 3.0, 1.0]))
for name, (expected, results) in (("[3, nan, 1]", first),
                                  ("[nan, 3, 1]", second)):
    print(f"{name} sorted, greatest, least: PyTorch", *texts(expected),
          "torch-mlir", *texts(results))
is_as_seen = (
    texts(first[0]) == texts(second[0])
    == ["[1.0, 3.0, nan]", "[nan]", "[1.0]"]
    and texts(first[1]) == ["[1.0, nan, 3.0]", "[3.0]", "[1.0]"]
    and texts(second[1]) == ["[nan, 1.0, 3.0]", "[nan]", "[nan]"])
sys.exit(0 if is_as_seen else 1)
PROGRAM
