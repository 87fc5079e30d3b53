"""Operations on arrays without elements, which Grout does not have.

They occur inside of functions: `jax.lax.associative_scan` of two rows adds
slices of no rows, and concatenates the sums with others.
"""

from typing import Any, Optional, Sequence

import jax
from jax import lax
from jax import numpy as jnp
from jax.extend.core import JaxprEqn

# The first operand is the result if the last one, which is written into it, has
# no elements.
_UPDATES = (
    "dynamic_update_slice",
    "scatter",
    "scatter-add",
    "scatter-max",
    "scatter-min",
    "scatter-mul",
)


def is_empty(aval: Any) -> bool:
    return 0 in aval.shape


def apply(equation: JaxprEqn, operands: Sequence[Any]) -> Optional[list[Any]]:
    """Returns the results of an operation that has operands or results without
    elements, if they can be told without such arrays."""
    results = [variable.aval for variable in equation.outvars]
    if all(map(is_empty, results)):
        return [_zeros(aval) for aval in results]
    inputs = [variable.aval for variable in equation.invars]
    name = equation.primitive.name
    if name == "concatenate":
        return [
            lax.concatenate(
                [
                    operand
                    for operand, aval in zip(operands, inputs)
                    if not is_empty(aval)
                ],
                equation.params["dimension"],
            )
        ]
    if name == "split":
        return _split(operands[0], **equation.params)
    if name == "pad" and is_empty(inputs[0]):
        return [jnp.broadcast_to(operands[1], results[0].shape)]
    if name == "dot_general":
        return [_zeros(results[0])]
    if name in _UPDATES and not is_empty(inputs[0]):
        update = 1 if name == "dynamic_update_slice" else 2
        return [operands[0]] if is_empty(inputs[update]) else None
    if name.startswith("reduce_") and all(map(is_empty, inputs)):
        # The result is the same whatever the operands are.
        with jax.ensure_compile_time_eval():
            found = equation.primitive.bind(
                *map(_zeros, inputs),
                **equation.primitive.get_bind_params(equation.params),
            )
        return list(found) if equation.primitive.multiple_results else [found]
    return None


def _split(x: Any, sizes: Sequence[int], axis: int) -> list[Any]:
    """Returns the parts of an array, some of which have no elements."""
    parts, start = [], 0
    for size in sizes:
        part = lax.slice_in_dim(x, start, start + size, axis=axis)
        parts.append(part if size else _zeros(part))
        start += size
    return parts


def _zeros(aval: Any) -> Any:
    return jnp.zeros(aval.shape, aval.dtype)
