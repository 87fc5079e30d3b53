#!/bin/sh
# MLIR's expansion of math.round (math-expand-ops) adds 0.5 and cuts off the
# fraction. The largest f32 below 0.5 becomes 1 that way, since the sum is
# rounded up to 1. MLIR's own constant folder gives 0, as C's round does. So one
# program has two results, by whether its argument is known when it is compiled.
#
# Seen with the MLIR of torch-mlir 20261001 (LLVM 24), and with MLIR 22.1.8:
# folded 0.0, expanded 1.0.
#
# Exits with 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch-mlir==20261001
"$folder/venv/bin/python" - <<'PYTHON'
import re
import sys

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

PROGRAM = """
func.func private @round(%x: f32) -> f32 {
  %r = math.round %x : f32
  return %r : f32
}
func.func @main() -> f32 {
  %c = arith.constant 0.49999997 : f32
  %r = call @round(%c) : (f32) -> f32
  return %r : f32
}
"""


def result(*passes):
    """What main returns after `passes`, as the text of a constant."""
    with ir.Context():
        module = ir.Module.parse(PROGRAM)
        PassManager.parse(f"builtin.module({','.join(passes)})").run(
            module.operation)
        return float(re.search(r"arith\.constant (\S+) : f32",
                               str(module))[1])


folded = result("inline", "canonicalize")
expanded = result("math-expand-ops{ops=round}", "inline", "canonicalize")
print("folded", folded, "expanded", expanded)
sys.exit(0 if (folded, expanded) == (0.0, 1.0) else 1)
PYTHON
