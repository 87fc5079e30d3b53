"""Variances that blocks of a GPU compute in parts, and norms in two launches,
against NumPy's in f64."""

import itertools
import math
import unittest

import numpy as np

from emulated import elements, emulator, steps
from emulated.program import Program
from emulated.tests import support

# Shapes, and the dimensions of the variance. In f32 one block would take longer
# than another launch.
CASES = (
    ((60000,), (0,)),
    ((2, 60000), (1,)),
    ((1500, 40), (0, 1)),
    ((24, 2, 2500), (0, 2)),
    ((60000, 2), (0,)),
)
WAYS = ("product", "integer", "power")


def _numbers(seed, shape):
    """Far from 0, so that a mean of squares would lose the variance."""
    generator = np.random.default_rng(seed)
    return (1000 + generator.standard_normal(shape)).astype(np.float32)


class VarianceTest(support.ToolsTest):
    def run_variance(self, x, dims, target, seed=0, way="product", **options):
        """The text of what is compiled, and the sums of squared differences."""
        program = Program(x.size)
        steps.squared_differences(
            program,
            program.argument(x.shape, "f32"),
            [dim in dims for dim in range(x.ndim)],
            way=way,
            **{"rest": False, "apart": False, **options},
        )
        program.results = program.values[-1:]
        source = self.folder / "program.mlir"
        source.write_text(program.text)
        compiled = emulator.compile(self.tools, source, [f"--target={target}"])
        inputs = [elements.encode(x, "f32")]
        (result,) = emulator.run(
            self.tools, compiled, self.folder, inputs, seed
        )
        return compiled, elements.decode(result, "f32")

    def test_numbers_far_from_zero(self):
        for seed, (case, apart) in enumerate(
            itertools.product(CASES, (False, True))
        ):
            shape, dims = case
            x = _numbers(seed, shape)
            compiled, actual = self.run_variance(
                x,
                dims,
                ("h200", "a100")[seed % 2],
                seed,
                WAYS[seed % 3],
                apart=apart,
            )
            exact = x.astype(np.float64).var(dims) * x.size / actual.size
            with self.subTest(case=case, apart=apart):
                np.testing.assert_allclose(actual, exact, rtol=1e-5)
                parts, combination = compiled.plan.launches
                self.assertGreaterEqual(parts.blocks, 16 * actual.size)

    def test_differences_from_another_number(self):
        """No mean of the same elements: the parts have to wait for it."""
        x = _numbers(0, (2, 60000))
        compiled, actual = self.run_variance(x, (1,), "h200", rest=True)
        wide = x.astype(np.float64)
        mean = wide.sum(1, keepdims=True) / 60001
        exact = np.square(wide - mean).sum(1)
        np.testing.assert_allclose(actual, exact, rtol=1e-4)
        self.assertGreater(len(compiled.plan.launches), 2)

    def test_what_is_no_number(self):
        for seed, number in enumerate((math.inf, -math.inf, math.nan)):
            x = _numbers(seed, (60000,))
            x[12345] = number
            _, actual = self.run_variance(x, (0,), "h200", seed)
            self.assertTrue(np.isnan(actual).all(), actual)


class GroupNormTest(support.ToolsTest):
    """A norm of groups of channels, with channels first. Its result has
    channels last."""

    def program(self, shape):
        groups, channels, pixels = shape
        program = Program(math.prod(shape))
        x = program.argument(shape, "f16")
        steps.squared_differences(
            program, x, [False, True, True], False, "product", True
        )
        _, _, mean, *_, squares = program.values

        def normal(body, a, mean, squares, _):
            wide = body.let(f"arith.extf {a} : f16 to f32")
            difference = body.let(f"arith.subf {wide}, {mean} : f32")
            count = body.constant(channels * pixels, "f32")
            variance = body.let(f"arith.divf {squares}, {count} : f32")
            deviation = body.let(f"math.sqrt {variance} : f32")
            result = body.let(f"arith.divf {difference}, {deviation} : f32")
            return body.let(f"arith.truncf {result} : f32 to f16")

        program.results = program.generic(
            [x, mean, squares],
            [["d1", "d2", "d0"], ["d1"], ["d1"]],
            [program.empty((pixels, groups, channels), "f16")],
            ["d0", "d1", "d2"],
            [False] * 3,
            normal,
        )
        return program

    def test_result_with_channels_last(self):
        """Threads cannot keep a group of the second shape in registers."""
        for seed, shape in enumerate(((216, 20, 512), (216, 20, 1664))):
            source = self.folder / f"program{seed}.mlir"
            source.write_text(self.program(shape).text)
            compiled = emulator.compile(self.tools, source, ["--target=a100"])
            generator = np.random.default_rng(seed)
            x = generator.standard_normal(shape, np.float32) + 2
            inputs = [elements.encode(x, "f16")]
            (result,) = emulator.run(
                self.tools, compiled, self.folder, inputs, seed
            )
            wide = elements.decode(inputs[0], "f16").astype(np.float64)
            wide = wide.reshape(shape)
            exact = wide - wide.mean((1, 2), keepdims=True)
            exact /= wide.std((1, 2), keepdims=True)
            with self.subTest(shape=shape):
                np.testing.assert_allclose(
                    elements.decode(result, "f16"),
                    exact.transpose(2, 0, 1),
                    rtol=1e-3,
                    atol=1e-5,
                )
                self.assertEqual(len(compiled.plan.launches), 2)


if __name__ == "__main__":
    unittest.main()
