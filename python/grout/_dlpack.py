"""Reads arrays of any library through DLPack
(https://dmlc.github.io/dlpack)."""

import ctypes
import math
from typing import Any

import numpy

from ._arrays import Array, is_bfloat16

# DLDeviceType and DLDataTypeCode.
CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6

_NAMES = {
    (_FLOAT, 16): "f16",
    (_BFLOAT, 16): "bf16",
    (_FLOAT, 32): "f32",
    (_FLOAT, 64): "f64",
    (_BOOL, 8): "i1",
    (_INT, 8): "i8",
    (_INT, 16): "i16",
    (_INT, 32): "i32",
    (_INT, 64): "i64",
}
# The kinds of types that Grout does not have, for messages.
_KINDS = {_UINT: "u", _FLOAT: "f", _COMPLEX: "complex"}


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class View:
    """The memory of an array, to read it or to write it. The view keeps the
    array alive. `what` names the array in the TypeError that is raised if the
    array cannot be exported."""

    def __init__(self, array: Any, what: str, is_read: bool = True):
        if not hasattr(array, "__dlpack__"):
            raise TypeError(
                f"{what} is a {type(array).__name__}, which has no "
                "__dlpack__; NumPy, PyTorch, JAX and CuPy arrays "
                "have"
            )
        self.array = array
        is_viewed = is_bfloat16(array)  # NumPy does not export bfloat16
        self._capsule = _export(
            array.view(numpy.int16) if is_viewed else array, what, is_read
        )
        # The capsule owns the tensor, because nobody consumes the capsule.
        tensor = _DLTensor.from_address(
            _get_pointer(self._capsule, b"dltensor")
        )
        self.device_type, self.device = tensor.device_type, tensor.device_id
        self.shape = tuple(tensor.shape[: tensor.ndim])
        self.dtype = "bf16" if is_viewed else _name_of(tensor)
        self.bytes = math.prod(self.shape) * tensor.bits * tensor.lanes // 8
        self.address = (tensor.data or 0) + tensor.byte_offset
        self.is_dense = not tensor.strides or _is_dense(
            self.shape, tensor.strides[: tensor.ndim]
        )

    @property
    def is_cuda(self) -> bool:
        return self.device_type in (CUDA, CUDA_MANAGED)

    @property
    def is_cpu(self) -> bool:
        return self.device_type in (CPU, CUDA_HOST)


def _name_of(tensor: _DLTensor) -> str:
    """Returns the element type of a tensor, as Grout spells it."""
    if tensor.lanes != 1:
        return "vectors"
    return _NAMES.get((tensor.code, tensor.bits)) or (
        f"{_KINDS.get(tensor.code, 'another type of ')}{tensor.bits}"
    )


def _writable(array: Array) -> Array:
    """Returns an array of the same memory that may be written: NumPy does not
    export arrays that are read-only."""
    memory: Any = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
    alias: Array = numpy.frombuffer(memory, array.dtype)
    return alias.reshape(array.shape)


def _export(array: Any, what: str, is_read: bool) -> Any:
    if (
        is_read
        and isinstance(array, numpy.ndarray)
        and not array.flags.writeable
        and array.flags.c_contiguous
    ):
        array = _writable(array)
    # PyTorch exports neither tensors that require gradients, nor views that
    # negate their memory.
    if getattr(array, "requires_grad", False):
        array = array.detach()
    if getattr(array, "is_neg", bool)():
        if not is_read:
            raise TypeError(
                f"{what} is a view that negates what is in memory, "
                "and cannot be written"
            )
        array = array.resolve_neg()
    try:
        # -1: no stream has to wait, because the function runs on the caller's
        # stream.
        if hasattr(array, "__dlpack_device__") and (
            array.__dlpack_device__()[0] in (CUDA, CUDA_MANAGED)
        ):
            return array.__dlpack__(stream=-1)
        return array.__dlpack__()
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(
            f"{what} cannot be exported by DLPack: {error}"
        ) from error


def _is_dense(shape: tuple[int, ...], strides: list[int]) -> bool:
    """Whether elements are in row-major order without gaps."""
    if 0 in shape:
        return True
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True
