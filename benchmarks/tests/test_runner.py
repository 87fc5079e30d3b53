"""The order of checks and measurements, and what failures lead to."""

import contextlib
import io
import json
import pathlib
import tempfile
import types
import unittest

import results
from runner import DeviceLost, Runner
from workloads import Gemm

from tests.support import Device, Runtime, takes

CASE = Gemm("g", "f16", 64, 128, 256)
OPTIONS = {
    "seed": 0,
    "peers": ["cublas", "cublas-fused"],
    "iterations": None,
    "timeout_seconds": 60,
    "replays": 0,
    "regimes": ["cool", "sustained"],
    "bursts": 5,
    "idle_ms": 20.0,
    "sustained_seconds": 0.3,
    "rounds": 2,
    "torch_compile_filter": "",
    "torch_compile_seconds": 120.0,
    "torch_compile_budget": 1800.0,
}


def wrong(device, runs, right):
    return right * 1.1


def writes_nothing(device, runs, right):
    return float("nan")


def wrong_at_last(device, runs, right):
    device.now_us += 5
    return right if runs < 500 else 0.0


def differs(device, runs, right):
    device.now_us += 5
    return right * (1 + 1e-6 * runs)


def raises(device, runs, right):
    raise RuntimeError("CUDA error: out of patience")


def kills(device, runs, right):
    device.lost = True
    raise RuntimeError("an illegal memory access")


class RunnerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "results.json"
        self.device = Device()
        self.collected = results.Results(self.path, {"title": "Test"})

    def run_entries(self, entries, artifacts, **options):
        """Rows as they are in the file, and what was printed."""
        self.runtime = Runtime(self.device, artifacts)
        runner = Runner(
            self.device,
            self.runtime,
            types.SimpleNamespace(**{**OPTIONS, **options}),
        )
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            runner.run(pathlib.Path("folder"), entries, self.collected)
        return results.load(self.path)["rows"], out.getvalue()

    def run_case(self, artifacts, **options):
        (row,), out = self.run_entries(
            [(CASE, {name: {"artifact": name} for name in artifacts})],
            artifacts,
            **options,
        )
        return row["variants"], out

    def test_times_all_side_by_side(self):
        made, out = self.run_case({"serial": takes(20), "fast": takes(5)})
        self.assertEqual(list(made), ["cublas", "serial", "fast"])
        for name, us in (("cublas", 10), ("serial", 20), ("fast", 5)):
            self.assertEqual(made[name]["cool"]["samples"], [us] * 5)
            self.assertEqual(made[name]["sustained"]["samples"], [us] * 2)
            self.assertEqual(made[name]["error"], 0)
        self.assertEqual(made["cublas"]["group"], "peer")
        self.assertAlmostEqual(self.device.idled, 15 * 0.02)
        self.assertIn("best peer/fast 2.000", out)
        self.assertEqual(self.collected.failures(), [])

    def test_one_regime(self):
        made, _ = self.run_case(
            {"serial": takes(20)}, regimes=["cool"], iterations=3, peers=[]
        )
        self.assertEqual(list(made), ["serial"])
        self.assertEqual(made["serial"]["cool"]["iterations"], 3)
        self.assertNotIn("sustained", made["serial"])

    def test_failures_stay_their_own(self):
        for artifact, message in (
            (wrong, "relative error 1.0e-01"),
            (writes_nothing, "relative error nan"),
            (raises, "out of patience"),
        ):
            made, out = self.run_case({"bad": artifact, "good": takes(5)})
            self.assertIn(message, made["bad"]["failed"])
            self.assertIn(f"bad failed: {made['bad']['failed']}", out)
            self.assertNotIn("cool", made["bad"])
            self.assertIn("cool", made["good"])
            self.assertEqual(len(self.collected.failures()), 1)
            self.setUp()

    def test_wrong_peer(self):
        class Wrong(Device):
            """Only the reference is right, which comes first."""

            def wide(self, tensor):
                self.torch.factor = 1.0
                return super().wide(tensor)

            def capture(self, body, iterations):
                self.torch.factor = 2.0
                return super().capture(body, iterations)

        self.device = Wrong()
        (row,), _ = self.run_entries(
            [(CASE, {"serial": {"artifact": "serial"}})], {"serial": takes(20)}
        )
        self.assertIn("relative error", row["variants"]["cublas"]["failed"])
        self.assertIn("cool", row["variants"]["serial"])

    def test_checked_again_after_timing(self):
        made, _ = self.run_case({"bad": wrong_at_last})
        self.assertIn("relative error", made["bad"]["failed"])
        self.assertIn("cool", made["bad"])

    def test_replays(self):
        made, out = self.run_case(
            {"good": takes(5), "bad": differs}, replays=10
        )
        self.assertEqual(made["good"]["replays"], 10)
        self.assertIn("replays of 1 equal", out)
        self.assertIn("10 of 10 replays", made["bad"]["failed"])
        self.assertEqual(self.runtime.poisoned, ["good", "bad"])

    def test_refused_is_reported_and_left_out(self):
        (row,), out = self.run_entries(
            [(CASE, {"pdl": {"refused": "error: unknown mode\nmore"}})], {}
        )
        self.assertEqual(
            row["variants"]["pdl"]["refused"], "error: unknown mode\nmore"
        )
        self.assertIn("pdl refused: error: unknown mode\n", out)
        self.assertEqual(self.collected.failures(), [])

    def test_lost_device_ends_the_run_and_keeps_rows(self):
        second = Gemm("g", "f16", 128, 128, 256)
        entries = [
            (CASE, {"good": {"artifact": "good"}}),
            (second, {"bad": {"artifact": "bad"}}),
            (CASE, {}),
        ]
        with self.assertRaisesRegex(DeviceLost, "g-m128 bad: an illegal"):
            self.run_entries(entries, {"good": takes(5), "bad": kills})
        rows = json.loads(self.path.read_text())["rows"]
        self.assertEqual([row["id"] for row in rows], ["g-m64", "g-m128"])
        self.assertIn("illegal", rows[1]["variants"]["bad"]["failed"])

    def test_weights_are_made_once_for_a_model(self):
        made = []
        random = self.device.random
        self.device.random = lambda shape, *rest: (
            made.append(shape),
            random(shape, *rest),
        )[1]
        entries = [(Gemm("g", "f16", m, 128, 256), {}) for m in (64, 128)]
        entries.append((Gemm("h", "f16", 64, 128, 256), {}))
        self.run_entries(entries, {})
        self.assertEqual(made.count((256, 128)), 2)
        self.assertEqual(len(made), 5)


if __name__ == "__main__":
    unittest.main()
