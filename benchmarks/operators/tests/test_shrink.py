"""Smaller extents."""

import unittest

from operators import rebuild, shrink
from operators.tests import support


def shrunk(limit, *row):
    return shrink.shrink(rebuild.rebuild(support.row(*row)), limit)


class ShrinkTest(unittest.TestCase):
    def test_outermost_first_and_remainders_kept(self):
        small = shrunk(
            1 << 16, "Cast", "float32[8000, 30522]", "float16[8000, 30522]"
        )
        self.assertEqual(small.inputs[0].shape, (8, 7634))
        self.assertEqual(30522 % 8, 7634 % 8)
        self.assertEqual(small.type(1).shape, small.inputs[0].shape)

    def test_what_must_be_equal_stays_equal(self):
        small = shrunk(
            4096,
            "Reshape+Add",
            "float32[32, 192, 13, 13];float32[192]",
            "float32[32, 192, 13, 13]",
        )
        self.assertEqual(small.inputs[0].shape, (8, 8, 5, 13))
        self.assertEqual(small.inputs[1].shape, (8,))
        self.assertEqual(small.type(2).shape, (8, 1, 1))

    def test_reshapes_change_by_one_factor(self):
        small = shrunk(
            1 << 14,
            "Reshape+Transpose",
            "float32[1024, 768]",
            "float32[8, 12, 128, 64]",
        )
        self.assertEqual(small.inputs[0].shape, (128, 128))
        self.assertEqual(small.type(1).shape, (1, 128, 2, 64))
        self.assertEqual(small.type(2).shape, (1, 2, 128, 64))

    def test_pads_stay(self):
        small = shrunk(256, "PadAkg", "float16[10, 4096]", "float16[32, 4096]")
        self.assertEqual(small.inputs[0].shape, (10, 64))
        self.assertEqual(small.type(1).shape, (32, 64))

    def test_nothing_changes_that_is_small(self):
        for name, row in support.sample().items():
            if name not in support.REFUSED:
                built = rebuild.rebuild(row)
                self.assertEqual(shrink.shrink(built, 1 << 24), built)


if __name__ == "__main__":
    unittest.main()
