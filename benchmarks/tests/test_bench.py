"""`run` and what comes after it, on a stand-in for the GPU; the watchdog."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import bench
import grout_runtime
import manifest
import results
import torch_device
from workloads import Gemm

from tests.support import BENCHMARKS, Device, Runtime, takes


def fails(device, runs, right):
    raise RuntimeError("no luck")


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        entries = [
            (Gemm("g", "f16", m, 128, 256), {"serial": {"artifact": f"{m}"}})
            for m in (64, 128)
        ]
        manifest.save(self.out, "Test", entries)
        self.artifacts = {"64": takes(5), "128": fails}

    def bench(self, *arguments):
        """Exit status, standard output and standard error."""
        device = Device()
        runtime = Runtime(device, self.artifacts)
        torch = types.SimpleNamespace()
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.object(sys, "argv", ["bench.py", *map(str, arguments)]),
            mock.patch.dict(sys.modules, {"torch": torch}),
            mock.patch.object(
                torch_device, "TorchDevice", lambda torch, seed: device
            ),
            mock.patch.object(grout_runtime, "Runtime", lambda path: runtime),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = bench.main()
        return status, out.getvalue(), err.getvalue()

    def test_run_and_table(self):
        status, out, err = self.bench(
            "run", "--out", self.out, "--filter=m64$", "--bursts=3"
        )
        self.assertEqual((status, err), (0, ""))
        self.assertIn("1 of 1 cases in", out)
        (row,) = results.load(self.out / "results.json")["rows"]
        self.assertEqual(row["variants"]["serial"]["cool"]["samples"], [5] * 3)
        for regime, how in (
            ("cool", "medians of 3 interleaved bursts"),
            ("sustained", "medians of 2 turns of 0.3 s"),
        ):
            status, out, _ = self.bench(
                "table", self.out / "results.json", f"--regime={regime}"
            )
            self.assertEqual(status, 0)
            self.assertIn(how, out)
            self.assertIn("| g | 64 | 10.0 | 5.0 | 2.00 | 2.00 |", out)

    def test_failures_show_in_the_exit_status(self):
        path = self.out / "elsewhere" / "r.json"
        status, out, err = self.bench(
            "run",
            "--out",
            self.out,
            "--json",
            path,
            "--regime=cool",
            "--peers=",
        )
        self.assertEqual(status, 1)
        self.assertIn("2 of 2 cases in", out)
        self.assertIn("failed: g-m128 serial: RuntimeError: no luck", err)
        self.assertEqual(len(results.load(path)["rows"]), 2)

    def test_peers_that_are_left_out_show(self):
        def compile_(function, arguments):
            raise RuntimeError("no luck")

        with mock.patch.object(Device, "compile", staticmethod(compile_)):
            status, out, err = self.bench(
                "run", "--out", self.out, "--peers=all", "--filter=m64$"
            )
        self.assertEqual(
            (status, err),
            (0, "left out: g-m64 torch.compile: RuntimeError: no luck\n"),
        )
        self.assertIn("torch.compile refused: RuntimeError: no luck", out)
        _, out, _ = self.bench("table", self.out / "results.json")
        self.assertIn("| g | 64 | 10.0 | refused | 5.0 | 2.00 | 2.00 |", out)

    def test_nothing_to_run(self):
        status, _, err = self.bench("run", "--out", self.out, "--filter=x")
        self.assertEqual(status, 1)
        self.assertIn("no case in", err)

    def test_wrong_options(self):
        for option in ("--peers=cublas,cudnn", "--torch-compile-filter=m(64"):
            with self.assertRaises(SystemExit) as raised:
                self.bench("run", "--out", self.out, option)
            self.assertEqual(raised.exception.code, 2)


class WatchdogTest(unittest.TestCase):
    def run_script(self, limit, inside, after):
        script = (
            "import time\nfrom watchdog import watchdog\n"
            f"with watchdog('the GPU', {limit}):\n"
            f"    time.sleep({inside})\n"
            f"time.sleep({after})\nprint('went on')\n"
        )
        return subprocess.run(
            [sys.executable, "-c", script],
            cwd=BENCHMARKS,
            capture_output=True,
            text=True,
        )

    def test_ends_the_process(self):
        done = self.run_script(0.05, 30, 0)
        self.assertEqual(done.returncode, 3)
        self.assertIn("gave up: the GPU did not end within 0.05 s", done.stderr)
        self.assertNotIn("went on", done.stdout)

    def test_sleeps_after_the_step(self):
        done = self.run_script(1, 0, 1.2)
        self.assertEqual((done.returncode, done.stdout), (0, "went on\n"))


if __name__ == "__main__":
    unittest.main()
