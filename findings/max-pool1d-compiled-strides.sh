#!/bin/bash
# torch.compile lays out the result of max_pool1d in another way than PyTorch
# does without it: eager's kernel for the CPU makes it contiguous, and what it
# is broken up into keeps the strides of a transposed operand. So `view(-1)` of
# the result, which eager runs, is an error of the compiled function.
#
# Seen with PyTorch 2.15.0 on x86-64, with the backends aot_eager and inductor:
# strides (8, 1, 4) where eager has (8, 2, 1). Where a gradient is wanted, eager
# keeps the strides, too.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import torch
from torch.nn import functional

x = torch.randn(6, 2, 4).transpose(1, 2)
y = x.clone().requires_grad_()


def pool(x):
    return functional.max_pool1d(x, 3, 1, 1)


def views(function, x):
    try:
        function(x).view(-1)
    except RuntimeError:
        return False
    return True


compiled = torch.compile(pool, backend="aot_eager")
print("PyTorch", torch.__version__)
print("eager:", pool(x).stride(), "compiled:", compiled(x).stride(),
      "with a gradient:", pool(y).stride())
print("view(-1) works: eager", views(pool, x), "compiled", views(compiled, x))
is_as_seen = (
    torch.equal(pool(x), compiled(x)) and pool(x).stride() == (8, 2, 1)
    and compiled(x).stride() == (8, 1, 4) and pool(y).stride() == (8, 1, 4)
    and views(pool, x) and not views(compiled, x))
sys.exit(0 if is_as_seen else 1)
PROGRAM
