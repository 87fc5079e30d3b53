"""Sorts along an axis by counting: the place of an element is the number of
elements that come before it (Knuth, The Art of Computer Programming, volume 3,
5.2, "sorting by counting"). All pairs of elements are compared at once."""

from typing import Any, Sequence

from jax import lax
from jax import numpy as jnp
from jax.extend.core import JaxprEqn

from . import places
from .evaluating import Rules

_LONGEST = 4096
"""The most elements of an axis that is sorted: as many comparisons as their
square are made."""


def sort(equation: JaxprEqn, *operands: Any) -> list[Any]:
    """Sorts by the first operands, which are the keys. Equal elements keep
    their order."""
    axis = equation.params["dimension"]
    keys = operands[: equation.params["num_keys"]]
    count = operands[0].shape[axis]
    found = _places(equation, keys, axis, count, largest_first=False)
    return [_take(operand, found, axis) for operand in operands]


def top_k(equation: JaxprEqn, x: Any) -> list[Any]:
    """Returns the largest elements and their places. Of equal elements, the
    first come first."""
    axis, count = equation.params["axis"], equation.params["k"]
    found = _places(equation, [x], axis, count, largest_first=True)
    return [_take(x, found, axis), found.astype(equation.outvars[1].aval.dtype)]


def _take(x: Any, found: Any, axis: int) -> Any:
    return jnp.take_along_axis(x, found, axis, mode="clip")


def _is_less(x: Any, y: Any) -> Any:
    """Compares elements. NaN is larger than all numbers."""
    if not jnp.issubdtype(x.dtype, jnp.floating):
        return x < y
    return ~(x >= y) & (x == x)


def _comes_before(keys: Sequence[Any], others: Sequence[Any]) -> Any:
    """Compares by several keys: the first keys that differ decide."""
    x, y = keys[0], others[0]
    is_less = _is_less(x, y)
    if len(keys) == 1:
        return is_less
    return is_less | (~_is_less(y, x) & _comes_before(keys[1:], others[1:]))


def _places(
    equation: JaxprEqn,
    keys: Sequence[Any],
    axis: int,
    count: int,
    largest_first: bool,
) -> Any:
    """The places along `axis` of the `count` elements that come first."""
    extent = keys[0].shape[axis]
    if extent > _LONGEST:
        raise places.refusal(
            equation,
            f"sorts {extent} elements; at most {_LONGEST} are supported",
        )
    keys = [jnp.moveaxis(key, axis, -1) for key in keys]
    # [..., an element, another that may come before it]
    these = [lax.expand_dims(key, [key.ndim]) for key in keys]
    others = [lax.expand_dims(key, [key.ndim - 1]) for key in keys]
    if largest_first:
        these, others = others, these
    numbers = jnp.arange(extent, dtype="int32")
    before = jnp.where(
        numbers[None, :] < numbers[:, None],
        ~_comes_before(these, others),
        _comes_before(others, these),
    )
    ranks = before.astype("int32").sum(-1)
    # [..., a rank, the element that has this rank]
    has_rank = (
        lax.expand_dims(ranks, [ranks.ndim - 1])
        == jnp.arange(count, dtype="int32")[:, None]
    )
    return jnp.moveaxis(jnp.where(has_rank, numbers, 0).sum(-1), -1, axis)


RULES: Rules = {"sort": sort, "top_k": top_k}
