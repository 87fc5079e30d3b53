"""Runs what Grout compiles for a GPU, on this machine."""

import ctypes
import dataclasses
import random

import numpy as np

from emulated import elements, kernels, native, plan
from emulated.isolation import Failure, call

# Of buffers. Vectors of threads have 16 bytes.
_ALIGNMENT = 16


@dataclasses.dataclass(frozen=True)
class Compiled:
    assembly: str  # LLVM IR of the kernels
    plan: plan.Plan


def compile(tools, source, options):
    def emit(kind):
        return native.call(
            [
                tools.compiler,
                source,
                *options,
                "--no-reference",
                f"--emit={kind}",
                "-o",
                "-",
            ],
            may_refuse=True,
        )

    return Compiled(emit("llvm"), plan.parse(emit("mlir")))


def run(tools, compiled, folder, inputs, seed):
    """The results. `seed` is of the order of launches, threads and blocks. A
    Failure says what the kernels may not do."""
    module = kernels.translate(compiled.assembly)
    source, output = folder / "kernels.ll", folder / "kernels.so"
    source.write_text(module.text)
    tools.link([source, tools.support], output)
    return call(
        lambda: _Process(tools, output, module).run(compiled.plan, inputs, seed)
    )


class _Process:
    """Whose memory the kernels have."""

    def __init__(self, tools, library, module):
        self._support = ctypes.CDLL(str(tools.support))
        self._support.emulated_allocate.restype = ctypes.c_void_p
        self._support.emulated_launch.restype = ctypes.c_char_p
        self._library = ctypes.CDLL(str(library))
        self._shared = module.shared
        self._memory = {}

    def run(self, plan_, inputs, seed):
        for buffer, array in zip(plan_.inputs, inputs):
            self._allocate(buffer, array)
        for buffer in plan_.outputs + plan_.buffers:
            self._allocate(buffer, buffer.value)
        used = set()
        for launch in plan_.order(random.Random(seed)):
            self._destroy(plan_.places(), launch, used)
            self._launch(launch, seed)
        for buffer, array in zip(plan_.inputs, inputs):
            if self._read(buffer).tobytes() != array.tobytes():
                raise Failure(f"the input {buffer.name} changed")
        return [self._read(buffer) for buffer in plan_.outputs]

    def _allocate(self, buffer, array):
        size = buffer.bytes
        address = self._support.emulated_allocate(
            ctypes.c_size_t(size), ctypes.c_size_t(_ALIGNMENT)
        )
        padded = -(-size // _ALIGNMENT) * _ALIGNMENT
        memory = np.frombuffer(
            (ctypes.c_char * padded).from_address(address), np.uint8
        )
        if array is not None:
            memory[:size] = np.frombuffer(array.tobytes(), np.uint8)
        self._memory[buffer.name] = address, memory

    def _destroy(self, buffers, launch, used):
        """Fills what has the bytes of a buffer that `launch` is the first to
        use."""
        names = {name for name, _ in launch.arguments}
        for buffer in buffers:
            if buffer.name not in names or buffer.name in used:
                continue
            used.add(buffer.name)
            for other in buffers:
                if other is not buffer and buffer.shares_bytes_with(other):
                    self._memory[other.name][1].fill(0xFF)

    def _launch(self, launch, seed):
        pointers = [
            self._memory[name][0] + offset for name, offset in launch.arguments
        ]
        size = self._shared
        shared = (ctypes.c_char * size).in_dll(self._library, kernels.SHARED)
        failure = self._support.emulated_launch(
            self._library[f"{launch.kernel}.launch"],
            (ctypes.c_void_p * len(pointers))(*pointers),
            ctypes.c_uint32(launch.blocks),
            ctypes.c_uint32(launch.threads),
            shared,
            ctypes.c_size_t(size),
            ctypes.c_uint32(seed),
        )
        if failure:
            raise Failure(f"{launch.kernel}: {failure.decode()}")

    def _read(self, buffer):
        memory, size = self._memory[buffer.name][1], buffer.bytes
        if (memory[size:] != 0xFF).any():
            raise Failure(f"something is written behind {buffer.name}")
        array = memory[:size].view(elements.array_type(buffer.dtype))
        if buffer.dtype == "i1" and (memory[:size] > 1).any():
            raise Failure(f"{buffer.name} has what is no truth value")
        return array.reshape(buffer.shape).copy()
