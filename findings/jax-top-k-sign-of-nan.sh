#!/bin/bash
# jax.lax.top_k on the CPU ranks a NaN by its sign bit: above all numbers where
# that is 0, and below minus infinity where it is 1. On x86-64, `inf - inf` has
# a NaN whose sign bit is 1, and `jnp.nan` one whose sign bit is 0. So where a
# NaN was computed, top_k leaves it out, while argmax and sort of the same array
# have it as the greatest. In the same way 0 comes before an earlier -0, though
# the documentation says that of equal elements the earlier is first.
#
# Seen with JAX 0.10.2 on x86-64: top_k of [1 - inf, inf - inf, 2 - inf] is
# [-inf, -inf] of the indices 0 and 2, and of [1, jnp.nan, 2] is [nan, 2]; top_k
# of [-0, 0] has the indices 1 and 0.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet 'jax[cpu]==0.10.2' numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import jax
import jax.numpy as jnp


def top_two(x):
    """The indices of the two greatest elements by top_k, greatest first."""
    return jax.lax.top_k(x, 2)[1].tolist()


computed = jnp.array([1.0, jnp.inf, 2.0]) - jnp.inf
written = jnp.array([1.0, jnp.nan, 2.0])
zeros = jnp.array([-0.0, 0.0])
print("JAX", jax.__version__)
for name, x in ("inf - inf", computed), ("jnp.nan", written), ("zeros", zeros):
    print(f"{name}: {x}, top_k {top_two(x)}, argmax {jnp.argmax(x)}, sorted",
          jnp.sort(x))
is_as_seen = (
    top_two(computed) == [0, 2]
    and jnp.argmax(computed) == 1 and bool(jnp.isnan(jnp.sort(computed)[-1]))
    and top_two(written) == [1, 2]
    and top_two(zeros) == [1, 0] and jnp.argmax(zeros) == 0)
sys.exit(0 if is_as_seen else 1)
PROGRAM
