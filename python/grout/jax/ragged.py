"""Products of groups whose sizes are in an array (`lax.ragged_dot`).

Groups of rows become the product of groups that Grout has. The other forms
become batches of products.
"""

import math
from typing import Any, Sequence

from jax import lax
from jax import numpy as jnp
from jax.extend.core import JaxprEqn

from .. import targets
from . import axes, blocks, places, products
from .evaluating import Rules
from .groups import Groups, flatten, from_sizes

_TYPES = ("float16", "bfloat16", "float32")


def _ragged_dot_general(
    equation: JaxprEqn, x: Any, y: Any, sizes: Any
) -> list[Any]:
    """Multiplies. The axis of `x` that is in groups is one of its free axes, of
    the axes that are summed, or of the batch's axes."""
    aval = equation.outvars[0].aval
    _check(equation, x, y)
    if x.dtype != y.dtype:
        x, y = x.astype(aval.dtype), y.astype(aval.dtype)
    numbers = equation.params["ragged_dot_dimension_numbers"]
    (x_sums, _), (x_batch, _) = numbers.dot_dimension_numbers
    (ragged,) = numbers.lhs_ragged_dimensions
    if ragged in x_batch:
        result = _multiply_batches(equation, x, y)
    elif ragged in x_sums:
        result = _multiply_parts_of_sums(equation, x, y, sizes)
    else:
        result = _multiply_rows(equation, x, y, sizes)
    return [result.reshape(aval.shape)]


def _check(equation: JaxprEqn, x: Any, y: Any) -> None:
    if equation.params["group_offset"] is not None:
        raise places.refusal(
            equation, "has a group_offset, which JAX does not compute either"
        )
    for dtype in (x.dtype, y.dtype, equation.outvars[0].aval.dtype):
        if dtype.name not in _TYPES:
            raise places.refusal(
                equation,
                f"multiplies groups of elements of type {dtype.name}; "
                f"{', '.join(_TYPES)} are supported",
            )


def _multiply_rows(equation: JaxprEqn, x: Any, y: Any, sizes: Any) -> Any:
    """Multiplies the rows of `x` [batch, outer, ragged, inner, k] by the
    matrices of their groups, `y` [batch, groups, k, n].

    Rows in no group are zeros in JAX. So that the kernel writes these rows, too,
    they are in the last group, and the epilogue replaces their products.
    """
    numbers = equation.params["ragged_dot_dimension_numbers"]
    (x_sums, y_sums), (x_batch, y_batch) = numbers.dot_dimension_numbers
    (ragged,) = numbers.lhs_ragged_dimensions
    (group,) = numbers.rhs_group_dimensions
    x_free = axes.others(x.ndim, x_sums, x_batch)
    y_free = axes.others(y.ndim, y_sums, y_batch, [group])
    outer, inner = _around(x_free, ragged)
    rows, factor = x.shape[ragged], _extent(x, inner)

    groups = _groups(equation, x, [*x_batch, *outer], factor, sizes)
    batches, count = groups.ends.shape
    is_last = jnp.arange(count, dtype="int32") == count - 1
    ends = jnp.where(is_last, rows, groups.ends)
    covered = lax.slice_in_dim(groups.ends, count - 1, count, axis=1)
    is_covered = lax.broadcast_in_dim(
        jnp.arange(rows, dtype="int32") < covered,
        (batches, rows, factor),
        (0, 1),
    )

    prefix = [*y_batch, group]
    if outer:
        y = lax.broadcast_in_dim(
            y, (*y.shape, _extent(x, outer)), range(y.ndim)
        )
        prefix = [*y_batch, y.ndim - 1, group]
    # Matrices stay as they are stored, if possible.
    is_transposed = [*prefix, *y_free, *y_sums] == list(range(y.ndim))
    kinds = (y_free, y_sums) if is_transposed else (y_sums, y_free)
    product = products.grouped_matmul(
        axes.merge(x, [*x_batch, *x_free], x_sums),
        axes.merge(y, prefix, *kinds),
        flatten(ends, rows, factor),
        is_transposed,
        equation.outvars[0].aval.dtype,
    )
    # Epilogues read no truth values.
    factors = is_covered.reshape(-1, 1).astype("float32")
    return jnp.where(factors > 0, product, 0)


def _multiply_parts_of_sums(
    equation: JaxprEqn, x: Any, y: Any, sizes: Any
) -> Any:
    """Multiplies `x` [batch, outer, ragged, inner, m] by `y` [batch, outer,
    ragged, inner, n], and sums over each group by itself, and over `outer` and
    `inner`. Returns [groups, batch, m, n]."""
    numbers = equation.params["ragged_dot_dimension_numbers"]
    (x_sums, y_sums), (x_batch, y_batch) = numbers.dot_dimension_numbers
    (ragged,) = numbers.lhs_ragged_dimensions
    outer, inner = _around(x_sums, ragged)
    groups = _groups(equation, x, [*x_batch, *outer], _extent(x, inner), sizes)
    starts, ends = (
        flatten(limits, x.shape[ragged], _extent(x, inner)) for limits in groups
    )
    result = blocks.multiply(
        axes.merge(
            x, [*x_batch, *x_sums], axes.others(x.ndim, x_sums, x_batch)
        ),
        axes.merge(
            y, [*y_batch, *y_sums], axes.others(y.ndim, y_sums, y_batch)
        ),
        starts,
        ends,
    )
    by_batch = result.reshape(
        _extent(x, x_batch), _extent(x, outer), -1, *result.shape[1:]
    )
    return by_batch.sum(1).swapaxes(0, 1).astype(equation.outvars[0].aval.dtype)


def _multiply_batches(equation: JaxprEqn, x: Any, y: Any) -> Any:
    """Multiplies all elements of the batch. The sizes say how far each group of
    elements reaches, but the products are the same for all groups."""
    numbers = equation.params["ragged_dot_dimension_numbers"]
    (x_sums, y_sums), (x_batch, y_batch) = numbers.dot_dimension_numbers
    return lax.dot_general(
        axes.merge(x, x_batch, axes.others(x.ndim, x_sums, x_batch), x_sums),
        axes.merge(y, y_batch, y_sums, axes.others(y.ndim, y_sums, y_batch)),
        (((2,), (1,)), ((0,), (0,))),
        preferred_element_type=equation.outvars[0].aval.dtype,
    )


def _around(order: Sequence[int], axis: int) -> tuple[list[int], list[int]]:
    """Returns the axes before `axis`, and those behind it."""
    i = list(order).index(axis)
    return list(order[:i]), list(order[i + 1 :])


def _extent(x: Any, chosen: Sequence[int]) -> int:
    return math.prod(x.shape[axis] for axis in chosen)


def _groups(
    equation: JaxprEqn,
    x: Any,
    batch: Sequence[int],
    factor: int,
    sizes: Any,
) -> Groups:
    """Returns the groups of each element of a batch. All have the same sizes
    [groups], or each has its own. Refuses more rows than the compiler takes, if
    each row of a group becomes `factor` rows."""
    (ragged,) = equation.params[
        "ragged_dot_dimension_numbers"
    ].lhs_ragged_dimensions
    rows = x.shape[ragged]
    most = targets.cpu().max_group_rows
    if _extent(x, batch) * rows * factor > most:
        raise places.refusal(equation, f"has more than {most:,} rows")
    if sizes.ndim == 1:
        sizes = jnp.broadcast_to(sizes, (_extent(x, batch), *sizes.shape))
    return from_sizes(sizes.reshape(-1, sizes.shape[-1]), rows)


RULES: Rules = {"ragged_dot_general": _ragged_dot_general}
