"""The whole of it: MLIR that verifies, runs, and agrees with NumPy."""

import contextlib
import io
import pathlib
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

from operators import (
    checking,
    command,
    comparison,
    emit,
    inputs,
    rebuild,
    reference,
    shrink,
    upstream,
)
from operators.graph import Constant, Graph, Node
from operators.table import Tensor
from operators.tests import support
from operators.upstream import BackendError


def call(*arguments):
    """Exit status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command.main(list(map(str, arguments)))
    return status, out.getvalue(), err.getvalue()


class Program:
    """What NumPy computes, and `change` makes of it."""

    def __init__(self, change):
        self._change = change

    def run(self, graph, arrays):
        return [
            self._change(array) for array in reference.evaluate(graph, arrays)
        ]


def backend(change):
    return types.SimpleNamespace(compile=lambda graphs, folder: Program(change))


def checker(backend_):
    return checking.Checker(upstream.Tools(support.LLVM).opt, backend_, 1 << 16)


class CommandTest(unittest.TestCase):
    def test_the_sample_agrees(self):
        llvm = ("--llvm", support.LLVM) if support.LLVM else ()
        status, out, err = call("check", support.SAMPLE, "--jobs", 2, *llvm)
        self.assertEqual((status, err), (0, ""))
        count, refused = len(support.sample()), len(support.REFUSED)
        self.assertIn(
            f"| all | {count} | {count - refused} | "
            f"{count - refused} | {refused} |",
            out,
        )
        for reason in support.REFUSED.values():
            self.assertIn(f"| {reason} | 1 |", out)
        self.assertIn(f"[{count}/{count}]", out)

    def test_emit_writes_a_file_for_each(self):
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = call(
                "emit",
                support.SAMPLE,
                "--filter",
                "Softmax|Sorted",
                "--out",
                folder,
            )
            (path,) = pathlib.Path(folder).iterdir()
            self.assertEqual(path.name, "sample_level0_Softmax.mlir")
            text = path.read_text()
        self.assertEqual(status, 0)
        self.assertIn("1 functions in", out)
        self.assertIn(
            "sample_level0_Sorted is refused: the operator Sort is not known",
            err,
        )
        self.assertIn("// %1: float32[3, 5, 1] = ReduceMax(%0)", text)
        self.assertIn(
            "func.func @sample_level0_Softmax(%arg0: "
            "tensor<3x5x85xf32>) -> (tensor<3x5x85xf32>)",
            text,
        )
        for op in (
            "linalg.fill",
            "linalg.reduce { arith.maximumf }",
            "linalg.generic",
            "math.exp",
            "tensor.expand_shape",
        ):
            self.assertIn(op, text)

    def test_emit_can_make_extents_smaller(self):
        for arguments, expected in (
            ((), "12x30522"),
            (("--max-elements", 65536), "4x15266"),
        ):
            _, out, _ = call(
                "emit", support.SAMPLE, "--filter", "Gelu", *arguments
            )
            self.assertIn(f"tensor<{expected}xf16>", out)

    def test_refuses_what_is_not_there(self):
        self.assertEqual(
            call("emit", "none.csv")[2],
            "akg.py: error: there is no file none.csv\n",
        )
        self.assertEqual(
            call("emit", support.SAMPLE, "--filter", "x{9}")[2],
            "akg.py: error: no row has a name that matches 'x{9}'\n",
        )
        error = io.StringIO()
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(error):
            command.main(["emit", str(support.SAMPLE), "--filter", "("])
        self.assertIn("argument --filter: '(': missing )", error.getvalue())
        self.assertIn(
            "there is no mlir-opt in /none",
            call("check", support.SAMPLE, "--llvm", "/none")[2],
        )


class FaultTest(unittest.TestCase):
    """Whatever is wrong is found, and attributed."""

    def setUp(self):
        rows = support.sample()
        self.rows = [rows["Gelu"], rows["Softmax"], rows["Reached"]]

    def outcomes(self, backend_):
        return [
            (outcome.status, outcome.reason)
            for outcome in checker(backend_).check(self.rows)
        ]

    def test_right_results_agree(self):
        self.assertEqual(
            self.outcomes(backend(lambda array: array)),
            [(checking.AGREES, "")] * 3,
        )

    def test_wrong_results_differ(self):
        def wrong(array):
            array = array.copy()
            array.flat[-1] = (
                not array.flat[-1]
                if array.dtype == bool
                else array.flat[-1] * 1.05
            )
            return array

        self.assertEqual(
            [status for status, _ in self.outcomes(backend(wrong))],
            [checking.DIFFERS] * 3,
        )

    def test_results_that_are_not_written_differ(self):
        def unwritten(array):
            return (
                ~array if array.dtype == bool else np.full_like(array, np.nan)
            )

        self.assertEqual(
            [status for status, _ in self.outcomes(backend(unwritten))],
            [checking.DIFFERS] * 3,
        )

    def test_one_that_does_not_compile_spoils_no_other(self):
        def compile_(graphs, folder):
            if any("Softmax" in graph.name for graph in graphs):
                raise BackendError("no softmax")
            return Program(lambda array: array)

        self.assertEqual(
            self.outcomes(types.SimpleNamespace(compile=compile_)),
            [
                (checking.AGREES, ""),
                (checking.NOT_COMPILED, "no softmax"),
                (checking.AGREES, ""),
            ],
        )

    def test_one_that_does_not_verify_spoils_no_other(self):
        function = emit.function

        def wrong(graph):
            text = function(graph)
            return (
                text.replace("ins(%arg0", "ins(%nothing")
                if "Softmax" in graph.name
                else text
            )

        with mock.patch.object(emit, "function", wrong):
            outcomes = self.outcomes(backend(lambda array: array))
        self.assertEqual(
            [status for status, _ in outcomes],
            [checking.AGREES, checking.INVALID, checking.AGREES],
        )
        self.assertIn("undeclared SSA value", outcomes[1][1])

    def test_ill_conditioned_rows_are_named(self):
        with mock.patch.object(inputs, "choose", lambda graph: None):
            self.assertEqual(
                [
                    status
                    for status, _ in self.outcomes(backend(lambda array: array))
                ],
                [checking.ILL_CONDITIONED] * 3,
            )

    def test_inputs_that_roundings_change_are_not_chosen(self):
        # (x + 1) - x in f16, for any x: nothing but rounding is left.
        half = Tensor("float16", (64,))
        graph = Graph(
            "f",
            (half,),
            (
                Node("Mul", (0, Constant(1e-3)), half),
                Node("Add", (1, Constant(1.0)), half),
                Node("Sub", (2, Constant(1.0)), half),
                Node("Exp", (0,), half),
            ),
            (),
            (3, 4),
        )
        self.assertIsNone(inputs.choose(graph))


class ReferenceTest(unittest.TestCase):
    def evaluate(self, ops, inputs_, outputs, *arrays):
        graph = rebuild.rebuild(support.row(ops, inputs_, outputs))
        return reference.evaluate(
            graph,
            [
                np.array(array, tensor.dtype).reshape(tensor.shape)
                for array, tensor in zip(arrays, graph.inputs)
            ],
        )

    def test_rounds_after_each_operator(self):
        # 2048 + 1 is 2048 in f16.
        (result,) = self.evaluate("Add+Add", "float16[1]", "float16[1]", 2048)
        self.assertEqual(result, 2048)
        self.assertEqual(result.dtype, np.float16)

    def test_sums_into_what_is_stored(self):
        (result,) = self.evaluate(
            "ReduceSum+InplaceAssign",
            "float32[3, 2];float32[2]",
            "float32[2]",
            [1, 2, 3, 4, 5, 6],
            [10, 20],
        )
        self.assertEqual(result.tolist(), [19, 32])

    def test_half_sums_are_rounded_once(self):
        (result,) = self.evaluate(
            "ReduceSum", "float16[4, 1]", "float16[1, 1]", [2048, 1, 1, 1]
        )
        self.assertEqual(result, 2052)

    def test_inputs_are_the_same_every_time(self):
        graph = rebuild.rebuild(support.sample()["Gelu"])
        small = shrink.shrink(graph, 1 << 12)
        first, second = inputs.choose(small), inputs.choose(small)
        np.testing.assert_array_equal(first[0][0], second[0][0])
        self.assertEqual(comparison.differences(small, first[1], second[1]), [])

    def test_status_is_of_infinities(self):
        graph = rebuild.rebuild(support.sample()["Status"])
        arrays, (_, status) = inputs.choose(graph)
        self.assertTrue(np.isinf(arrays[0]).any())
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
