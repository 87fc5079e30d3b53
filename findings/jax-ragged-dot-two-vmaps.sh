#!/bin/bash
# jax.vmap of jax.lax.ragged_dot runs, and jax.vmap of that does not: tracing
# succeeds and states a shape, and the lowering for the CPU raises a TypeError
# about the in_axes of a vmap that JAX itself made. One of them is a NumPy
# integer. The program has no in_axes.
#
# Seen with JAX 0.10.2 on x86-64: "vmap in_axes must be an int, None, or
# (nested) container with those types as leaves, but got (np.int64(0), 0)". One
# vmap over operands whose two axes are made one gives the wanted result.
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

rows = jax.random.normal(jax.random.key(0), (2, 3, 4, 5))
matrices = jax.random.normal(jax.random.key(1), (2, 3, 2, 5, 6))
sizes = jnp.full((2, 3, 2), 2)
operands = (rows, matrices, sizes)
once = jax.vmap(jax.lax.ragged_dot)
twice = jax.vmap(once)
flat = once(*(x.reshape(6, *x.shape[2:]) for x in operands))
wanted = jnp.stack([once(*(x[i] for x in operands)) for i in range(2)])


def problem(function):
    try:
        function(*operands)
    except TypeError as error:
        return str(error)
    return ""


print("JAX", jax.__version__)
print("traced shape:", jax.eval_shape(twice, *operands).shape)
print("lowered:", problem(jax.jit(twice)) or "no error")
print("one vmap is right:", np.allclose(flat.reshape(wanted.shape), wanted,
                                        atol=1e-5))
is_as_seen = (
    jax.eval_shape(twice, *operands).shape == wanted.shape
    and "vmap in_axes must be" in problem(jax.jit(twice))
    and np.allclose(flat.reshape(wanted.shape), wanted, atol=1e-5))
sys.exit(0 if is_as_seen else 1)
PROGRAM
