"""Expresses operations of JAX by operations that Grout has."""

from typing import Any, Callable, Sequence

from jax import lax
from jax import numpy as jnp
from jax.extend.core import JaxprEqn

from . import axes, places, ragged, scatters, sorting
from .evaluating import Rules, apply_as_it_is, evaluate


def _concatenate(equation: JaxprEqn, *operands: Any) -> list[Any]:
    return [_join(operands, equation.params["dimension"])]


def _stack(equation: JaxprEqn, *operands: Any) -> list[Any]:
    axis = equation.params["axis"]
    return [_join([lax.expand_dims(x, [axis]) for x in operands], axis)]


def _join(operands: Sequence[Any], axis: int) -> Any:
    """Concatenates operands: writes each of them into its part of an empty
    array."""
    shape = list(operands[0].shape)
    shape[axis] = sum(operand.shape[axis] for operand in operands)
    joined = lax.empty(tuple(shape), operands[0].dtype)
    start = 0
    for operand in operands:
        joined = lax.dynamic_update_slice_in_dim(joined, operand, start, axis)
        start += operand.shape[axis]
    return joined


def _dynamic_slice(equation: JaxprEqn, x: Any, *starts: Any) -> list[Any]:
    """Takes elements by their positions along each axis that is sliced. A slice
    that would reach over an end is moved, as in JAX."""
    for axis, (start, size) in enumerate(
        zip(starts, equation.params["slice_sizes"])
    ):
        extent = x.shape[axis]
        if size != extent:
            first = jnp.clip(start, 0, extent - size)
            x = jnp.take(
                x,
                first + jnp.arange(size, dtype=first.dtype),
                axis,
                mode="clip",
            )
    return [x]


def _convert(equation: JaxprEqn, x: Any) -> list[Any]:
    """Converts to integers as JAX does: NaN becomes 0, and a value out of range
    becomes the nearest integer of the type."""
    dtype = equation.params["new_dtype"]
    if not (
        jnp.issubdtype(x.dtype, jnp.floating)
        and jnp.issubdtype(dtype, jnp.integer)
    ):
        return [lax.convert_element_type(x, dtype)]
    if x.dtype.itemsize < 4:  # such types may not have the bounds
        x = x.astype("float32")
    limits = jnp.iinfo(dtype)
    low, high = float(limits.min), float(limits.max + 1)
    inside = lax.convert_element_type(
        jnp.where((x >= low) & (x < high), x, 0), dtype
    )
    return [
        jnp.where(
            x >= high,
            dtype.type(limits.max),
            jnp.where(x < low, dtype.type(limits.min), inside),
        )
    ]


def _dot_general(equation: JaxprEqn, x: Any, y: Any) -> list[Any]:
    """Makes a matmul, or a batched matmul: merges the dimensions of each kind
    (batch, free, contracted) into one."""
    (x_sums, y_sums), (x_batch, y_batch) = equation.params["dimension_numbers"]
    x_free = axes.others(x.ndim, x_sums, x_batch)
    y_free = axes.others(y.ndim, y_sums, y_batch)
    if max(map(len, (x_sums, x_batch, x_free, y_free))) <= 1:
        return [_product(equation, x, y)]
    merged = (
        _product(
            equation,
            axes.merge(x, x_batch, x_free, x_sums),
            axes.merge(y, y_batch, y_sums, y_free),
            (((2,), (1,)), ((0,), (0,))),
        )
        if x_batch
        else _product(
            equation,
            axes.merge(x, x_free, x_sums),
            axes.merge(y, y_sums, y_free),
            (((1,), (0,)), ((), ())),
        )
    )
    return [merged.reshape(equation.outvars[0].aval.shape)]


def _product(equation: JaxprEqn, x: Any, y: Any, numbers: Any = None) -> Any:
    """Leaves out the precision: Grout multiplies operands in their own type and
    sums in f32, which is the most that a precision may ask for."""
    return lax.dot_general(
        x,
        y,
        numbers or equation.params["dimension_numbers"],
        preferred_element_type=equation.params["preferred_element_type"],
    )


def _convolution(equation: JaxprEqn, x: Any, w: Any) -> list[Any]:
    return [_convolve(equation, dict(equation.params), x, w)]


def _convolve(
    equation: JaxprEqn, params: dict[str, Any], x: Any, w: Any
) -> Any:
    numbers = params["dimension_numbers"]
    if len(numbers.lhs_spec) == 3:
        return _convolve_rows(equation, params, x, w)
    if len(numbers.lhs_spec) == 4 and params["feature_group_count"] > 1:
        return _convolve_groups(equation, params, x, w)
    return equation.primitive.bind(x, w, **params)


def _convolve_rows(
    equation: JaxprEqn, params: dict[str, Any], x: Any, w: Any
) -> Any:
    """Convolves one-dimensional signals as images of one row."""
    numbers = params["dimension_numbers"]
    for name, neutral in (
        ("window_strides", 1),
        ("lhs_dilation", 1),
        ("rhs_dilation", 1),
        ("padding", (0, 0)),
    ):
        params[name] = (neutral, *params[name])
    params["dimension_numbers"] = lax.ConvDimensionNumbers(
        *map(_with_unit_axis, numbers)
    )
    x, w = (
        lax.expand_dims(operand, [spec[2]])
        for operand, spec in ((x, numbers.lhs_spec), (w, numbers.rhs_spec))
    )
    return lax.squeeze(_convolve(equation, params, x, w), [numbers.out_spec[2]])


def _convolve_groups(
    equation: JaxprEqn, params: dict[str, Any], x: Any, w: Any
) -> Any:
    """Moves the channels last, and converts to the type of the result:
    StableHLO's conversion takes grouped convolutions only in this form."""
    numbers = params["dimension_numbers"]
    dtype = params["preferred_element_type"]
    if dtype is not None:
        x, w = x.astype(dtype), w.astype(dtype)
    batch, channels, *space = numbers.lhs_spec
    x = lax.transpose(x, (batch, *space, channels))
    features, channels, *space = numbers.rhs_spec
    w = lax.transpose(w, (*space, channels, features))
    params["dimension_numbers"] = lax.ConvDimensionNumbers(
        lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)
    )
    result = equation.primitive.bind(x, w, **params)
    batch, channels, *space = numbers.out_spec
    axes = (batch, *space, channels)
    return lax.transpose(result, sorted(range(4), key=axes.__getitem__))


def _with_unit_axis(spec: Sequence[int]) -> tuple[int, ...]:
    """Adds an axis of one element before the spatial axis, which is the third
    in `spec`."""
    first, second, space = (axis + (axis >= spec[2]) for axis in spec)
    return first, second, space - 1, space


def _select_n(equation: JaxprEqn, which: Any, *cases: Any) -> list[Any]:
    """Selects with an array of the shape of the cases, also where JAX selects
    with a scalar."""
    return [lax.select_n(jnp.broadcast_to(which, cases[0].shape), *cases)]


def _cond(equation: JaxprEqn, index: Any, *operands: Any) -> list[Any]:
    """Evaluates all branches, and then selects from their results."""
    branches = [
        evaluate(branch.jaxpr, branch.consts, operands, RULES)
        for branch in equation.params["branches"]
    ]
    if len(branches) == 2:
        index = index.astype(bool)
    return [
        _select_n(equation, index, *results)[0] for results in zip(*branches)
    ]


def _scan(equation: JaxprEqn, *operands: Any) -> list[Any]:
    """Unrolls a loop completely if `unroll` asks for that, and refuses it
    otherwise."""
    length = equation.params["length"]
    if equation.params["unroll"] < length:
        raise places.refusal(
            equation,
            "is a loop, which Grout does not have; unroll=True unrolls it",
        )
    body = equation.params["jaxpr"]
    consts = equation.params["num_consts"]
    carried = consts + equation.params["num_carry"]
    fixed, carry = operands[:consts], list(operands[consts:carried])
    steps: list[Any] = [None] * length
    order = range(length)
    for i in reversed(order) if equation.params["reverse"] else order:
        results = evaluate(
            body.jaxpr,
            body.consts,
            (
                *fixed,
                *carry,
                *(
                    lax.index_in_dim(x, i, keepdims=False)
                    for x in operands[carried:]
                ),
            ),
            RULES,
        )
        carry, steps[i] = results[: len(carry)], results[len(carry) :]
    return carry + [
        _join([lax.expand_dims(x, [0]) for x in column], 0)
        for column in zip(*steps)
    ]


def _reduce(equation: JaxprEqn, x: Any) -> list[Any]:
    """Removes reductions along no axis, which StableHLO's conversion does not
    convert."""
    return apply_as_it_is(equation, x) if equation.params["axes"] else [x]


def _refuse(reason: str) -> Callable[..., list[Any]]:
    def rule(equation: JaxprEqn, *operands: Any) -> list[Any]:
        raise places.refusal(equation, reason)

    return rule


def _optimization_barrier(equation: JaxprEqn, *operands: Any) -> list[Any]:
    """Removes a barrier: results are the same without it."""
    return list(operands)


RULES: Rules = {
    **ragged.RULES,
    **scatters.RULES,
    **sorting.RULES,
    "concatenate": _concatenate,
    "cond": _cond,
    "conv_general_dilated": _convolution,
    "convert_element_type": _convert,
    "dot_general": _dot_general,
    "dynamic_slice": _dynamic_slice,
    "optimization_barrier": _optimization_barrier,
    "reduce_and": _reduce,
    "reduce_max": _reduce,
    "reduce_min": _reduce,
    "reduce_or": _reduce,
    "reduce_prod": _reduce,
    "reduce_sum": _reduce,
    "scan": _scan,
    "select_n": _select_n,
    "stack": _stack,
    "shard_map": _refuse("is for several devices"),
    "while": _refuse(
        "is a loop, which Grout does not have; scan and fori_loop "
        "have unroll=True"
    ),
}
"""Maps the name of an operation to a function from the operation and its
operands to its results."""
