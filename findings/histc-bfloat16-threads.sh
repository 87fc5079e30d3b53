#!/bin/bash
# torch.histc of a bfloat16 tensor on the CPU counts in bfloat16, in which 256 +
# 1 is 256. Each thread counts its own part, so no count exceeds 256 times the
# number of threads, and the result depends on that number. float16 stops at
# 2048 for each thread. There is no warning, and torch.histc takes no integers
# on the CPU. With float32 the counts are right.
#
# Seen with PyTorch 2.15.0 on x86-64: of 100000 equal elements 256, 512 and 1024
# are counted in bfloat16 by 1, 2 and 4 threads. torch.sum of as many ones,
# which adds in float32, is 99840, the nearest number of bfloat16.
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

x = torch.ones(100000)


def counted(dtype, threads):
    torch.set_num_threads(threads)
    return int(torch.histc(x.to(dtype), bins=2, min=0, max=2)[1])


print("PyTorch", torch.__version__)
counts = {dtype: [counted(dtype, threads) for threads in (1, 2, 4)]
          for dtype in (torch.float32, torch.bfloat16, torch.float16)}
for dtype, values in counts.items():
    print(f"{dtype} counted by 1, 2 and 4 threads:", values)
total = int(x.bfloat16().sum())
print("sum in bfloat16:", total)
try:
    torch.histc(x.long(), bins=2, min=0, max=2)
    integers = "counted"
except NotImplementedError as error:
    integers = str(error)
print("integers:", integers)
is_as_seen = (
    counts[torch.float32] == [100000] * 3
    and counts[torch.bfloat16] == [256, 512, 1024]
    and counts[torch.float16] == [2048, 4096, 8192]
    and total == 99840 and "not implemented" in integers)
sys.exit(0 if is_as_seen else 1)
PROGRAM
