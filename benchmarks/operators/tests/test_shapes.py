"""Shapes that operators may make."""

import math
import unittest

from operators import shapes


class ShapesTest(unittest.TestCase):
    def test_broadcast(self):
        self.assertEqual(shapes.broadcast((15,), (1, 1)), (1, 15))
        self.assertEqual(shapes.broadcast((4, 1, 7), (3, 1)), (4, 3, 7))
        self.assertIsNone(shapes.broadcast((4, 7), (4,)))

    def test_one_permutation_of_each_result(self):
        found = dict(shapes.permutations((2, 7, 7, 3)))
        self.assertEqual(found[2, 3, 7, 7], (0, 3, 1, 2))
        self.assertEqual(found[2, 7, 3, 7], (0, 2, 3, 1))
        self.assertEqual(dict(shapes.permutations((2, 3)))[3, 2], (1, 0))

    def test_axes_of_each_result(self):
        found = dict(shapes.reductions((4, 24, 7, 9)))
        self.assertEqual(found[(24,)], (0, 2, 3))
        self.assertEqual(found[4, 24, 7, 1], (3,))
        self.assertEqual(found[4, 24], (2, 3))
        self.assertEqual(found[(1,)], (0, 1, 2, 3))
        # The last axis, where another would do as well.
        self.assertEqual(dict(shapes.reductions((5, 5)))[(5,)], (1,))

    def test_reshapes_have_as_many_elements(self):
        known = [(2, 12, 7, 9), (24,), (63,)]
        for shape in ((24,), (2, 12), (1512,)):
            found = dict(shapes.reshapes(shape, known))
            self.assertGreater(len(found), 1)
            for other in found:
                self.assertEqual(math.prod(other), math.prod(shape))

    def test_channels_first(self):
        found = dict(shapes.reshapes((7,), [(2, 7, 7, 7), (7,)]))
        best = min(
            (shape for shape in found if shape != (7,)),
            key=lambda shape: found[shape],
        )
        self.assertEqual(best, (7, 1, 1))

    def test_runs_of_reshapes(self):
        for source, target in (
            ((24,), (24, 1, 1)),
            ((2, 12, 7), (24, 7)),
            ((24, 7), (2, 84)),
            ((1, 1), (1,)),
            ((1, 24), (1, 1, 24)),
            ((6, 4), (8, 3)),
            ((5, 1, 6), (5, 3, 1, 2)),
            ((1,), (1, 1, 1)),
        ):
            groups = shapes.regroup(source, target)
            self.assertEqual(
                [i for left, _ in groups for i in left],
                list(range(len(source))),
            )
            self.assertEqual(
                [i for _, right in groups for i in right],
                list(range(len(target))),
            )
            for left, right in groups:
                self.assertTrue(left and right, (source, target))
                self.assertEqual(
                    math.prod(source[i] for i in left),
                    math.prod(target[i] for i in right),
                )
        self.assertEqual(
            shapes.regroup((2, 12, 7), (24, 7)), [([0, 1], [0]), ([2], [1])]
        )


if __name__ == "__main__":
    unittest.main()
