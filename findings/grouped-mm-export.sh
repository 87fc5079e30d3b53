#!/bin/bash
# torch.export takes a program that eager PyTorch refuses: a
# torch.nn.functional.grouped_mm of a float32 and a bfloat16 tensor. The meta
# function does not compare the types, and states float32 for the result, so the
# exported program is only refused where it runs. bmm of the same tensors is
# refused by the export. The documentation of grouped_mm also has an argument
# `bias` and states that `out_dtype` may be float32 for bfloat16 operands; the
# kernel of the CPU refuses both.
#
# Seen with PyTorch 2.15.0 on x86-64: exported with a result of float32, then
# "Expected mat_a and mat_b to have the same dtype, got Float and BFloat16".
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import logging
import sys

import torch
from torch.nn import functional

logging.disable()


class Product(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, a, b):
        return self.function(a, b)


def problem(function, *arguments, **named):
    try:
        function(*arguments, **named)
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return ""


a, b = torch.randn(2, 4, 16), torch.randn(2, 16, 8)
mixed = a, b.bfloat16()
exported = torch.export.export(Product(functional.grouped_mm), mixed)
(node,) = (node for node in exported.graph.nodes if "val" in node.meta
           and node.op == "call_function")
problems = {
    "eager": problem(functional.grouped_mm, *mixed),
    "exported": problem(exported.module(), *mixed),
    "export of bmm": problem(torch.export.export, Product(torch.bmm), mixed),
    "bias": problem(functional.grouped_mm, a, b, bias=torch.zeros(2, 8)),
    "out_dtype": problem(functional.grouped_mm, a.bfloat16(), b.bfloat16(),
                         out_dtype=torch.float32),
}
print("PyTorch", torch.__version__)
print("exported result:", node.meta["val"].dtype)
for name, text in problems.items():
    print(f"{name}: {text or 'no error'}")
is_as_seen = (
    node.meta["val"].dtype == torch.float32 and all(problems.values())
    and "same dtype" in problems["eager"]
    and "same dtype" in problems["exported"])
sys.exit(0 if is_as_seen else 1)
PROGRAM
