"""Finds out whether a caller captures a CUDA graph, through the driver's
API."""

import contextlib
import ctypes
import functools
from typing import Iterator

_RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED


@functools.cache
def _driver() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")


def capture_id(stream: int) -> int:
    """Returns the id of the capture that `stream` takes part in, or 0 if it
    takes part in none."""
    status, number = ctypes.c_int(), ctypes.c_uint64()
    error = _driver().cuStreamGetCaptureInfo_v2(
        ctypes.c_void_p(stream),
        ctypes.byref(status),
        ctypes.byref(number),
        None,
        None,
        None,
    )
    return number.value if error == 0 and status.value == 1 else 0


@contextlib.contextmanager
def allocating() -> Iterator[None]:
    """Lets this thread allocate memory and load code during a capture. Neither
    becomes a part of the CUDA graph."""
    mode = ctypes.c_int(_RELAXED)
    _driver().cuThreadExchangeStreamCaptureMode(ctypes.byref(mode))
    try:
        yield
    finally:
        _driver().cuThreadExchangeStreamCaptureMode(ctypes.byref(mode))
