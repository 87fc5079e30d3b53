"""Matrix products that are summed over ranks in their own kernel are exact, and
what is wrong with one is found."""

import dataclasses
import unittest

import numpy as np

from emulated import elements, emulator, ranks
from emulated.isolation import Failure
from emulated.tests import support

K = 64
# Roles of records, as in DeviceABI.h.
LOAD, COMPUTE, SUM_RANKS = 1, 3, 5
# How often a block records a task in each role: one thread loads, two
# warpgroups compute, and one sums its own rows first, and then takes those that
# other ranks have summed.
RECORDS = {LOAD: 1, COMPUTE: 2, SUM_RANKS: 2}
# A GPU with as many SMs: blocks compute several tiles.
BLOCKS = 3


@dataclasses.dataclass(frozen=True)
class Case:
    rows: int
    columns: int
    ranks: int
    tiling: str
    result: str = "bf16"
    runs: int = 2

    @property
    def text(self):
        x = f"tensor<{self.rows}x{K}xbf16>"
        w = f"tensor<{self.columns}x{K}xbf16>"
        y = f"tensor<{self.rows}x{self.columns}x{self.result}>"
        return f"""
func.func @f(%x: {x}, %w: {w}) -> {y} {{
  %y = tgemm.matmul %x, %w {{transpose_rhs, sum_ranks = {self.ranks},
    sum_channel = 0, tiling = #tgemm.tiling<{self.tiling}, k = 64, stages = 3>}}
    : {x}, {w} -> {y}
  return %y : {y}
}}
"""

    def draw(self, generator):
        """Operands whose products are exact in f32. Their sum over ranks is
        not."""
        x = generator.integers(-3, 4, (self.rows, K))
        w = generator.integers(-3, 4, (self.columns, K))
        scale = 2.0 ** generator.integers(-12, 13)
        return [elements.encode(x, "bf16"), elements.encode(w * scale, "bf16")]

    def sum(self, operands):
        """Each product is rounded, as is the sum in f32, in this order."""
        total = np.float32(0)
        for x, w in operands:
            x, w = elements.decode(x, "bf16"), elements.decode(w, "bf16")
            product = elements.encode(x @ w.T, self.result)
            total = total + elements.decode(product, self.result)
        return elements.encode(total, self.result)


TWO_SHOTS = Case(100, 520, 8, "m = 104, n = 64, swap_ab = true")
CASES = {
    "one shot": Case(20, 144, 3, "m = 24, n = 64, swap_ab = true", runs=3),
    "two shots, buffers that overlap": TWO_SHOTS,
    "fewer rows than ranks": Case(2, 200, 5, "m = 64, n = 64", runs=3),
    "two blocks of rows": Case(443, 400, 4, "m = 256, n = 96"),
    "f32": Case(71, 76, 2, "m = 64, n = 32", "f32", runs=3),
    "f32, two shots": Case(130, 200, 8, "m = 128, n = 64", "f32"),
}


class ProductsTest(support.ToolsTest):
    def compile(self, case, *options):
        source = self.folder / "program.mlir"
        source.write_text(case.text)
        compiled = emulator.compile(
            self.tools, source, ["--target=h200", *options]
        )
        (launch,) = compiled.plan.launches
        launch = dataclasses.replace(launch, blocks=min(launch.blocks, BLOCKS))
        plan = dataclasses.replace(compiled.plan, launches=(launch,))
        return dataclasses.replace(compiled, plan=plan)

    def differences(self, case, compiled, seed):
        """How many elements of results are wrong."""
        generator = np.random.default_rng(seed)
        inputs = [
            [case.draw(generator) for _ in range(case.ranks)]
            for _ in range(case.runs)
        ]
        results = ranks.run(self.tools, compiled, self.folder, inputs, seed)
        return sum(
            np.count_nonzero(result != case.sum(operands))
            for operands, of_ranks in zip(inputs, results, strict=True)
            for (result,) in of_ranks
        )

    def test_sums(self):
        for seed, (name, case) in enumerate(CASES.items()):
            with self.subTest(name):
                compiled = self.compile(case)
                self.assertEqual(self.differences(case, compiled, seed), 0)

    def test_each_task_is_recorded_once_in_each_role(self):
        case = CASES["two blocks of rows"]
        compiled = self.compile(case, "--trace")
        generator = np.random.default_rng(0)
        inputs = [
            [case.draw(generator) for _ in range(case.ranks)]
            for _ in range(case.runs)
        ]
        results, traces = ranks.trace(
            self.tools, compiled, self.folder, inputs, 0, 10000
        )
        for operands, of_ranks in zip(inputs, results, strict=True):
            for (result,) in of_ranks:
                np.testing.assert_array_equal(result, case.sum(operands))
        (records,) = traces.values()
        tiles = {(i, j) for i in range(2) for j in range(5)}
        for role in (LOAD, COMPUTE, SUM_RANKS):
            of_role = records[records["role"] == role]
            self.assertEqual(set(zip(of_role["x"], of_role["y"])), tiles)
            count = len(of_role) / (len(tiles) * case.ranks * case.runs)
            self.assertEqual(count, RECORDS[role], role)
            self.assertTrue((of_role["start"] < of_role["end"]).all())

    def check(self, case, pattern, replacement):
        """Words are wrong in the first run where `pattern` is another text."""
        case = dataclasses.replace(case, runs=1)
        compiled = support.changed(
            self, self.compile(case), pattern, replacement
        )
        with self.assertRaisesRegex(Failure, support.WRONG_WORDS):
            self.differences(case, compiled, 0)

    def test_a_row_is_sent_twice(self):
        self.check(TWO_SHOTS, r"(icmp uge i32 %\d+), %\d+", r"\1, 0")

    def test_a_row_goes_to_another_rank(self):
        self.check(TWO_SHOTS, r"(icmp eq i32 %\d\d+), 7\n", r"\1, 6\n")


if __name__ == "__main__":
    unittest.main()
