#!/bin/bash
# jax.lax.ragged_dot multiplies each row by the matrix of its group. On the CPU,
# rows also depend on the matrices of other groups, and on the type of the
# sizes. An infinity in one matrix makes NaN of other groups' rows: each matrix
# is multiplied by all rows, where those of other groups are 0, and 0 * inf is
# NaN. The sizes are added up, and the rows are numbered, in the type of the
# sizes. So sizes of uint8 whose sum is more than 256 give some rows another
# group's matrix, and other rows 0. There is no error, and the documentation
# asks for no more than an integer type.
#
# Seen with JAX 0.10.2 on x86-64: NaN in both rows of the group whose matrix is
# finite; with three groups of 100 rows, group 2 has 44 rows of group 0's matrix
# and 56 rows of 0 with uint8, and 100 rows of its own matrix with int32.
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
import numpy as np

ones = jnp.ones((4, 3))
matrices = jnp.ones((2, 3, 1))
sizes = jnp.array([2, 2])
finite = np.asarray(jax.lax.ragged_dot(ones, matrices, sizes))[:, 0]
infinite = np.asarray(jax.lax.ragged_dot(
    ones, matrices.at[1, 0, 0].set(jnp.inf), sizes))[:, 0]


def last_group(dtype):
    """Rows of the last of three groups of 100, whose matrices are 1, 2, 3."""
    result = jax.lax.ragged_dot(jnp.ones((300, 1)),
                                jnp.array([1.0, 2.0, 3.0]).reshape(3, 1, 1),
                                jnp.full(3, 100, dtype))
    values, counts = np.unique(np.asarray(result)[200:, 0], return_counts=True)
    return dict(zip(values.tolist(), counts.tolist()))


print("JAX", jax.__version__)
print("both matrices finite:", finite)
print("infinity in matrix 1:", infinite)
print("sizes of int32, last group:", last_group(jnp.int32))
print("sizes of uint8, last group:", last_group(jnp.uint8))
is_as_seen = (
    np.array_equal(finite, [3, 3, 3, 3])
    and np.array_equal(infinite, [np.nan, np.nan, np.inf, np.inf],
                       equal_nan=True)
    and last_group(jnp.int32) == {3.0: 100}
    and last_group(jnp.uint8) == {0.0: 56, 1.0: 44})
sys.exit(0 if is_as_seen else 1)
PROGRAM
