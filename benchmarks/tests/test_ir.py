"""The IR: grout-compile takes it, and it means what it should."""

import math
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

import workloads
from workloads import Gemm, Mlp

from tests.support import BUILD, CONFIGS

TILE = "<m = 64, n = 64, k = 64, stages = 2>"


def compile_ir(source, *options):
    return subprocess.run(
        [BUILD / "bin" / "grout-compile", "-", *options],
        input=source,
        text=True,
        capture_output=True,
    )


class AcceptedTest(unittest.TestCase):
    def accepted(self, case, tilings):
        done = compile_ir(
            case.ir(tilings),
            "--target=h200",
            "--mode=serial",
            "--no-reference",
            "--emit=mlir",
        )
        self.assertEqual(done.returncode, 0, f"{case}: {done.stderr}")

    def test_every_model(self):
        models = {
            case.model: case
            for path in CONFIGS
            for case in workloads.load_config(path)[0]
        }
        self.assertEqual(len(models), 26)
        for case in models.values():
            with self.subTest(case.id):
                self.accepted(case, None)
                self.accepted(case, [TILE] * case.num_products)

    def test_tilings_are_what_is_used(self):
        case = Mlp("t", "f16", 64, 128, 128, "silu", True)
        for tilings, place in (
            (["<m = 100, n = 64, k = 64>", None], "%h"),
            ([None, "<m = 100, n = 64, k = 64>"], "%y"),
        ):
            done = compile_ir(case.ir(tilings), "--target=h200", "--emit=mlir")
            self.assertEqual(done.returncode, 1)
            self.assertIn("100", done.stderr)
            self.assertIn(f"{place} = tgemm.matmul", done.stderr)

    def test_one_tiling_for_each_product(self):
        with self.assertRaises(ValueError):
            Gemm("g", "f16", 64, 64, 64).ir([TILE, TILE])


def write_npy(path, rows, columns, values):
    """An f16 array."""
    header = str(
        {"descr": "<f2", "fortran_order": False, "shape": (rows, columns)}
    ).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header
        + struct.pack(f"<{len(values)}e", *values)
    )


def read_npy(path, count):
    return struct.unpack(f"<{count}e", path.read_bytes()[-2 * count :])


def multiply(a, b, m, n, k):
    return [
        sum(a[i * k + step] * b[step * n + j] for step in range(k))
        for i in range(m)
        for j in range(n)
    ]


def silu(x):
    return x / (1 + math.exp(-x))


def gelu(x):
    """By the error function: what its tanh form approximates."""
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


class MeaningTest(unittest.TestCase):
    """On the CPU target, against plain Python."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rng = random.Random(0)

    def random(self, shape):
        """Values of f16, so large that activations are not linear."""
        values = [self.rng.uniform(-1, 1) for _ in range(math.prod(shape))]
        return struct.unpack(
            f"<{len(values)}e", struct.pack(f"<{len(values)}e", *values)
        )

    def compare(self, case, names, expected_of):
        shapes = [case.input_shape, *case.weight_shapes]
        tensors = [self.random(shape) for shape in shapes]
        inputs = []
        for name, shape, values in zip(names, shapes, tensors, strict=True):
            write_npy(self.folder / name, *shape, values)
            inputs += ["--input", f"{name}={self.folder / name}"]
        want = expected_of(*tensors)
        for tilings in (None, ["<m = 4, n = 8, k = 8>"] * case.num_products):
            artifact = self.folder / "a.grout"
            done = compile_ir(
                case.ir(tilings),
                "--target=cpu",
                "--mode=persistent",
                "--no-reference",
                "-o",
                artifact,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            done = subprocess.run(
                [
                    BUILD / "bin" / "grout-run",
                    artifact,
                    *inputs,
                    "--output",
                    f"result0={self.folder / 'y'}",
                ],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            got = read_npy(self.folder / "y", len(want))
            self.assertLess(math.dist(got, want) / math.hypot(*want), 1e-3)

    def test_gemm(self):
        self.compare(
            Gemm("g", "f16", 5, 12, 24),
            ["x", "w"],
            lambda x, w: multiply(x, w, 5, 12, 24),
        )

    def test_plain_mlp(self):
        def expected(x, w1, w2):
            h = [gelu(v) for v in multiply(x, w1, 5, 12, 24)]
            return multiply(h, w2, 5, 24, 12)

        self.compare(
            Mlp("p", "f16", 5, 24, 12, "gelu_tanh", False),
            ["x", "w1", "w2"],
            expected,
        )

    def test_gated_mlp(self):
        def expected(x, gate, up, down):
            h = [
                silu(g) * u
                for g, u in zip(
                    multiply(x, gate, 5, 12, 24), multiply(x, up, 5, 12, 24)
                )
            ]
            return multiply(h, down, 5, 24, 12)

        self.compare(
            Mlp("p", "f16", 5, 24, 12, "silu", True),
            ["x", "wg", "wu", "wd"],
            expected,
        )


if __name__ == "__main__":
    unittest.main()
