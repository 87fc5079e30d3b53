"""Compiles functions of JAX with Grout.

    import grout.jax

    fast = grout.jax.jit(function)
    y = fast(x)

jax.jit traces a function, and lowers it to StableHLO. The passes that come with
jaxlib convert that to `linalg`, which grout.compile compiles.
"""

from .function import Function, jit

__all__ = ["Function", "jit"]
