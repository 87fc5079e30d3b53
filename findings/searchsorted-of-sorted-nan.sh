#!/bin/bash
# torch.sort has NaN as the greatest element, and torch.searchsorted and
# torch.bucketize do not: where their search meets a NaN, it goes on behind
# that. So in a sorted sequence that ends with NaN, numbers are said to belong
# behind the NaN; where most elements are NaN, all numbers are. NumPy and JAX
# sort in the same way, and their searchsorted takes NaN as the greatest, too.
#
# Seen with PyTorch 2.15.0, JAX 0.10.2 and NumPy 2.3.5 on x86-64, for 5 in [0,
# 1, nan]: place 3 in PyTorch, 2 in the others; and for 0.5 in [0, 1, nan, nan,
# nan]: place 5 in PyTorch, 1 in the others.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.15.0 numpy==2.3.5 \
  'jax[cpu]==0.10.2'

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import jax
import jax.numpy as jnp
import numpy as np
import torch

NAN = float("nan")


def places(numbers, wanted):
    """Where `wanted` belongs, by PyTorch, JAX and NumPy."""
    numbers = np.array(numbers, np.float32)
    order = torch.sort(torch.from_numpy(numbers)).values
    assert np.array_equal(order.numpy(), np.sort(numbers), equal_nan=True)
    wanted = np.array([wanted], np.float32)
    return [int(torch.searchsorted(order, torch.from_numpy(wanted))),
            int(torch.bucketize(torch.from_numpy(wanted), order)),
            int(jnp.searchsorted(jnp.sort(numbers), wanted)[0]),
            int(np.searchsorted(np.sort(numbers), wanted)[0])]


print("PyTorch", torch.__version__, "JAX", jax.__version__, "NumPy",
      np.__version__)
one = places([1.0, NAN, 0.0], 5.0)
three = places([NAN, 1.0, NAN, 0.0, NAN], 0.5)
print("searchsorted, bucketize, JAX, NumPy: 5 in [0, 1, nan]", one,
      "0.5 in [0, 1, nan, nan, nan]", three)
sys.exit(0 if one == [3, 3, 2, 2] and three == [5, 5, 1, 1] else 1)
PROGRAM
