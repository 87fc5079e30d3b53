"""Asks the CUDA driver about a GPU, without a CUDA toolkit."""

import ctypes

from errors import UserError

# Values of CUdevice_attribute.
_ATTRIBUTES = {
    "processors": 16,
    "clock_khz": 13,
    "memory_khz": 36,
    "bus_bits": 37,
    "cache_bytes": 38,
    "processor_threads": 39,
    "major": 75,
    "minor": 76,
    "shared_memory": 97,
}

# CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES and
# CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
_SHARED_BYTES = 8
_CLUSTER = 4

_THREADS = 128

_KERNEL = """\
.version 7.8
.target sm_{major}{minor}
.address_size 64
.visible .entry nothing() {{ ret; }}
"""


class _Attribute(ctypes.Structure):
    """A CUlaunchAttribute with the size of a cluster."""

    _fields_ = [
        ("id", ctypes.c_uint),
        ("padding", ctypes.c_uint),
        ("extents", ctypes.c_uint * 3),
        ("rest", ctypes.c_char * 52),
    ]


class _Config(ctypes.Structure):
    """A CUlaunchConfig."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("num_attributes", ctypes.c_uint),
    ]


class Driver:
    """The driver of the first GPU, with its primary context."""

    def __init__(self, library="libcuda.so.1"):
        try:
            self._cuda = ctypes.CDLL(library)
        except OSError as error:
            raise UserError(f"there is no driver of a GPU: {error}") from error
        self._call("cuInit", 0)
        self._device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(self._device), 0)
        self._call(
            "cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device
        )
        self._call("cuCtxSetCurrent", context)

    def _call(self, name, *arguments):
        status = getattr(self._cuda, name)(*arguments)
        if status:
            raise UserError(f"{name} failed with {status}")

    def attributes(self):
        """Returns the attributes by their names above. An attribute is 0 if
        the driver does not have it."""
        values = {}
        for name, number in _ATTRIBUTES.items():
            value = ctypes.c_int()
            self._cuda.cuDeviceGetAttribute(
                ctypes.byref(value), number, self._device
            )
            values[name] = value.value
        return values

    def clusters(self, sizes):
        """Returns for each of `sizes` how many clusters of so many blocks run
        at once, if each block has all the shared memory of an SM."""
        found = self.attributes()
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self._call(
            "cuModuleLoadData",
            ctypes.byref(module),
            _KERNEL.format(**found).encode(),
        )
        self._call(
            "cuModuleGetFunction", ctypes.byref(kernel), module, b"nothing"
        )
        self._call(
            "cuFuncSetAttribute", kernel, _SHARED_BYTES, found["shared_memory"]
        )
        return [
            self._resident(kernel, size, found["shared_memory"])
            for size in sizes
        ]

    def _resident(self, kernel, size, shared_bytes):
        attribute = _Attribute(id=_CLUSTER, extents=(size, 1, 1))
        config = _Config(
            (size, 1, 1),
            (_THREADS, 1, 1),
            shared_bytes,
            None,
            ctypes.pointer(attribute),
            1,
        )
        count = ctypes.c_int()
        self._call(
            "cuOccupancyMaxActiveClusters",
            ctypes.byref(count),
            kernel,
            ctypes.byref(config),
        )
        return count.value
