"""Matrix products with epilogues so long that they are loops. Their results are
summed over two ranks, since only such products run on emulated threads."""

import dataclasses
import re

import numpy as np

from emulated import elements, emulator, ranks
from emulated.tests import support

ROWS, K, RANKS = 300, 72, 2

# `scale` has an element for each row, `bias` one for each column, and
# `residual` one for each element.
SOURCE = """
#byRow = affine_map<(i, j) -> (i)>
#byColumn = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
func.func @long(%x: tensor<{rows}x{k}xbf16>, %w: tensor<{n}x{k}xbf16>,
                %scale: tensor<{rows}xf32>, %bias: tensor<{n}xbf16>,
                %residual: tensor<{rows}x{n}xbf16>)
    -> tensor<{rows}x{n}x{type}> {{
  %y = tgemm.matmul %x, %w epilogue(%scale, %bias, %residual
      : tensor<{rows}xf32>, tensor<{n}xbf16>, tensor<{rows}x{n}xbf16>) {{
    transpose_rhs, sum_ranks = {ranks}, sum_channel = 0,
    epilogue_maps = [#byRow, #byColumn, #all],
    tiling = #tgemm.tiling<{tiling}, k = 64, stages = 3>
  }} : tensor<{rows}x{k}xbf16>, tensor<{n}x{k}xbf16>
    -> tensor<{rows}x{n}x{type}> {{
  ^bb0(%v0: f32, %s: f32, %b: bf16, %r: bf16):
    %bf = arith.extf %b : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
{steps}
    {end}
  }}
  return %y : tensor<{rows}x{n}x{type}>
}}
"""


@dataclasses.dataclass(frozen=True)
class Case:
    columns: int
    tiling: str
    steps: int
    """An element takes a multiplication and an addition for each of them."""
    result: str = "bf16"
    rows: int = ROWS

    @property
    def text(self):
        lines = []
        for i in range(self.steps):
            other = ("%bf", "%rf")[i % 2]
            lines.append(f"    %m{i} = arith.mulf %v{i}, %s : f32")
            lines.append(f"    %v{i + 1} = arith.addf %m{i}, {other} : f32")
        end = f"tgemm.yield %v{self.steps} : f32"
        if self.result == "bf16":
            end = (
                f"%t = arith.truncf %v{self.steps} : f32 to bf16\n"
                "    tgemm.yield %t : bf16"
            )
        return SOURCE.format(
            rows=self.rows,
            k=K,
            n=self.columns,
            ranks=RANKS,
            tiling=self.tiling,
            type=self.result,
            steps="\n".join(lines),
            end=end,
        )

    def draw(self, generator):
        """Operands with which all values in f32 are exact."""
        shapes = ((self.rows, K), (self.columns, K), self.columns)
        x, w, bias, residual = (
            elements.encode(generator.integers(-2, 3, shape), "bf16")
            for shape in (*shapes, (self.rows, self.columns))
        )
        scale = generator.choice([-1.0, 1.0], self.rows)
        return x, w, elements.encode(scale, "f32"), bias, residual

    def compute(self, x, w, scale, bias, residual):
        x, w, bias, residual = (
            elements.decode(array, "bf16") for array in (x, w, bias, residual)
        )
        value = x @ w.T
        for i in range(self.steps):
            value = value * elements.decode(scale, "f32")[:, None] + (
                residual if i % 2 else bias
            )
        return elements.decode(elements.encode(value, self.result), self.result)


CASES = {
    "buffers of two groups": Case(176, "m = 64, n = 176", 30),
    "loops in a loop": Case(200, "m = 128, n = 128", 50),
    "two blocks of rows": Case(64, "m = 256, n = 64", 80),
    "f32": Case(104, "m = 64, n = 64", 80, "f32"),
    # Both buffers have seven groups, of which a loop takes two at a time.
    "buffers that overlap": Case(120, "m = 104, n = 64, swap_ab = true", 50),
}


class EpilogueLoopsTest(support.ToolsTest):
    def compile(self, case):
        source = self.folder / "program.mlir"
        source.write_text(case.text)
        return emulator.compile(self.tools, source, ["--target=h200"])

    def test_results(self):
        for seed, (name, case) in enumerate(CASES.items()):
            with self.subTest(name):
                generator = np.random.default_rng(seed)
                operands = [case.draw(generator) for _ in range(RANKS)]
                ((first, *_),) = ranks.run(
                    self.tools,
                    self.compile(case),
                    self.folder,
                    [operands],
                    seed,
                )
                wanted = sum(case.compute(*of_rank) for of_rank in operands)
                np.testing.assert_array_equal(
                    first[0], elements.encode(wanted, case.result)
                )

    def test_code(self):
        """A loop takes a fraction of the code. A kernel with several waves of
        tiles, or with a short epilogue, has none."""
        loop = CASES["buffers of two groups"]
        for case, has_loop in (
            (loop, True),
            (dataclasses.replace(loop, steps=20), False),
            (dataclasses.replace(loop, rows=64 * 133), False),
        ):
            with self.subTest(case=case):
                code = self.compile(case).assembly
                count = len(re.findall(" fmul | fadd ", code))
                elements = 64 * 176 // 128
                unrolled = 2 * case.steps * elements
                self.assertEqual(count < unrolled / 4, has_loop)
                self.assertEqual(count >= unrolled, not has_loop)
