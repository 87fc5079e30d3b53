"""Kernels with narrow vectors, whose threads have several points of a tile."""

import re

import numpy as np

from emulated import elements, emulator
from emulated.tests import support

# Rows of 32 groups of 10 elements. A group has a number, and an element of a
# row has a weight; so only vectors of two elements are neighbours in a group.
SOURCE = """
func.func @scale(%x: tensor<{rows}x32x10xf16>, %m: tensor<{rows}x32xf32>,
                 %w: tensor<32x10xf16>) -> tensor<{rows}x32x10xf16> {{
  %e = tensor.empty() : tensor<{rows}x32x10xf16>
  %y = linalg.generic {{
    indexing_maps = [affine_map<(i, g, c) -> (i, g, c)>,
                     affine_map<(i, g, c) -> (i, g)>,
                     affine_map<(i, g, c) -> (g, c)>,
                     affine_map<(i, g, c) -> (i, g, c)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  }} ins(%x, %m, %w : tensor<{rows}x32x10xf16>, tensor<{rows}x32xf32>,
        tensor<32x10xf16>) outs(%e : tensor<{rows}x32x10xf16>) {{
  ^bb0(%a: f16, %b: f32, %c: f16, %o: f16):
    %f = arith.extf %a : f16 to f32
    %h = arith.extf %c : f16 to f32
    %d = arith.subf %f, %b : f32
    %p = arith.mulf %d, %h : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  }} -> tensor<{rows}x32x10xf16>
  return %y : tensor<{rows}x32x10xf16>
}}
"""


class RepeatsTest(support.ToolsTest):
    def run_rows(self, rows, target):
        source = self.folder / "program.mlir"
        source.write_text(SOURCE.format(rows=rows))
        compiled = emulator.compile(self.tools, source, [f"--target={target}"])
        generator = np.random.default_rng(rows)
        x = generator.standard_normal((rows, 32, 10)).astype(np.float16)
        means = generator.standard_normal((rows, 32)).astype(np.float32)
        weights = generator.standard_normal((32, 10)).astype(np.float16)
        (result,) = emulator.run(
            self.tools,
            compiled,
            self.folder,
            [
                elements.encode(x.astype(np.float32), "f16"),
                elements.encode(means, "f32"),
                elements.encode(weights.astype(np.float32), "f16"),
            ],
            rows,
        )
        exact = (x.astype(np.float32) - means[..., None]) * weights
        np.testing.assert_array_equal(
            elements.decode(result, "f16").reshape(x.shape),
            exact.astype(np.float16),
        )
        (launch,) = compiled.plan.launches
        return compiled, launch

    def test_rows_of_groups(self):
        """The last tile has fewer rows than the others."""
        for rows, target, repeats in (
            (3001, "a100", 2),
            (7003, "h200", 4),
        ):
            with self.subTest(rows=rows):
                compiled, launch = self.run_rows(rows, target)
                self.assertEqual(launch.blocks, -(-rows // repeats))
                stores = re.findall(r"store ", compiled.assembly)
                self.assertGreaterEqual(len(stores), repeats)

    def test_few_rows(self):
        """With two points for a thread, some of the GPU would be idle."""
        _, launch = self.run_rows(500, "h200")
        self.assertGreaterEqual(launch.blocks * 256, 500 * 160)
