"""Converts arrays of JAX to arrays that compiled functions take, and back."""

from typing import Any, Optional, Sequence

import jax
import numpy

from .._arrays import Array


def check(leaves: Sequence[Any]) -> None:
    """Raises TypeError for arrays that JAX is tracing, and ValueError for
    arrays that are spread over devices, or not on the CPU."""
    for leaf in leaves:
        if isinstance(leaf, jax.core.Tracer):
            raise TypeError(
                "a function of grout.jax.jit cannot be called where JAX traces "
                "(in jit, grad, vmap, scan, ...); transform the function "
                "first: grout.jax.jit(jax.grad(f))"
            )
        if not isinstance(leaf, jax.Array):
            continue
        if len(leaf.sharding.device_set) > 1:
            raise ValueError(
                f"an argument is sharded over {len(leaf.sharding.device_set)} "
                "devices; Grout takes arrays of one"
            )
        platform = next(iter(leaf.sharding.device_set)).platform
        if platform != "cpu":
            raise ValueError(
                f"an argument is on a {platform} device; grout.jax runs on "
                "the CPU only so far"
            )


def device_of(leaves: Sequence[Any]) -> Optional[Any]:
    """Returns the device to which arguments are committed, or None. Raises
    ValueError if there are several."""
    devices = {
        leaf.device
        for leaf in leaves
        if isinstance(leaf, jax.Array) and leaf.committed
    }
    if len(devices) > 1:
        raise ValueError(
            "arguments are on several devices: "
            f"{', '.join(sorted(map(str, devices)))}"
        )
    return devices.pop() if devices else None


def to_numpy(value: Any, dtype: Any) -> Array:
    """Converts a value to a dense array; a JAX array is not copied. Unsigned
    integers are viewed as signed integers."""
    array: Array = numpy.asarray(value, dtype, order="C")
    return (
        array.view(f"i{array.itemsize}") if array.dtype.kind == "u" else (array)
    )


def to_jax(array: Array, aval: Any, device: Optional[Any]) -> jax.Array:
    """Converts a result of a compiled function to a JAX array. The result is
    not copied if it is aligned."""
    result = jax.device_put(array.view(aval.dtype), device)
    if aval.weak_type:
        result = jax.lax.convert_element_type_p.bind(
            result, new_dtype=aval.dtype, weak_type=True, sharding=None
        )
    return result
