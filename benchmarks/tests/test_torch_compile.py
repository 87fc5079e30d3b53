"""The peer torch.compile: what it is compared with, and its limits."""

import contextlib
import importlib.util
import io
import pathlib
import time
import types
import unittest
from unittest import mock

import peers
from runner import Runner
from torch_compile import LeftOut, TorchCompile
from torch_device import TorchDevice
from watchdog import Overdue, deadline
from workloads import Gemm

from tests.support import Device, Runtime
from tests.test_runner import OPTIONS


def case(m):
    return Gemm("g", "f16", m, 128, 256)


class Rows:
    def __init__(self):
        self.rows = []

    def add(self, row):
        self.rows.append(row)


class TorchCompileTest(unittest.TestCase):
    def setUp(self):
        self.device = Device()

    def run_cases(self, ms, **options):
        """Variants by case, and what was printed."""
        options = {**OPTIONS, "peers": ["cublas", "torch.compile"], **options}
        rows, out = Rows(), io.StringIO()
        with contextlib.redirect_stdout(out):
            Runner(
                self.device,
                Runtime(self.device, {}),
                types.SimpleNamespace(**options),
            ).run(pathlib.Path("folder"), [(case(m), {}) for m in ms], rows)
        return [row["variants"] for row in rows.rows], out.getvalue()

    def test_is_timed_and_checked_as_other_peers(self):
        (made,), out = self.run_cases([64])
        self.assertEqual(made["torch.compile"]["group"], "peer")
        for regime in ("cool", "sustained"):
            self.assertEqual(
                made["torch.compile"][regime]["samples"],
                made["cublas"][regime]["samples"],
            )
        self.assertRegex(
            out,
            r"g-m64: torch.compile compiled in [\d.]+ s; "
            r"1 of 1, \d+ s in all",
        )

    def test_wrong_results_fail(self):
        def compile_(function, arguments):
            return lambda *tensors: self.device.torch.mm(
                tensors[0], types.SimpleNamespace(value=1.5)
            )

        self.device.compile = compile_
        (made,), _ = self.run_cases([64])
        self.assertIn("relative error", made["torch.compile"]["failed"])
        self.assertIn("cool", made["cublas"])

    def test_only_where_the_name_matches(self):
        made, out = self.run_cases(
            [64, 128, 256], torch_compile_filter="-m(64|256)$"
        )
        self.assertEqual(
            ["torch.compile" in variants for variants in made],
            [True, False, True],
        )
        self.assertRegex(
            out,
            r"g-m256: torch.compile compiled in [\d.]+ s; "
            "2 of 2",
        )

    def test_what_does_not_compile_is_left_out_and_named(self):
        def compile_(function, arguments):
            raise RuntimeError(
                "backend='inductor' raised:\n\n  no Triton\n"
                "Set TORCHDYNAMO_VERBOSE=1\nand more"
            )

        self.device.compile = compile_
        (made,), out = self.run_cases([64])
        self.assertEqual(
            made["torch.compile"]["refused"],
            "RuntimeError: "
            "backend='inductor' raised: no Triton Set TORCHDYNAMO_VERBOSE=1",
        )
        self.assertIn("torch.compile refused: RuntimeError: backend", out)
        self.assertIn("torch.compile failed in", out)
        self.assertIn("cool", made["cublas"])

    def test_each_has_a_limit(self):
        def compile_(function, arguments):
            # Tuning takes an exception for the failure of one candidate.
            for _ in range(1000):
                with contextlib.suppress(Exception):
                    time.sleep(0.01)
            return function

        self.device.compile = compile_
        start = time.monotonic()
        (made,), _ = self.run_cases([64], torch_compile_seconds=0.05)
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(
            made["torch.compile"]["refused"], "did not compile within 0.05 s"
        )

    def test_all_together_have_a_limit(self):
        now = 0.0

        def compile_(function, arguments):
            nonlocal now
            now += 40
            return function

        self.device.compile = compile_
        compiler = TorchCompile(self.device, "", 100, 70, clock=lambda: now)
        x, w = self.device.empty(None, None), self.device.empty(None, None)
        with contextlib.redirect_stdout(io.StringIO()):
            compiler.make(case(64), x, [w])
            compiler.make(case(128), x, [w])
            with self.assertRaisesRegex(
                LeftOut, "the 70 s for torch.compile are over"
            ):
                compiler.make(case(256), x, [w])

    def test_missing_triton_is_named(self):
        torch = types.SimpleNamespace(
            backends=types.SimpleNamespace(
                cuda=types.SimpleNamespace(matmul=types.SimpleNamespace())
            )
        )
        device = TorchDevice(torch, 0)
        with (
            mock.patch.object(importlib.util, "find_spec", lambda name: None),
            self.assertRaisesRegex(RuntimeError, "Triton is not installed"),
        ):
            device.compile(lambda x: x, (1,))

    def test_a_function_is_called_once_before_it_is_captured(self):
        called = []

        def compile_(function, **options):
            self.options = options
            return lambda *arguments: (
                called.append(arguments) or function(*arguments)
            )

        torch = types.SimpleNamespace(
            backends=types.SimpleNamespace(
                cuda=types.SimpleNamespace(matmul=types.SimpleNamespace())
            ),
            cuda=types.SimpleNamespace(synchronize=lambda: None),
            _dynamo=types.SimpleNamespace(reset=lambda: None),
            compile=compile_,
        )
        with mock.patch.object(importlib.util, "find_spec", lambda name: True):
            compiled = TorchDevice(torch, 0).compile(lambda x, w: x + w, (1, 2))
        self.assertEqual(called, [(1, 2)])
        self.assertEqual(compiled(3, 4), 7)
        # A graph of its own would be captured into the benchmark's.
        self.assertEqual(self.options["mode"], "max-autotune-no-cudagraphs")
        self.assertTrue(self.options["fullgraph"])

    def test_all_names_it(self):
        self.assertIn("torch.compile", peers.parse("all"))
        self.assertNotIn("torch.compile", peers.DEFAULT)


class DeadlineTest(unittest.TestCase):
    def test_ends_the_step(self):
        with self.assertRaises(Overdue), deadline(0.02):
            time.sleep(30)

    def test_sleeps_after_the_step(self):
        with deadline(0.5):
            pass
        time.sleep(0.6)


if __name__ == "__main__":
    unittest.main()
