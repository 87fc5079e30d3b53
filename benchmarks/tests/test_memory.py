"""memory.py without a GPU."""

import contextlib
import io
import tempfile
import unittest

from memory_bound import command
from memory_bound.ir import Function
from memory_bound.operators import all_operators


class Operators(unittest.TestCase):
    def test_names_are_distinct_and_plain(self):
        names = [operator.name for operator in all_operators()]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, r"^[a-z0-9-]+$")

    def test_bytes_count_arguments_and_results(self):
        sizes = {operator.name: operator.bytes for operator in all_operators()}
        self.assertEqual(sizes["add-n-4096x768-f16"], 5 * 4096 * 768 * 2)
        self.assertEqual(sizes["sum-4096x1024-1-f32"],
                         (4096 * 1024 + 4096) * 4)

    def test_permutations_index_the_argument(self):
        operator = next(operator for operator in all_operators()
                        if operator.name.startswith("permute-32x3x224x224"))
        self.assertEqual(operator.results, (((32, 224, 224, 3), "f32"),))
        self.assertIn("affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>",
                      operator.ir)


class Text(unittest.TestCase):
    def test_reductions_begin_with_what_is_filled(self):
        function = Function([("x", (4, 8), "f32")])
        function.fill("zero", (4,), "f32", "0.0")
        function.compute(["sum"], [("x", ["d0", "d1"])], ["f32"],
                         "linalg.yield %o0 : f32", (4, 8), start="zero",
                         reduced=[1])
        text = function.text(["sum"])
        self.assertIn('iterator_types = ["parallel", "reduction"]', text)
        self.assertIn("outs(%zero : tensor<4xf32>)", text)
        self.assertIn("return %sum : tensor<4xf32>", text)


class Commands(unittest.TestCase):
    def test_a_filter_that_matches_nothing_is_an_error(self):
        errors = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, \
                contextlib.redirect_stderr(errors):
            status = command.main(["compile", "--out", folder,
                                   "--filter", "no-such"])
        self.assertEqual(status, 1)
        self.assertIn("no operator has a name that matches 'no-such'",
                      errors.getvalue())
