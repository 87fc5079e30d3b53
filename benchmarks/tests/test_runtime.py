"""libGroutRuntime.so through ctypes, on the CPU target."""

import ctypes
import pathlib
import struct
import subprocess
import tempfile
import unittest

import grout_runtime
from workloads import Gemm

from tests.support import BUILD

ALIGNMENT = 256


class Buffer:
    """f16 values where the runtime wants them."""

    def __init__(self, values):
        self._bytes = struct.pack(f"<{len(values)}e", *values)
        self._memory = ctypes.create_string_buffer(len(self._bytes) + ALIGNMENT)
        start = ctypes.addressof(self._memory)
        self.pointer = -(-start // ALIGNMENT) * ALIGNMENT
        ctypes.memmove(self.pointer, self._bytes, len(self._bytes))

    def values(self):
        text = ctypes.string_at(self.pointer, len(self._bytes))
        return list(struct.unpack(f"<{len(text) // 2}e", text))


class RuntimeTest(unittest.TestCase):
    def setUp(self):
        self.runtime = grout_runtime.Runtime(
            BUILD / "lib" / "libGroutRuntime.so"
        )
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.artifact = pathlib.Path(folder.name) / "a.grout"

    def test_runs(self):
        case = Gemm("g", "f16", 2, 3, 4)
        subprocess.run(
            [
                BUILD / "bin" / "grout-compile",
                "-",
                "--target=cpu",
                "--no-reference",
                "-o",
                self.artifact,
            ],
            input=case.ir(),
            text=True,
            check=True,
        )
        x, w = Buffer([1, 2, 3, 4, 5, 6, 7, 8]), Buffer([1, 0, 2] * 4)
        for poison in (False, True):
            y = Buffer([float("nan")] * 6)
            session = self.runtime.session(self.artifact, poison)
            session.run_pointers([x.pointer, w.pointer], [y.pointer])
            self.assertEqual(y.values(), [10, 0, 20, 26, 0, 52])

    def test_errors_are_exceptions(self):
        with self.assertRaisesRegex(RuntimeError, "a.grout"):
            self.runtime.session(self.artifact)
        self.artifact.write_bytes(b"no artifact")
        with self.assertRaises(RuntimeError):
            self.runtime.session(self.artifact)


if __name__ == "__main__":
    unittest.main()
