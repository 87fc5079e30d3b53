#!/bin/bash
# torch.nn.functional.gelu of infinity is NaN on a CPU with AVX-512 where the
# tensor is contiguous and has two elements or more, and infinity where it has
# one element or gaps. oneDNN makes the first result, and PyTorch's own kernel
# the second. A number of 3e38, which float32 holds, becomes infinity by oneDNN,
# too. So a value that overflowed turns to NaN one step earlier or later by the
# shape of the tensor.
#
# Seen with PyTorch 2.15.0 on x86-64: [nan, nan] for two infinities, and [inf,
# inf] with torch.backends.mkldnn.flags(enabled=False), or with the environment
# variable ONEDNN_MAX_CPU_ISA=AVX2. bfloat16 is as float32, float16 is not.
#
# Exits with 2 on a CPU without AVX-512.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import math
import sys
import warnings

import torch
from torch.nn.functional import gelu

warnings.simplefilter("ignore")
if torch.backends.cpu.get_cpu_capability() != "AVX512":
    print("This CPU has no AVX-512.")
    sys.exit(2)


def of(value, count, dtype=torch.float32):
    return gelu(torch.full((count,), value, dtype=dtype)).tolist()


def without_onednn(*arguments):
    with torch.backends.mkldnn.flags(enabled=False):
        return of(*arguments)


print("PyTorch", torch.__version__)
print("infinity: one", of(math.inf, 1), "two", of(math.inf, 2),
      "two without oneDNN", without_onednn(math.inf, 2))
print("gaps:", gelu(torch.full((4,), math.inf)[::2]).tolist())
print("3e38: one", of(3e38, 1), "two", of(3e38, 2))
print("two of bfloat16", of(math.inf, 2, torch.bfloat16), "two of float16",
      of(math.inf, 2, torch.float16))
is_as_seen = (
    of(math.inf, 1) == [math.inf] and all(map(math.isnan, of(math.inf, 2)))
    and without_onednn(math.inf, 2) == [math.inf, math.inf]
    and of(3e38, 1) != of(3e38, 2)[:1] == [math.inf]
    and all(map(math.isnan, of(math.inf, 2, torch.bfloat16)))
    and of(math.inf, 2, torch.float16) == [math.inf, math.inf])
sys.exit(0 if is_as_seen else 1)
PROGRAM
