"""The oracle has its bounds neither too wide nor too narrow."""

import random
import unittest

import numpy as np
from emulated import elements, random_programs
from emulated.program import Program, loops

from attack import bounded, oracle, products


def evaluate(program, *inputs):
    return oracle.evaluate(program.text, inputs)


def draw(program, seed=0):
    generator = np.random.default_rng(seed)
    return [
        elements.draw(generator, value.shape, value.dtype)
        for value in program.arguments
    ]


class OracleTest(unittest.TestCase):
    def program(self, dtype="f32", shape=(5, 7)):
        program = Program(1000)
        return program, program.argument(shape, dtype)

    def test_sums_in_any_order_are_right(self):
        program, x = self.program(shape=(3, 300))
        start = program.filled((3,), "f32", 1)
        program.results = program.generic(
            [x],
            [loops(2)],
            [start],
            ["d0"],
            [False, True],
            lambda body, a, old: body.let(f"arith.addf {old}, {a} : f32"),
        )
        (array,) = draw(program)
        (want,) = evaluate(program, array)
        for order in range(5):
            shuffled = np.random.default_rng(order).permutation(array, axis=1)
            got = np.float32(1) + np.add.reduce(shuffled, 1, np.float32)
            self.assertFalse(bounded.differ(got.astype(float), want).any())
        wrong = array[:, 1:].sum(1, np.float32) + 1
        self.assertTrue(bounded.differ(wrong.astype(float), want).all())
        self.assertTrue((want.error < 1e-2).all())

    def test_narrow_sums_need_a_wide_accumulator(self):
        """A softmax of equal elements, whose sum stops growing in bf16."""
        program, x = self.program("bf16", (2, 1024))
        products.softmax(random.Random(0), program, x)
        program.results = program.values[-1:]
        (want,) = evaluate(program, np.zeros(x.shape, np.uint16))
        self.assertFalse(bounded.differ(np.full(x.shape, 2.0**-10), want).any())
        self.assertTrue(bounded.differ(np.full(x.shape, 2.0**-8), want).all())

    def test_products(self):
        seen = set()
        for seed in range(40):
            program, x = self.program("f16", (2, 9, 40))
            products.product(random.Random(seed), program, x)
            if len(program.values) != 4:  # Too large, or sums in f16.
                continue
            program.results = [program.values[2]]
            by_columns = "n, k)>" in program.text
            seen.add(by_columns)
            inputs = draw(program)
            (want,) = evaluate(program, *inputs)
            a, b = (array.astype(np.float32) for array in inputs)
            if by_columns:
                b = b.swapaxes(1, 2)
            self.assertFalse(bounded.differ((a @ b).astype(float), want).any())
            a[:, :, 0] = 0
            self.assertGreater(
                np.mean(bounded.differ((a @ b).astype(float), want)), 0.9
            )
        self.assertEqual(seen, {False, True})

    def test_integers_wrap(self):
        program, x = self.program("i8", (4,))
        program.results = program.generic(
            [x],
            [loops(1)],
            [program.empty((4,), "i8")],
            loops(1),
            [False],
            lambda body, a, _: body.let(f"arith.muli {a}, {a} : i8"),
        )
        array = np.array([100, -128, 7, 16], np.int8)
        (want,) = evaluate(program, array)
        np.testing.assert_array_equal(want, array * array)

    def test_what_overflows_is_not_known(self):
        program, x = self.program("f16", (1,))
        program.results = program.generic(
            [x],
            [loops(1)],
            [program.empty((1,), "f16")],
            loops(1),
            [False],
            lambda body, a, _: body.let(f"arith.mulf {a}, {a} : f16"),
        )
        (want,) = evaluate(program, np.array([300], np.float16))
        self.assertFalse(bounded.differ(np.array([np.inf]), want).any())

    def test_it_knows_all_that_is_generated(self):
        for seed in range(150):
            program = random_programs.draw(
                random.Random(seed), products.WEIGHTS, [300]
            )
            results = evaluate(program, *draw(program, seed))
            for value, result in zip(program.results, results, strict=True):
                with self.subTest(seed=seed, value=value):
                    shape = (
                        result.value
                        if isinstance(result, bounded.Bounded)
                        else result
                    ).shape
                    self.assertEqual(shape, value.shape)


if __name__ == "__main__":
    unittest.main()
