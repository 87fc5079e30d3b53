#!/bin/bash
# PyTorch has no causal attention of jagged nested tensors on the CPU. But the
# error does not say so. With the package for CUDA, on a machine without a GPU,
# it is an AcceleratorError about the CUDA driver: PyTorch asks whether cuDNN
# could compute the attention, though all tensors are on the CPU. Without a
# causal mask, the same tensors have an attention, and it is right.
#
# Seen with PyTorch 2.15.0 on x86-64 without a GPU. With cuDNN's attention
# switched off, it is a RuntimeError: no viable backend was found.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import sys
import warnings

import torch
from torch.nn.functional import scaled_dot_product_attention as attend

warnings.simplefilter("ignore")
torch.manual_seed(0)
requests = [torch.randn(length, 2, 8) for length in (5, 9, 3)]
jagged = torch.nested.nested_tensor(requests, layout=torch.jagged)
operand = jagged.transpose(1, 2)


def outcome(**options):
    try:
        result = attend(operand, operand, operand, **options)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    wanted = [attend(*[one.transpose(0, 1)] * 3).transpose(0, 1)
              for one in requests]
    error = max((one - other).abs().max().item() for one, other in
                zip(result.transpose(1, 2).unbind(), wanted))
    return "right" if error < 1e-5 else f"wrong by {error}"


print("PyTorch", torch.__version__)
print("not causal:", whole := outcome())
print("causal:", causal := outcome(is_causal=True))
torch.backends.cuda.enable_cudnn_sdp(False)
print("causal, without cuDNN:", refused := outcome(is_causal=True))
is_as_seen = (
    whole == "right"
    and causal.startswith("AcceleratorError: CUDA")
    and refused.startswith("RuntimeError: No viable backend")
)
sys.exit(0 if is_as_seen else 1)
PROGRAM
