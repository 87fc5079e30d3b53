"""Kernels for GPUs that record their times compute the same, and record each
block or tile once."""

import unittest

import numpy as np

from emulated import emulator
from emulated.tests import support

_SOFTMAX = """
func.func @f(%x: tensor<37x300xf32>) -> tensor<37x300xf32> {
  %e = tensor.empty() : tensor<37x300xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<37x300xf32>)
    outs(%e : tensor<37x300xf32>) -> tensor<37x300xf32>
  return %y : tensor<37x300xf32>
}
"""


class TraceTest(support.ToolsTest):
    def setUp(self):
        super().setUp()
        source = self.folder / "softmax.mlir"
        source.write_text(_SOFTMAX)
        self.traced = emulator.compile(
            self.tools, source, ["--target=h200", "--trace"]
        )
        self.plain = emulator.compile(self.tools, source, ["--target=h200"])
        generator = np.random.default_rng(1)
        self.inputs = [generator.normal(size=(37, 300)).astype(np.float32)]

    def trace(self, capacity):
        results, traces = emulator.trace(
            self.tools, self.traced, self.folder, self.inputs, 1, capacity
        )
        expected = emulator.run(
            self.tools, self.plain, self.folder, self.inputs, 1
        )
        self.assertEqual(results[0].tobytes(), expected[0].tobytes())
        (records,) = traces.values()
        return records

    def test_each_block_has_a_record(self):
        (launch,) = self.traced.plan.launches
        records = self.trace(1000)
        self.assertEqual(sorted(records["block"]), list(range(launch.blocks)))
        self.assertTrue((records["start"] < records["end"]).all())
        self.assertFalse(records["role"].any())

    def test_only_records_that_there_is_room_for_are_written(self):
        self.assertEqual(len(self.trace(2)), 2)

    def test_nothing_is_recorded_without_memory(self):
        self.assertEqual(len(self.trace(0)), 0)

    def test_kernels_record_nothing_unless_asked(self):
        self.assertNotIn("grout_trace", self.plain.assembly)


if __name__ == "__main__":
    unittest.main()
