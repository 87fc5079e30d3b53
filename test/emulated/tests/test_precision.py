"""How exact sums, products and softmax are, against NumPy's in f64 and
math.fsum."""

import math
import re
import unittest

import numpy as np

from emulated import cpu, elements, emulator, native, reductions
from emulated.program import Program, loops
from emulated.reductions import ROUNDING
from emulated.tests import support

SEEDS = range(24)
GPUS = (
    ["--target=h200"],
    ["--target=a100"],
    ["--target=h200", "--scop-tree=none"],
)
# Terms of a sum that a CPU makes in f32.
SHORT = 64


class PrecisionTest(support.ToolsTest):
    def on_cpu(self, text, inputs, *options, check=True):
        source = self.folder / "program.mlir"
        source.write_text(text)
        return cpu.run(self.tools, source, self.folder, inputs, options, check)

    def on_gpu(self, text, inputs, options):
        source = self.folder / "program.mlir"
        source.write_text(text)
        return emulator.run(
            self.tools,
            emulator.compile(self.tools, source, options),
            self.folder,
            inputs,
            seed=1,
        )


class ReductionTest(PrecisionTest):
    def assert_near(self, seed, reduction, actual, terms):
        dtype = reduction.program.results[0].dtype
        error = np.abs(
            elements.decode(actual[0], dtype).astype(np.float64)
            - reduction.exact
        )
        allowed = reductions.bound(reduction, dtype, terms)
        with self.subTest(seed=seed, program=reduction.program.text):
            self.assertLessEqual(
                (error - allowed).max(), 0, f"{error.max()} of {allowed.max()}"
            )

    def test_on_the_cpu_the_error_does_not_grow(self):
        for seed in SEEDS:
            reduction = reductions.make(seed)
            actual = self.on_cpu(reduction.program.text, reduction.inputs)
            self.assert_near(
                seed, reduction, actual, min(reduction.terms, SHORT)
            )

    def test_on_gpus_it_is_that_of_f32(self):
        ran = 0
        for seed in SEEDS:
            reduction = reductions.make(seed)
            try:
                actual = self.on_gpu(
                    reduction.program.text,
                    reduction.inputs,
                    GPUS[seed % len(GPUS)],
                )
            except native.Refused:
                continue
            ran += 1
            self.assert_near(seed, reduction, actual, reduction.terms)
        self.assertGreaterEqual(ran, 0.7 * len(SEEDS))


class LongSumTest(PrecisionTest):
    """On the CPU, of 2^21 and more terms."""

    def sums(self, shape, reduced, dtype="f32"):
        """The sum, the sum of squares and the maximum, by one op."""
        keep = [i for i in range(len(shape)) if i not in reduced]
        results = tuple(shape[i] for i in keep)
        program = Program(limit=math.prod(shape))
        x = program.argument(shape, dtype)

        def compute(body, a, sum_, squares, most):
            square = body.let(f"arith.mulf {a}, {a} : {dtype}")
            return (
                body.let(f"arith.addf {sum_}, {a} : {dtype}"),
                body.let(f"arith.addf {squares}, {square} : {dtype}"),
                body.let(f"arith.maximumf {most}, {a} : {dtype}"),
            )

        program.results = program.generic(
            [x],
            [loops(x.rank)],
            [program.filled(results, dtype, 0) for _ in range(3)],
            [f"d{i}" for i in keep],
            [i in reduced for i in range(x.rank)],
            compute,
        )
        return program

    def test_sums_of_all_rows_columns_and_between(self):
        generator = np.random.default_rng(0)
        for shape, reduced in (
            ((2560, 2560), (0, 1)),
            ((2**21,), (0,)),
            ((2, 2**20 + 1), (1,)),
            ((2**20 + 3, 2), (0,)),
            ((2, 2**17, 8), (1,)),
            ((64, 2, 2**14), (0, 2)),
        ):
            x = generator.uniform(0, 1, shape).astype(np.float32)
            sum_, squares, most = self.on_cpu(
                self.sums(shape, reduced).text, [x]
            )
            exact = x.astype(np.float64)
            with self.subTest(shape=shape, reduced=reduced):
                # Twice a rounding of the result; a square has one, too.
                np.testing.assert_allclose(
                    sum_, exact.sum(axis=reduced), rtol=2 * ROUNDING["f32"]
                )
                np.testing.assert_allclose(
                    squares,
                    (exact * exact).sum(axis=reduced),
                    rtol=2 * ROUNDING["f32"],
                )
                np.testing.assert_array_equal(most, x.max(axis=reduced))

    def test_a_sum_that_nearly_vanishes(self):
        x = np.random.default_rng(1).normal(size=2**20).astype(np.float32)
        x[-1] -= np.float32(math.fsum(x))
        sum_, _, _ = self.on_cpu(
            self.sums(x.shape, (0,)).text, [x], check=False
        )
        # f64 has 2^29 times as many digits.
        self.assertAlmostEqual(
            float(sum_),
            math.fsum(x),
            delta=2.0**-30 * math.fsum(abs(x)) * ROUNDING["f32"] * 2**10,
        )

    def test_products_of_long_rows(self):
        k = 2**18
        generator = np.random.default_rng(2)
        a, b = (
            generator.uniform(0, 1, shape).astype(np.float32)
            for shape in ((3, k), (k, 5))
        )
        text = f"""
func.func @f(%a: tensor<3x{k}xf32>, %b: tensor<{k}x5xf32>) -> tensor<3x5xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %y = linalg.matmul ins(%a, %b : tensor<3x{k}xf32>, tensor<{k}x5xf32>)
    outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}}
"""
        exact = a.astype(np.float64) @ b.astype(np.float64)
        np.testing.assert_allclose(
            self.on_cpu(text, [a, b])[0], exact, rtol=2e-6
        )


class SoftmaxTest(PrecisionTest):
    def text(self, shape, dtype, dimension):
        tensor = f"tensor<{'x'.join(map(str, shape))}x{dtype}>"
        return f"""
func.func @f(%x: {tensor}) -> {tensor} {{
  %e = tensor.empty() : {tensor}
  %y = linalg.softmax dimension({dimension}) ins(%x : {tensor}) outs(%e : {tensor}) -> {tensor}
  return %y : {tensor}
}}
"""

    def everywhere(self, text, inputs):
        yield "cpu", self.on_cpu(text, inputs)[0]
        for options in GPUS[:2]:
            yield " ".join(options), self.on_gpu(text, inputs, options)[0]

    def test_of_equal_elements_is_their_number(self):
        for dtype, count in (("bf16", 1024), ("f16", 4096)):
            text = self.text((2, count), dtype, 1)
            x = elements.encode(np.full((2, count), 1.5), dtype)
            for what, y in self.everywhere(text, [x]):
                with self.subTest(dtype=dtype, what=what):
                    np.testing.assert_array_equal(
                        elements.decode(y, dtype), np.float32(1 / count)
                    )

    def test_is_rounded_once(self):
        generator = np.random.default_rng(3)
        for dtype, shape, dimension in (
            ("bf16", (3, 1500), 1),
            ("f16", (3, 1500), 1),
            ("bf16", (700, 6), 0),
            ("f16", (2, 300, 5), 1),
        ):
            x = elements.encode(generator.normal(size=shape), dtype)
            power = np.exp(elements.decode(x, dtype).astype(np.float64))
            exact = power / power.sum(axis=dimension, keepdims=True)
            for what, y in self.everywhere(
                self.text(shape, dtype, dimension), [x]
            ):
                with self.subTest(dtype=dtype, shape=shape, what=what):
                    np.testing.assert_allclose(
                        elements.decode(y, dtype).astype(np.float64),
                        exact,
                        rtol=1.01 * ROUNDING[dtype],
                        atol=reductions.LEAST,
                    )


class ActivationTest(PrecisionTest):
    """Of f16, of which GPUs compute functions less exactly."""

    def text(self, size, body):
        return f"""
func.func @f(%x: tensor<{size}xf16>) -> tensor<{size}xf16> {{
  %e = tensor.empty() : tensor<{size}xf16>
  %y = linalg.generic {{
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  }} ins(%x : tensor<{size}xf16>) outs(%e : tensor<{size}xf16>) {{
  ^bb0(%in: f16, %out: f16):
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.70710678118 : f32
    %a = arith.extf %in : f16 to f32
{body}
    %r = arith.truncf %s : f32 to f16
    linalg.yield %r : f16
  }} -> tensor<{size}xf16>
  return %y : tensor<{size}xf16>
}}
"""

    def units(self, body, function):
        """The largest error for all numbers up to 60, in those of f16."""
        x = np.arange(2**16, dtype=np.uint16).view(np.float16)
        x = x[np.abs(x) <= 60]
        exact = np.array([function(float(a)) for a in x])
        unit = np.maximum(
            2.0
            ** (np.floor(np.log2(np.maximum(np.abs(exact), 2.0**-24))) - 10),
            2.0**-24,
        )
        (y,) = self.on_gpu(self.text(x.size, body), [x], ["--target=h200"])
        return (np.abs(y.astype(np.float64) - exact) / unit).max()

    def test_gelu(self):
        # 1 + erf is rounded to f32, also where it nearly vanishes.
        self.assertLess(
            self.units(
                """
    %b = arith.mulf %a, %half : f32
    %c = arith.mulf %a, %root : f32
    %d = math.erf %c : f32
    %f = arith.addf %d, %one : f32
    %s = arith.mulf %b, %f : f32
""",
                lambda a: a / 2 * math.erfc(-a / math.sqrt(2)),
            ),
            2.5,
        )

    def test_silu(self):
        for end in (
            "%f = arith.divf %one, %d : f32\n    %s = arith.mulf %a, %f : f32",
            "%s = arith.divf %a, %d : f32",
        ):
            self.assertLess(
                self.units(
                    f"""
    %b = arith.negf %a : f32
    %c = math.exp %b : f32
    %d = arith.addf %one, %c : f32
    {end}
""",
                    lambda a: a / (1 + math.exp(-a)),
                ),
                0.51,
            )


class FunctionTest(PrecisionTest):
    """Whose instructions are exact here. FloatFunctionsTest has the functions
    that need none."""

    EXACT = {
        "cos": math.cos,
        "erf": math.erf,
        "exp": math.exp,
        "exp2": lambda a: 2.0**a,
        "log": math.log,
        "log10": math.log10,
        "log2": math.log2,
        "sin": math.sin,
        "tanh": math.tanh,
    }

    def text(self, size, function, dtype):
        tensor = f"tensor<{size}x{dtype}>"
        return f"""
func.func @f(%x: {tensor}) -> {tensor} {{
  %e = tensor.empty() : {tensor}
  %y = linalg.generic {{
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  }} ins(%x : {tensor}) outs(%e : {tensor}) {{
  ^bb0(%in: {dtype}, %out: {dtype}):
    %r = math.{function} %in : {dtype}
    linalg.yield %r : {dtype}
  }} -> {tensor}
  return %y : {tensor}
}}
"""

    def units(self, function, x, dtype, bits, least, limit):
        """The largest error of normal results, which have `bits` digits and lie
        between 2^`least` and 2^`limit`, in units of the last digit."""
        numbers = elements.decode(x, dtype).astype(np.float64)
        is_in = abs(numbers) < (89 if function.startswith("exp") else np.inf)
        if function.startswith("log"):
            is_in &= numbers > 0
        x = x[is_in]
        exact = np.array([self.EXACT[function](a) for a in numbers[is_in]])
        (y,) = self.on_gpu(
            self.text(x.size, function, dtype), [x], ["--target=h200"]
        )
        # This machine flushes subnormal numbers of bf16.
        is_normal = (abs(exact) >= 2.0**least) & (abs(exact) < 2.0**limit)
        exact, y = exact[is_normal], elements.decode(y, dtype)[is_normal]
        error = abs(y.astype(np.float64) - exact)
        return (error / 2.0 ** (np.floor(np.log2(abs(exact))) + 1 - bits)).max()

    def test_of_f32(self):
        generator = np.random.default_rng(4)
        x = np.concatenate(
            [
                generator.uniform(-100, 100, 4000),
                1
                + generator.uniform(-1, 1, 2000)
                * 2.0 ** -(np.arange(2000) % 24),
                generator.uniform(-1, 1, 4000)
                * 2.0 ** generator.integers(-140, 120, 4000),
            ]
        ).astype(np.float32)
        for function in self.EXACT:
            with self.subTest(function=function):
                self.assertLess(
                    self.units(function, x, "f32", 24, -126, 128), 4
                )

    def test_of_all_numbers_of_16_bits(self):
        for dtype, bits, least, limit in (
            ("bf16", 8, -126, 128),
            ("f16", 11, -14, 16),
        ):
            x = np.arange(2**16, dtype=np.uint16)
            x = x if dtype == "bf16" else x.view(np.float16)
            numbers = elements.decode(x, dtype)
            x = x[np.isfinite(numbers)]
            for function in self.EXACT:
                with self.subTest(dtype=dtype, function=function):
                    self.assertLess(
                        self.units(function, x, dtype, bits, least, limit), 0.52
                    )


class StrictTypesTest(PrecisionTest):
    def test_sums_are_of_the_type_that_the_program_says(self):
        program = Program(limit=1024)
        x = program.argument((1024,), "bf16")
        program.results = [
            program.accumulated(
                x,
                program.filled((), "bf16", 0),
                [],
                [True],
                lambda body, a, old, dtype: body.let(
                    f"arith.addf {old}, {a} : {dtype}"
                ),
            )
        ]
        ones = elements.encode(np.ones(1024), "bf16")
        for options, expected in (([], 1024), (["--strict-types"], 256)):
            (y,) = self.on_cpu(program.text, [ones], *options)
            self.assertEqual(elements.decode(y, "bf16"), expected)
            (y,) = self.on_gpu(
                program.text, [ones], ["--target=h200", *options]
            )
            self.assertLessEqual(elements.decode(y, "bf16"), 1024)
        text = emulator.compile(
            self.tools,
            self.folder / "program.mlir",
            ["--target=h200", "--strict-types"],
        ).assembly
        self.assertFalse(re.search(r"fadd float", text))


if __name__ == "__main__":
    unittest.main()
