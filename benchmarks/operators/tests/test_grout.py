"""Grout's passes on the sample."""

import tempfile
import types
import unittest
from unittest import mock

from operators import artifacts, checking, grout, rebuild, summary
from operators.tests import support
from operators.tests.test_check import call
from operators.upstream import BackendError, BackendRefusal

# Why Grout's passes refuse each of these, beside support.REFUSED.
REFUSED = {
    "Product": "'linalg.generic' op has elements of type 'complex<f32>'; scop "
    "takes signless integers and floats, such as i64 and f32",
}

# Why grout-compile does.
REFUSED_BY_COMPILER = {
    "Product": "'linalg.generic' op is on 'complex<f32>', which no target of "
    "Grout computes with; use f16, bf16, f32 or f64, and convert "
    "other numbers outside of the program",
}


@unittest.skipUnless(
    support.GROUT,
    "GROUT_TOOLS is not set; ctest sets it for GroutOperatorsCompiled",
)
class SampleTest(unittest.TestCase):
    def test_agrees(self):
        llvm = ("--llvm", support.LLVM) if support.LLVM else ()
        status, out, err = call(
            "check",
            support.SAMPLE,
            "--backend",
            "grout",
            "--grout",
            support.GROUT,
            "--jobs",
            2,
            *llvm,
        )
        self.assertEqual((status, err), (0, ""), out)
        count = len(support.sample())
        refused = len(support.REFUSED) + len(REFUSED)
        self.assertIn(
            f"| all | {count} | {count - refused} | "
            f"{count - refused} | {refused} |",
            out,
        )
        for reason in [*support.REFUSED.values(), *REFUSED.values()]:
            self.assertIn(f"| {reason} | 1 |", out)

    def test_compiles_for_a_gpu(self):
        status, out, err = call(
            "compile",
            support.SAMPLE,
            "--target",
            "h200",
            "--filter",
            "(Gelu|Product)$",
            "--grout",
            support.GROUT,
        )
        self.assertEqual((status, err), (0, ""), out)
        self.assertIn("| kind | rows | compile | refused |", out)
        self.assertIn("| all | 2 | 1 | 1 |", out)
        self.assertIn(f"| {REFUSED_BY_COMPILER['Product']} | 1 |", out)

    def test_keeps_artifacts(self):
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = call(
                "compile",
                support.SAMPLE,
                "--filter",
                "(Gelu|Product)$",
                "--grout",
                support.GROUT,
                "--out",
                folder,
            )
            self.assertEqual((status, err), (0, ""), out)
            self.assertIn(f"\n1 artifacts in {folder}, 0.0 MB\n", out)
            gelu, product = artifacts.load(folder)
            self.assertTrue(artifacts.path(folder, gelu.label).exists())
        self.assertEqual(gelu.graph, rebuild.rebuild(support.sample()["Gelu"]))
        self.assertEqual(
            product[1:],
            (
                "elementwise/broadcast",
                checking.REFUSED,
                REFUSED_BY_COMPILER["Product"],
                None,
            ),
        )

    def test_passes_options_on(self):
        self.assertIn(
            "unknown --scop-tree 'oak'",
            call(
                "compile",
                support.SAMPLE,
                "--filter",
                "Gelu",
                "--grout",
                support.GROUT,
                "--grout-option=--scop-tree=oak",
            )[1],
        )


class ToolTest(unittest.TestCase):
    """What programs may do, with the shell as a program."""

    def call(self, script, error=BackendRefusal):
        grout._call(["/bin/sh", "-c", script], 1, error)

    def test_what_is_reported_is_a_refusal(self):
        with self.assertRaisesRegex(BackendRefusal, "^no such thing$"):
            self.call("echo 'a:1:2: error: no such thing' >&2; exit 1")

    def test_a_crash_is_none(self):
        for script in (
            "kill -SEGV $$",
            "exit 1",
            "echo 'x: error: odd' >&2; kill -ABRT $$",
        ):
            with self.assertRaisesRegex(BackendError, "sh: status") as caught:
                self.call(script)
            self.assertNotIsInstance(caught.exception, BackendRefusal)

    def test_it_must_end(self):
        with (
            mock.patch.object(grout, "_SECONDS", 0.1),
            self.assertRaisesRegex(BackendError, "more than 0.1 s"),
        ):
            self.call("exec sleep 10")

    def test_says_what_is_not_there(self):
        self.assertIn(
            "there is no grout-compile in /none",
            call("compile", support.SAMPLE, "--grout", "/none")[2],
        )

    def test_what_is_left_to_others_is_refused(self):
        graph = rebuild.rebuild(support.sample()["UnPad"])

        def keep(command, count, error):
            command[command.index("-o") + 1].write_text(command[1].read_text())

        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(grout, "_call", keep),
            self.assertRaisesRegex(BackendRefusal, "extract_slice"),
        ):
            grout.Grout(None, "grout-opt").lower(graph, folder)


class SummaryTest(unittest.TestCase):
    def test_outcomes_are_counted_by_reason(self):
        def lower(graph, folder):
            if "Gelu" in graph.name:
                raise BackendError("wrong")
            if "Softmax" in graph.name:
                raise BackendRefusal("operand 3 of tensor<2x1xf32>")
            if "Norm" in graph.name:
                raise BackendRefusal("operand 17 of tensor<16x1xf32>")

        rows = [
            row
            for name, row in support.sample().items()
            if name in ("Gelu", "Softmax", "LayerNorm", "Heads")
        ]
        outcomes = checking.Compiler(types.SimpleNamespace(lower=lower)).check(
            rows
        )
        self.assertEqual(
            [outcome.reason for outcome in summary.failures(outcomes)],
            ["wrong"],
        )
        text = summary.document(outcomes)
        self.assertIn("| all | 4 | 1 | 1 | 2 |", text)
        self.assertIn("| operand N of tensor<Nxf32> | 2 |", text)


if __name__ == "__main__":
    unittest.main()
