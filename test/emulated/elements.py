"""Element types as arrays of NumPy; bf16 is there as uint16."""

import numpy as np

_ARRAYS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
    "f64": np.float64,
}
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")


def array_type(dtype):
    return np.dtype(_ARRAYS[dtype])


def encode(array, dtype):
    """Numbers as elements of this type."""
    if dtype != "bf16":
        return np.asarray(array).astype(array_type(dtype))
    bits = np.asarray(array, np.float32).view(np.uint32)
    # Rounds to the nearest, of two to the even one.
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def decode(array, dtype):
    """As numbers."""
    if dtype != "bf16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)


def draw(generator, shape, dtype):
    """Floats are of both signs, and none is near 0."""
    if dtype == "i1":
        return generator.integers(2, size=shape).astype(np.bool_)
    if dtype in INTEGERS:
        return encode(generator.integers(-8, 9, shape), dtype)
    sign = np.where(generator.uniform(size=shape) < 0.3, -1, 1)
    return encode(generator.uniform(0.25, 1.75, shape) * sign, dtype)
