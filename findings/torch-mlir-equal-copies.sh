#!/bin/sh
# torch-mlir 20261001 folds `x == x.clone()` to true for each element of a tensor
# of floats, also for what is no number, which equals nothing in PyTorch. Its
# canonicalizer drops the copy, and the folder of torch.aten.eq.Tensor asks only
# whether both operands are the same value.
#
# Seen: the result is `dense<true> : tensor<4xi1>`, whatever the argument holds.
# In PyTorch, (x == x.clone()) of [1.0, nan] is [True, False].
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch-mlir==20261001
"$folder/venv/bin/python" - <<'PYTHON'
from torch_mlir import ir
from torch_mlir.dialects import torch
from torch_mlir.passmanager import PassManager

PROGRAM = """
func.func @equal(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],i1> {
  %none = torch.constant.none
  %copy = torch.aten.clone %x, %none : !torch.vtensor<[4],f32>, !torch.none
      -> !torch.vtensor<[4],f32>
  %equal = torch.aten.eq.Tensor %x, %copy : !torch.vtensor<[4],f32>,
      !torch.vtensor<[4],f32> -> !torch.vtensor<[4],i1>
  return %equal : !torch.vtensor<[4],i1>
}
"""
with ir.Context() as context:
    torch.register_dialect(context)
    module = ir.Module.parse(PROGRAM)
    PassManager.parse("builtin.module(func.func(canonicalize))").run(
        module.operation)
    print(module)
    assert "dense<true> : tensor<4xi1>" in str(module), "it is mended"
PYTHON
echo "seen: x == x.clone() is true for what is no number"
