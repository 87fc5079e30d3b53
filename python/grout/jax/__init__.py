"""Functions of JAX, compiled by Grout.

    import grout.jax

    fast = grout.jax.jit(function)
    y = fast(x)

A function is traced by jax.jit, lowered by it to StableHLO, converted to
`linalg` by the passes that come with jaxlib, and compiled by grout.compile.
"""

from .function import Function, jit

__all__ = ["Function", "jit"]
