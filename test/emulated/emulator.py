"""Runs what Grout compiles for a GPU, on this machine."""

import ctypes
import dataclasses
import random

import numpy as np

from emulated import elements, kernels, native, plan
from emulated.isolation import Failure, call
from emulated.plan import Unsupported


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
    if any(launch.exchange for launch in compiled.plan.launches):
        raise Unsupported("a launch that exchanges data with other ranks")
    module, output = build(tools, compiled, folder)
    return call(
        lambda: _Process(tools, output, module).run(compiled.plan, inputs, seed)
    )


# As in DeviceABI.h.
TRACE_RECORD = np.dtype(
    [("start", "u8"), ("end", "u8")]
    + [
        (name, "u4")
        for name in ("role", "processor", "block")
        + ("body", "x", "y", "z", "unused")
    ]
)


def trace(tools, compiled, folder, inputs, seed, capacity):
    """The results of kernels that record their times, and the records of each
    kernel, for `capacity` of which there is room."""
    module, output = build(tools, compiled, folder)

    def run():
        process = _Process(tools, output, module)
        traces = process.trace(capacity, compiled.plan)
        results = process.run(compiled.plan, inputs, seed)
        return results, written(traces)

    return call(run)


def allocate_traces(library, capacity, plan_):
    """The memory for `capacity` records of each kernel."""
    traces = {}
    for launch in plan_.launches:
        records = np.zeros(capacity, TRACE_RECORD)
        variable = (ctypes.c_uint64 * 2).in_dll(
            library, kernels.TRACE + launch.kernel
        )
        variable[:] = [records.ctypes.data, capacity]
        traces[launch.kernel] = records
    return traces


def written(traces):
    """The records that kernels have written."""
    return {
        name: records[records["end"] != 0] for name, records in traces.items()
    }


def build(tools, compiled, folder):
    """The kernels as a module, and as a library of this machine."""
    module = kernels.translate(compiled.assembly)
    source, output = folder / "kernels.ll", folder / "kernels.so"
    source.write_text(module.text)
    tools.link([source, tools.support], output)
    return module, output


class _Process:
    """Whose memory the kernels have."""

    def __init__(self, tools, library, module):
        self._support = native.load(tools)
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

    def trace(self, capacity, plan_):
        return allocate_traces(self._library, capacity, plan_)

    def _allocate(self, buffer, array):
        memory = native.allocate(self._support, buffer.bytes)
        if array is not None:
            memory[: buffer.bytes] = np.frombuffer(array.tobytes(), np.uint8)
        self._memory[buffer.name] = memory

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
                    self._memory[other.name].fill(0xFF)

    def _launch(self, launch, seed):
        pointers = [
            self._memory[name].ctypes.data + offset
            for name, offset in launch.arguments
        ]
        size = self._shared
        shared = (ctypes.c_char * size).in_dll(self._library, kernels.SHARED)
        failure = self._support.emulated_launch(
            ctypes.byref(native.Launch.of(launch, self._library, pointers)),
            shared,
            ctypes.c_size_t(size),
            ctypes.c_uint32(seed),
        )
        if failure:
            raise Failure(f"{launch.kernel}: {failure.decode()}")

    def _read(self, buffer):
        return read(self._memory[buffer.name], buffer)


def read(memory, buffer):
    """The array of `buffer`, which `memory` is of."""
    size = buffer.bytes
    if (memory[size:] != 0xFF).any():
        raise Failure(f"something is written behind {buffer.name}")
    array = memory[:size].view(elements.array_type(buffer.dtype))
    if buffer.dtype == "i1" and (memory[:size] > 1).any():
        raise Failure(f"{buffer.name} has what is no truth value")
    return array.reshape(buffer.shape).copy()
