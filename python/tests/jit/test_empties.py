"""Functions may have arrays without elements inside."""

import numpy
import pytest

jax = pytest.importorskip("jax")

from comparing import check  # noqa: E402
from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402


def random(rows):
    return numpy.random.default_rng(rows).normal(size=(rows, 8)).astype("f")


def state_space(decay, x):
    """h[t] = decay[t] * h[t - 1] + x[t]."""
    return lax.associative_scan(
        lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (decay, x)
    )[1]


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 8, 17, 64])
def test_scans_of_any_length(rows):
    x = random(rows)
    check(lambda x: lax.associative_scan(jnp.maximum, x, reverse=True), x)
    check(state_space, 1 / (1 + x**2), x)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + x[:0].sum(),
        lambda x: x * x[:0].prod(),
        lambda x: x + jnp.mean(x[:0]),
        lambda x: x[:0].max(initial=3.0) + x,
        lambda x: (x > 0)[:0].all() | (x > 9),
        lambda x: x + x[:, :0] @ x[:, :0].T @ x,
        lambda x: x + jnp.pad(x[:0], ((1, 3), (0, 0)), constant_values=2.0),
        lambda x: x.at[2:2].set(1.0),
        lambda x: x.at[jnp.zeros((0,), int)].add(1.0),
        lambda x: lax.dynamic_update_slice(x, x[:0], (1, 0)),
        lambda x: jnp.concatenate([jnp.sort(x[:0], 0), x, jnp.exp(x[4:])]),
        lambda x: jnp.split(x, [0, 2, 2])[3] + jnp.split(x, [0, 2, 2])[1],
    ],
)
def test_results_without_such_arrays(function):
    check(function, random(4))
