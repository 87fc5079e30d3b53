"""Wraps include/grout-c/Runtime.h with ctypes."""

import ctypes
import dataclasses
from typing import Any, Optional, Sequence

from . import _libraries
from .errors import RunError

CPU_ALIGNMENT, CUDA_ALIGNMENT = 64, 16
CPU, CUDA = 0, 1
COMPILED, REFERENCE = 0, 1

_WRITER = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
)


class TensorInfoStruct(ctypes.Structure):
    """grout_tensor_info."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("element_type", ctypes.c_int),
        ("rank", ctypes.c_uint32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("bytes", ctypes.c_uint64),
    ]


class _TraceRecord(ctypes.Structure):
    """grout_trace_record."""

    _fields_ = [
        ("launch", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("role", ctypes.c_int),
        *(
            (name, ctypes.c_uint32)
            for name in ("processor", "block", "body", "x", "y", "z")
        ),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
    ]


# In the order of grout_trace_role.
_TRACE_ROLES = (
    "block",
    "load",
    "load after wait",
    "compute",
    "store",
    "sum ranks",
    "tile",
    "wait",
)


class _Config(ctypes.Structure):
    """grout_session_config, with room for fields that later versions add."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("plan", ctypes.c_int),
        ("workers", ctypes.c_uint32),
        ("cuda_ordinal", ctypes.c_int32),
        ("timeout_seconds", ctypes.c_double),
        ("poison_intermediates", ctypes.c_uint32),
        ("delay_seed", ctypes.c_uint64),
        ("caller_workspace", ctypes.c_uint32),
        ("rank", ctypes.c_uint32),
        ("ranks", ctypes.c_uint32),
        ("symmetric", ctypes.POINTER(ctypes.c_void_p)),
        ("trace", ctypes.c_uint32),
        ("later", ctypes.c_uint8 * 256),
    ]


def _library() -> ctypes.CDLL:
    library = _libraries.runtime()
    library.grout_last_error.restype = ctypes.c_char_p
    for name in (
        "grout_element_type_name",
        "grout_module_entry",
        "grout_module_target",
        "grout_module_mode",
        "grout_module_producer",
    ):
        getattr(library, name).restype = ctypes.c_char_p
    library.grout_module_in_place.restype = ctypes.c_int64
    for name in ("grout_session_destroy", "grout_module_destroy"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
        getattr(library, name).restype = None
    return library


def _check(library: ctypes.CDLL, status: int) -> None:
    if status != 0:
        raise RunError(
            library.grout_last_error().decode(errors="replace"), status
        )


class LoadedModule:
    """A grout_module."""

    def __init__(self, artifact: bytes):
        self._handle: Optional[ctypes.c_void_p] = None
        self.library = _library()
        handle = ctypes.c_void_p()
        _check(
            self.library,
            self.library.grout_module_load_memory(
                artifact, ctypes.c_size_t(len(artifact)), ctypes.byref(handle)
            ),
        )
        self._handle = handle

    def __del__(self) -> None:
        if self._handle:
            self.library.grout_module_destroy(self._handle)

    @property
    def handle(self) -> Optional[ctypes.c_void_p]:
        return self._handle

    def text(self, what: str) -> str:
        """Returns a text of the module: `what` is "entry", "target", "mode" or
        "producer"."""
        text: bytes = getattr(self.library, f"grout_module_{what}")(
            self._handle
        )
        return text.decode()

    def element_type_name(self, element_type: int) -> str:
        """Returns the name of an element type, such as "f16"."""
        name: bytes = self.library.grout_element_type_name(element_type)
        return name.decode()

    def device(self) -> int:
        device = ctypes.c_int()
        _check(
            self.library,
            self.library.grout_module_device(
                self._handle, COMPILED, ctypes.byref(device)
            ),
        )
        return device.value

    def workspace(self) -> int:
        """Returns the number of bytes for intermediates."""
        size = ctypes.c_uint64()
        _check(
            self.library,
            self.library.grout_module_workspace(
                self._handle, COMPILED, ctypes.byref(size)
            ),
        )
        return size.value

    def symmetric(self) -> tuple[int, int]:
        """Returns the number of bytes of symmetric memory on each rank, and the
        number of ranks: 0 and 1 if the module has no collectives."""
        size, ranks = ctypes.c_uint64(), ctypes.c_uint32()
        _check(
            self.library,
            self.library.grout_module_symmetric(
                self._handle, COMPILED, ctypes.byref(size), ctypes.byref(ranks)
            ),
        )
        return size.value, ranks.value

    def tensors(self, what: str) -> list[TensorInfoStruct]:
        """Returns the inputs or outputs: `what` is "input" or "output"."""
        count = getattr(self.library, f"grout_module_num_{what}s")(self._handle)
        found = []
        for i in range(count):
            info = TensorInfoStruct()
            _check(
                self.library,
                getattr(self.library, f"grout_module_{what}")(
                    self._handle,
                    COMPILED,
                    ctypes.c_uint32(i),
                    ctypes.byref(info),
                ),
            )
            found.append(info)
        return found

    def in_place(self, output: int) -> Optional[int]:
        """Returns the number of the input that an output updates in place, or
        None."""
        number: int = self.library.grout_module_in_place(
            self._handle, COMPILED, ctypes.c_uint32(output)
        )
        return None if number < 0 else number

    def describe(self) -> str:
        """Describes the module for people."""
        parts: list[bytes] = []
        write = _WRITER(
            lambda text, size, _: parts.append(ctypes.string_at(text, size))
        )
        _check(
            self.library,
            self.library.grout_module_describe(self._handle, write, None),
        )
        return b"".join(parts).decode()


@dataclasses.dataclass(frozen=True)
class SymmetricMemory:
    """Memory of one size on each of several ranks, all of which this process
    can address."""

    rank: int
    """The number of this process among the ranks."""
    addresses: Sequence[int]
    """The address of each rank's memory, in this process."""
    owner: Any
    """An object that keeps the memory."""
    timeout: float
    """For how many seconds a rank waits for another one on the CPU."""


class Session:
    """A grout_session. It keeps its module and its symmetric memory alive. With
    `caller_workspace`, the caller gives each run the memory for its
    intermediates. With `trace`, runs record their times."""

    def __init__(
        self,
        module: LoadedModule,
        ordinal: int = 0,
        workers: int = 0,
        caller_workspace: bool = False,
        symmetric: Optional[SymmetricMemory] = None,
        trace: bool = False,
    ):
        self._handle: Optional[ctypes.c_void_p] = None
        self._module = module
        self._symmetric = symmetric
        self._library = module.library
        config = _Config()
        self._library.grout_session_config_init(ctypes.byref(config))
        config.cuda_ordinal = ordinal
        config.workers = workers
        config.caller_workspace = caller_workspace
        config.trace = trace
        if symmetric is not None:
            config.timeout_seconds = symmetric.timeout
            config.rank = symmetric.rank
            config.ranks = len(symmetric.addresses)
            config.symmetric = (ctypes.c_void_p * config.ranks)(
                *symmetric.addresses
            )
        handle = ctypes.c_void_p()
        _check(
            self._library,
            self._library.grout_session_create(
                module.handle, ctypes.byref(config), ctypes.byref(handle)
            ),
        )
        self._handle = handle

    def __del__(self) -> None:
        if self._handle:
            self._library.grout_session_destroy(self._handle)

    def run(
        self,
        inputs: Sequence[int],
        outputs: Sequence[int],
        stream: Optional[int],
        workspace: Optional[tuple[int, int]] = None,
    ) -> None:
        """Runs the plan on the addresses of inputs and outputs, and meanwhile
        releases the global interpreter lock. `workspace` is the address and the
        size of the caller's workspace. Raises RunError."""
        arrays = [
            (ctypes.c_void_p * len(pointers))(*pointers)
            for pointers in (inputs, outputs)
        ]
        if workspace is None:
            status = self._library.grout_session_run(
                self._handle, *arrays, ctypes.c_void_p(stream)
            )
        else:
            address, size = workspace
            status = self._library.grout_session_run_in(
                self._handle,
                *arrays,
                ctypes.c_void_p(address),
                ctypes.c_uint64(size),
                ctypes.c_void_p(stream),
            )
        _check(self._library, status)

    def read_trace(self) -> tuple[list[tuple[Any, ...]], int]:
        """Waits for all runs. Returns their records since the last call, in no
        order, and the number of those for which there was no room. A record has
        the launch, the name, the role, the processor, the block, the tile as
        (body, x, y, z), and the start and the end in nanoseconds. Raises
        RunError."""
        records = ctypes.POINTER(_TraceRecord)()
        count, lost = ctypes.c_uint64(), ctypes.c_uint64()
        _check(
            self._library,
            self._library.grout_session_read_trace(
                self._handle,
                ctypes.byref(records),
                ctypes.byref(count),
                ctypes.byref(lost),
            ),
        )
        found = [
            (
                one.launch.decode(),
                one.name.decode(),
                _TRACE_ROLES[one.role],
                one.processor,
                one.block,
                (one.body, one.x, one.y, one.z),
                one.start,
                one.end,
            )
            for one in records[: count.value]
        ]
        return found, lost.value
