#!/bin/bash
# torch.fmod and torch.remainder of finite numbers are NaN on the CPU where the
# quotient of the numbers overflows, though the remainder is exact, as NumPy
# and the C standard have it. It depends on the length of the tensor: only
# vectorised loops give NaN, and a short tensor has the right remainder.
#
# Seen with PyTorch 2.15.0 and NumPy 2.3.5 on x86-64 with AVX2: fmod and
# remainder of 2e38 by 0.5 in f32, and of 1e308 by 0.5 in f64, are NaN in a
# tensor of 320 elements, and 0 in a tensor of one.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import numpy as np
import torch

print("PyTorch", torch.__version__, "NumPy", np.__version__,
      torch.backends.cpu.get_cpu_capability())
is_as_seen = True
for large, dtype in (2e38, torch.float32), (1e308, torch.float64):
    for function in torch.fmod, torch.remainder:
        one, many = (function(torch.full((count,), large, dtype=dtype), 0.5)
                     for count in (1, 320))
        numpys = np.fmod(torch.full((320,), large, dtype=dtype).numpy(), 0.5)
        print(f"{function.__name__} of {large} by 0.5 in {dtype}: "
              f"alone {one.item()}, among 320 {many[0].item()}, "
              f"NumPy {numpys[0]}")
        is_as_seen &= (one.item() == 0 and bool(many.isnan().all())
                       and bool((numpys == 0).all()))
sys.exit(0 if is_as_seen else 1)
PROGRAM
