"""Numbers on command lines are in range, or refused by name."""

import argparse
import unittest

from arguments import not_negative, positive, seed


class ArgumentsTest(unittest.TestCase):
    def refuse(self, kind, *texts):
        for text in texts:
            with (
                self.subTest(text),
                self.assertRaises((argparse.ArgumentTypeError, ValueError)),
            ):
                kind(text)

    def test_numbers_in_range(self):
        self.assertEqual(positive(int)("3"), 3)
        self.assertEqual(positive(float)("1e-3"), 1e-3)
        self.assertEqual(not_negative(float)("0"), 0)
        self.assertEqual(not_negative(int)("9" * 400), int("9" * 400))
        self.assertEqual(seed(str(2**64 - 1)), 2**64 - 1)

    def test_numbers_out_of_range(self):
        self.refuse(positive(int), "0", "-1", "x", "", "1.5")
        self.refuse(positive(float), "0", "-1", "nan", "inf", "1e999", "x")
        self.refuse(not_negative(float), "-1", "nan", "inf", "-inf", "")
        self.refuse(not_negative(int), "-1", "1.5", "nan")
        self.refuse(seed, "-1", str(2**64), "x", "0.5")


if __name__ == "__main__":
    unittest.main()
