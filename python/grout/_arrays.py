"""Makes arrays of the library that the caller uses."""

import ctypes
from typing import Any, Callable

import numpy
import numpy.typing

from ._runtime import CPU_ALIGNMENT

Array = numpy.typing.NDArray[Any]

_NUMPY = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
}
_TORCH = {**_NUMPY, "bf16": "bfloat16"}


def library_of(array: Any) -> str:
    """Returns the name of an array's library, such as "numpy", "torch" or
    "jax"."""
    name = type(array).__module__.partition(".")[0]
    return {"jaxlib": "jax"}.get(name, name)


def _element(dtype: str) -> numpy.dtype[Any]:
    if dtype in _NUMPY:
        return numpy.dtype(_NUMPY[dtype])
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError(
            f"NumPy has no {dtype}; install ml_dtypes, or use PyTorch's tensors"
        ) from None
    element: numpy.dtype[Any] = numpy.dtype(ml_dtypes.bfloat16)
    return element


def is_bfloat16(array: Any) -> bool:
    """Whether `array` is a NumPy array of ml_dtypes' bfloat16."""
    return isinstance(array, numpy.ndarray) and array.dtype.name == "bfloat16"


def aligned(shape: tuple[int, ...], dtype: str) -> Array:
    """Returns an uninitialised NumPy array that is aligned as kernels for CPUs
    need it (CPU_ALIGNMENT bytes)."""
    element = _element(dtype)
    size = int(numpy.prod(shape, dtype=numpy.int64)) * element.itemsize
    memory = numpy.empty(size + CPU_ALIGNMENT, numpy.uint8)
    start = -memory.ctypes.data % CPU_ALIGNMENT
    return memory[start : start + size].view(element).reshape(shape)


def _torch_empty(shape: tuple[int, ...], dtype: str, like: Any) -> Any:
    import torch

    return torch.empty(
        shape, dtype=getattr(torch, _TORCH[dtype]), device=like.device
    )


def _cupy_empty(shape: tuple[int, ...], dtype: str, like: Any) -> Any:
    import cupy

    with like.device:
        return cupy.empty(shape, _NUMPY[dtype])


def _jax_empty(shape: tuple[int, ...], dtype: str, like: Any) -> Any:
    # JAX arrays cannot be written. JAX takes over an aligned NumPy array
    # without a copy.
    return aligned(shape, dtype)


_EMPTY: dict[str, Callable[[tuple[int, ...], str, Any], Any]] = {
    "torch": _torch_empty,
    "cupy": _cupy_empty,
    "jax": _jax_empty,
}


def empty_like(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Returns an uninitialised array on the device of `like`. `dtype` is
    spelled as in Grout ("f32"). The array is PyTorch's or CuPy's if `like` is,
    and otherwise NumPy's."""
    make = _EMPTY.get(library_of(like))
    return make(shape, dtype, like) if make else aligned(shape, dtype)


def as_library_of(like: Any, array: Any) -> Any:
    """Converts `array`, which empty_like made, to the library of `like`."""
    if library_of(like) == "jax":
        import jax

        return jax.device_put(array)
    return array


def aligned_copy(address: int, size: int) -> Array:
    """Copies `size` bytes of host memory to an array that is aligned as kernels
    for CPUs need it."""
    copy = aligned((size,), "i8")
    ctypes.memmove(copy.ctypes.data, address, size)
    return copy


def copy_back(copy: Array, address: int) -> None:
    """Writes the bytes of an aligned_copy to `address`."""
    ctypes.memmove(address, copy.ctypes.data, copy.nbytes)
