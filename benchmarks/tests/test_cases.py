"""How cases are run and summed up, without a GPU."""

import contextlib
import dataclasses
import io
import math
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import cases


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    ratio: float


CASES = [Case("a1", 2.0), Case("a2", 0.5), Case("b1", math.nan)]


def run_case(torch, device, runtime, case, path, args):
    if case.name == "a2":
        raise RuntimeError("it broke")
    return f"{case.name} line", case.name != "b1", case.ratio


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        for case in CASES:
            (self.out / f"{case.name}.grout").touch()

    def run_cases(self, *options, has_gpu=True):
        """The exit status, and what is printed."""
        torch = types.SimpleNamespace(
            cuda=types.SimpleNamespace(is_available=lambda: has_gpu),
            backends=types.SimpleNamespace(cudnn=types.SimpleNamespace()),
        )
        device = types.SimpleNamespace(
            TorchDevice=lambda torch, seed: types.SimpleNamespace(
                describe=lambda: "a GPU"
            )
        )
        arguments = ["x.py", "run", "--out", str(self.out), *options]
        printed = io.StringIO()
        with (
            mock.patch.dict(sys.modules, torch=torch, torch_device=device),
            mock.patch.object(cases.grout_runtime, "Runtime"),
            mock.patch.object(sys, "argv", arguments),
            contextlib.redirect_stdout(printed),
        ):
            status = cases.main(
                "x", "Cases.", CASES, None, run_case, lambda case: case.name[0]
            )
        return status, printed.getvalue().splitlines()

    def test_names_what_fails_and_goes_on(self):
        self.assertEqual(
            self.run_cases(),
            (
                1,
                [
                    "a GPU",
                    "a1 line",
                    "a2: it broke",
                    "b1 line",
                    "a: geomean 2.00, least 2.00, of 1 cases",
                    "2 wrong",
                ],
            ),
        )

    def test_runs_those_that_are_asked_for(self):
        status, lines = self.run_cases("--filter", "a1")
        self.assertEqual((status, lines[-1]), (0, "0 wrong"))

    def test_refuses_a_name_that_no_case_has(self):
        with self.assertRaisesRegex(SystemExit, "no case has such a name"):
            self.run_cases("--filter", "absent")

    def test_needs_a_gpu(self):
        with self.assertRaisesRegex(SystemExit, "x: error: there is no GPU"):
            self.run_cases(has_gpu=False)


class Output:
    """A tensor of one number, which counts how often it was poisoned."""

    def __init__(self):
        self.value, self.poisoned = 0.0, 0

    def clone(self):
        return self.value

    def fill_(self, value):
        assert math.isnan(value)
        self.value, self.poisoned = value, self.poisoned + 1


class CheckReplays(unittest.TestCase):
    def check(self, drift):
        output = Output()
        replays = iter(range(100))

        def replay():
            output.value = 5.0 + drift * next(replays)

        torch = types.SimpleNamespace(equal=lambda x, y: x.value == y)
        graph = types.SimpleNamespace(replay=replay)
        return cases.check_replays(torch, graph, output, 7), output.poisoned

    def test_equal_ones(self):
        self.assertEqual(self.check(drift=0), (True, 7))

    def test_one_that_differs(self):
        self.assertEqual(self.check(drift=1), (False, 1))
