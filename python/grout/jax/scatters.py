"""Scatters: elements of an array are replaced, or combined with others, at
positions that another array gives. Each element of the result looks for the
updates that are meant for it, because Grout's kernels compute elements one by
one."""

import math
from typing import Any, Callable, NamedTuple, Sequence

import jax
from jax import lax
from jax import numpy as jnp
from jax.extend.core import JaxprEqn

from . import places
from .evaluating import Rules, apply_as_it_is

_LARGEST = 2**26
"""For sums, the most comparisons of an element with an update. Larger scatters
become a matmul."""

_MOST_ROWS = 2**31 - 1


class _Updates(NamedTuple):
    """Updates for the rows of a matrix [rows, columns]."""

    rows: Any
    """[updates]: the row that an update is meant for, or -1 if the update is
    left out."""
    values: Any
    """[updates, columns]"""


def _starts(
    equation: JaxprEqn, x: Any, indices: Any, window: Sequence[int]
) -> tuple[list[Any], Any]:
    """Returns where updates start along each axis of `x`, as arrays [one
    element for each update], and which updates are inside of `x`."""
    numbers = equation.params["dimension_numbers"]
    mode = lax.GatherScatterMode.from_any(equation.params["mode"])
    shape = indices.shape[:-1]
    starts: list[Any] = [jnp.zeros(shape, "int32")] * x.ndim
    is_inside = jnp.ones(shape, bool)
    for component, axis in enumerate(numbers.scatter_dims_to_operand_dims):
        start = _as_int32(indices[..., component])
        last = x.shape[axis] - window[axis]
        if mode == lax.GatherScatterMode.CLIP:
            start = jnp.clip(start, 0, last)
        is_inside &= (start >= 0) & (start <= last)
        starts[axis] = start
    for axis, batch in zip(
        numbers.operand_batching_dims, numbers.scatter_indices_batching_dims
    ):
        starts[axis] = lax.broadcasted_iota("int32", shape, batch)
    return starts, is_inside


def _as_int32(x: Any) -> Any:
    """Converts to int32. Numbers that int32 does not have are clamped, which
    leaves them beyond any extent."""
    if x.dtype.itemsize >= 4 and x.dtype != jnp.int32:
        limits = jnp.iinfo("int32")
        low = limits.min if jnp.issubdtype(x.dtype, jnp.signedinteger) else 0
        x = jnp.clip(x, x.dtype.type(low), x.dtype.type(limits.max))
    return x.astype("int32")


def _scatter(
    combine: Callable[[Any, _Updates], Any],
) -> Callable[..., list[Any]]:
    """Returns a rule that makes a matrix of the operand. Its rows are the axes
    along which updates have a position, its columns the axes that each update
    covers completely."""

    def rule(
        equation: JaxprEqn, x: Any, indices: Any, updates: Any
    ) -> list[Any]:
        numbers = equation.params["dimension_numbers"]
        gone = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
        kept = [axis for axis in range(x.ndim) if axis not in gone]
        window = [1] * x.ndim
        for axis, of_updates in zip(kept, numbers.update_window_dims):
            window[axis] = updates.shape[of_updates]
        chosen = {*numbers.scatter_dims_to_operand_dims, *gone}
        rows = [
            axis
            for axis in range(x.ndim)
            if axis in chosen or window[axis] != x.shape[axis]
        ]
        columns = [axis for axis in range(x.ndim) if axis not in rows]
        if math.prod(x.shape[axis] for axis in rows) > _MOST_ROWS:
            raise places.refusal(equation, "has more places than int32 counts")

        # `number` is the row: [updates..., the window along each axis of rows].
        starts, is_inside = _starts(equation, x, indices, window)
        count = is_inside.ndim
        number = jnp.zeros((1,) * (count + len(rows)), "int32")
        for i, axis in enumerate(rows):
            along = jnp.arange(window[axis], dtype="int32").reshape(
                [-1 if j == i else 1 for j in range(len(rows))]
            )
            start = lax.expand_dims(
                starts[axis], range(count, count + len(rows))
            )
            number = number * x.shape[axis] + (start + along)
        number = jnp.where(
            lax.expand_dims(is_inside, range(count, count + len(rows))),
            number,
            -1,
        )

        others = [
            axis
            for axis in range(updates.ndim)
            if axis not in numbers.update_window_dims
        ]
        of_axis = dict(zip(kept, numbers.update_window_dims))
        moved = updates.transpose(
            others
            + [of_axis[axis] for axis in rows if axis in of_axis]
            + [of_axis[axis] for axis in columns]
        )
        order = rows + columns
        width = math.prod(x.shape[axis] for axis in columns)
        result = combine(
            x.transpose(order).reshape(-1, width),
            _Updates(number.reshape(-1), moved.reshape(-1, width)),
        )
        inverse = sorted(range(x.ndim), key=order.__getitem__)
        return [
            result.reshape([x.shape[axis] for axis in order]).transpose(inverse)
        ]

    return rule


def _hits(x: Any, updates: _Updates) -> Any:
    """Returns [rows, updates]: whether an update is meant for a row."""
    return (
        jnp.arange(x.shape[0], dtype="int32")[:, None] == updates.rows[None, :]
    )


def _replace(x: Any, updates: _Updates) -> Any:
    """Replaces rows. Of several updates for a row, the last one counts."""
    numbers = jnp.arange(updates.rows.shape[0], dtype="int32")
    last = jnp.where(_hits(x, updates), numbers, -1).max(1)
    values = jnp.take(updates.values, jnp.maximum(last, 0), 0, mode="clip")
    return jnp.where(last[:, None] >= 0, values, x)


def _reduce(
    reduction: Callable[..., Any],
    operation: Callable[..., Any],
    neutral: Callable[[Any], Any],
) -> Callable[[Any, _Updates], Any]:
    def combine(x: Any, updates: _Updates) -> Any:
        values = jnp.where(
            _hits(x, updates)[:, :, None],
            updates.values[None],
            neutral(x.dtype),
        )
        return operation(x, reduction(values, axis=1).astype(x.dtype))

    return combine


_add_few = _reduce(jnp.sum, lax.add, lambda dtype: dtype.type(0))


def _add(x: Any, updates: _Updates) -> Any:
    comparisons = x.shape[0] * updates.values.size
    if comparisons <= _LARGEST or x.dtype.name not in (
        "float16",
        "bfloat16",
        "float32",
    ):
        return _add_few(x, updates)
    # In a matmul, 0 times infinity is NaN, which would reach all rows. So
    # infinities are added afterwards; NaN counts as both.
    values = updates.values.astype("float32")
    is_finite = abs(values) < jnp.inf
    reaches_top = ~is_finite & ~(values < 0)
    reaches_bottom = ~is_finite & ~(values > 0)
    hits = _hits(x, updates).astype("float32")
    total, tops, bottoms = (
        lax.dot_general(hits, part.astype("float32"), (((1,), (0,)), ((), ())))
        for part in (
            jnp.where(is_finite, values, 0),
            reaches_top,
            reaches_bottom,
        )
    )
    total = jnp.where(tops > 0, total + jnp.inf, total)
    total = jnp.where(bottoms > 0, total - jnp.inf, total)
    return (x.astype("float32") + total).astype(x.dtype)


def _lowest(dtype: Any) -> Any:
    return (
        dtype.type(-jnp.inf)
        if jnp.issubdtype(dtype, jnp.floating)
        else dtype.type(False)
        if jnp.issubdtype(dtype, jnp.bool_)
        else jnp.iinfo(dtype).min
    )


def _highest(dtype: Any) -> Any:
    return (
        dtype.type(jnp.inf)
        if jnp.issubdtype(dtype, jnp.floating)
        else dtype.type(True)
        if jnp.issubdtype(dtype, jnp.bool_)
        else jnp.iinfo(dtype).max
    )


def _replace_by_update(equation: JaxprEqn, *operands: Any) -> list[Any]:
    if equation.params["update_jaxpr"] is not None:
        raise places.refusal(
            equation, "applies a function at places that an array says"
        )
    return _scatter(_replace)(equation, *operands)


def _dynamic_update_slice(
    equation: JaxprEqn, x: Any, update: Any, *starts: Any
) -> list[Any]:
    """Selects between an update and the array. An update that would reach over
    an end is moved, as in JAX."""
    if not any(isinstance(start, jax.core.Tracer) for start in starts):
        return apply_as_it_is(equation, x, update, *starts)
    is_inside = None
    for axis, start in enumerate(starts):
        size, extent = update.shape[axis], x.shape[axis]
        if size == extent:
            continue
        distance = jnp.arange(extent, dtype="int32") - jnp.clip(
            _as_int32(jnp.asarray(start)), 0, extent - size
        )
        update = jnp.take(
            update, jnp.clip(distance, 0, size - 1), axis, mode="clip"
        )
        inside = lax.expand_dims(
            (distance >= 0) & (distance < size),
            [other for other in range(x.ndim) if other != axis],
        )
        is_inside = inside if is_inside is None else is_inside & inside
    return [update if is_inside is None else jnp.where(is_inside, update, x)]


RULES: Rules = {
    "dynamic_update_slice": _dynamic_update_slice,
    "scatter": _replace_by_update,
    "scatter-add": _scatter(_add),
    "scatter-max": _scatter(_reduce(jnp.max, lax.max, _lowest)),
    "scatter-min": _scatter(_reduce(jnp.min, lax.min, _highest)),
    "scatter-mul": _scatter(
        _reduce(jnp.prod, lax.mul, lambda dtype: dtype.type(1))
    ),
    "scatter-sub": _scatter(
        lambda x, updates: _add(x, updates._replace(values=-updates.values))
    ),
}
