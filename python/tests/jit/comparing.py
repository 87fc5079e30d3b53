"""Compares what is compiled with JAX in f64."""

import jax
import numpy
from jax import numpy as jnp

import grout.jax

EPSILON = {"float64": 2e-13, "float32": 1e-6, "float16": 2e-3, "bfloat16": 2e-2}


def wide(x):
    """In f64, if it has a fraction."""
    return x.astype("float64") if jnp.issubdtype(x.dtype, jnp.floating) else x


def error(x, y):
    """The largest difference, by the largest element."""
    x, y = (numpy.asarray(value).astype("float64") for value in (x, y))
    keep = numpy.isfinite(y)
    numpy.testing.assert_array_equal(numpy.isfinite(x), keep)
    numpy.testing.assert_array_equal(x[~keep], y[~keep])
    if not keep.any():
        return 0.0
    return abs(x[keep] - y[keep]).max() / (abs(y[keep]).max() or 1.0)


def check(function, *args, **options):
    """Results have the structure and the types of jax.jit's, and are as near to
    f64's as they are; truth values and integers are equal."""
    got = grout.jax.jit(function, **options)(*args)
    own = jax.jit(function)(*args)
    with jax.enable_x64(True):
        wanted = jax.jit(function)(*jax.tree.map(wide, args))
    assert jax.tree.structure(got) == jax.tree.structure(own)
    for x, y, z in zip(*map(jax.tree.leaves, (got, own, wanted))):
        assert (x.shape, x.dtype, x.weak_type) == (
            y.shape,
            y.dtype,
            y.weak_type,
        )
        if x.dtype.name in EPSILON:
            assert error(x, z) <= max(2 * error(y, z), EPSILON[x.dtype.name])
        else:
            numpy.testing.assert_array_equal(x, y)
