"""All-reduces of ranks that run at once have exactly the sums that they should
have, and what is wrong with one is found."""

import dataclasses
import unittest

import numpy as np

from emulated import elements, emulator, ranks
from emulated.isolation import Failure
from emulated.plan import Unsupported
from emulated.tests import support

RUNS = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """All-reduces of `count` arguments, each without its first column if
    `is_part`: rows are then no vectors."""

    shape: tuple
    dtype: str
    ranks: int
    is_part: bool = False
    count: int = 1

    @property
    def text(self):
        rows, columns = self.shape
        whole = f"tensor<{rows}x{columns}x{self.dtype}>"
        type_, lines = whole, []
        if self.is_part:
            type_ = f"tensor<{rows}x{columns - 1}x{self.dtype}>"
        for i in range(self.count):
            operand = f"%a{i}"
            if self.is_part:
                operand = f"%p{i}"
                lines.append(
                    f"{operand} = tensor.extract_slice %a{i}[0, 1] "
                    f"[{rows}, {columns - 1}] [1, 1] : {whole} to {type_}"
                )
            lines.append(
                f"%r{i} = collective.all_reduce {operand} ranks {self.ranks} "
                f"channel {i} : {type_}"
            )
        numbers = range(self.count)
        arguments = ", ".join(f"%a{i}: {whole}" for i in numbers)
        results = ", ".join(f"%r{i}" for i in numbers)
        types = ", ".join(type_ for _ in numbers)
        return "\n".join(
            [
                f"func.func @f({arguments}) -> ({types}) {{",
                *lines,
                f"return {results} : {types}",
                "}",
            ]
        )

    def draw(self, generator):
        """An argument of any bits, NaNs among them. Some words are 0, and some
        have all bits set. No bf16 is so small that sums are subnormal, which
        processors round to 0."""
        dtype = elements.array_type(self.dtype)
        size = self.shape[0] * self.shape[1] * dtype.itemsize
        words = generator.integers(2**32, size=-(-size // 4), dtype=np.uint32)
        chance = generator.uniform(size=words.size)
        words[chance < 0.3] = 0
        words[chance > 0.9] = 2**32 - 1
        array = words.view(np.uint8)[:size].view(dtype).reshape(self.shape)
        if self.dtype == "bf16":
            array[array & 0x7FFF < 0x800] = 0
        return array

    def sum(self, arrays):
        """In f32, in this order, and rounded once; of what is not NaN."""
        if self.is_part:
            arrays = [array[:, 1:] for array in arrays]
        total, *others = [
            elements.decode(array, self.dtype).astype(np.float32)
            for array in arrays
        ]
        with np.errstate(all="ignore"):
            for other in others:
                total = total + other
            return np.isnan(total), elements.encode(total, self.dtype)


CASES = {
    "two arguments": Case((1, 4096), "bf16", 2, count=2),
    "three have three regions": Case((3, 64), "bf16", 3, count=3),
    "four share two regions": Case((2, 40), "f32", 4, count=4),
    "one shot, all ranks": Case((3, 200), "f32", 8),
    "one shot, much": Case((141, 4096), "f16", 2),
    "one shot, single f16": Case((3, 5), "f16", 5, is_part=True),
    "one shot, single bf16": Case((33, 6), "bf16", 3, is_part=True),
    "one shot, single f32": Case((40, 20), "f32", 3, is_part=True),
    "two shots, vectors": Case((13, 3848), "bf16", 8),
    "two shots, four ranks": Case((81, 2120), "f16", 4),
    "two shots, single f32": Case((13, 1930), "f32", 8, is_part=True),
}


SMALL = CASES["one shot, all ranks"]
ODD = CASES["one shot, single f32"]
# The word of a record that names a rank, by its number plus 1.
AFTER_RANK = 11


class RanksTest(support.ToolsTest):
    def compile(self, case, *options):
        source = self.folder / "program.mlir"
        source.write_text(case.text)
        return emulator.compile(self.tools, source, ["--target=h200", *options])

    def differences(self, case, compiled, seed):
        """How many elements of results are wrong."""
        generator = np.random.default_rng(seed)
        inputs = [
            [
                [case.draw(generator) for _ in range(case.count)]
                for _ in range(case.ranks)
            ]
            for _ in range(RUNS)
        ]
        results = ranks.run(self.tools, compiled, self.folder, inputs, seed)
        wrong = 0
        for of_ranks, sums in zip(inputs, results, strict=True):
            for i in range(case.count):
                is_nan, expected = case.sum([arrays[i] for arrays in of_ranks])
                first = sums[0][i].tobytes()
                for got in (arrays[i] for arrays in sums):
                    wrong += got.tobytes() != first
                    numbers = elements.decode(got, case.dtype)
                    wrong += np.count_nonzero(np.isnan(numbers) != is_nan)
                    same = got.view(np.uint8) == expected.view(np.uint8)
                    same = same.reshape(*got.shape, got.itemsize).all(-1)
                    wrong += np.count_nonzero(~same & ~is_nan)
        return wrong


class SumTest(RanksTest):
    def test_sums(self):
        for seed, (name, case) in enumerate(CASES.items()):
            with self.subTest(name):
                compiled = self.compile(case)
                self.assertEqual(self.differences(case, compiled, seed), 0)


class MutationTest(RanksTest):
    def check(self, case, pattern, replacement, count=0):
        """Results are wrong, or words are, where `pattern` is another text.
        Some orders do not show it."""
        compiled = support.changed(
            self, self.compile(case), pattern, replacement, count
        )
        for seed in range(5):
            try:
                if self.differences(case, compiled, seed):
                    return
            except Failure as failure:
                self.assertRegex(str(failure), support.WRONG_WORDS)
                return
        self.fail("no order shows it")

    def test_what_is_read_is_not_cleared(self):
        for case in (SMALL, ODD):
            self.check(
                case,
                r" *store <\d x i32> zeroinitializer, ptr addrspace\(1\).*\n",
                "",
            )

    def test_all_runs_use_one_set(self):
        for case in (SMALL, ODD):
            self.check(case, r"(= and i32 %\d+), 1\n", r"\1, 0\n")

    def test_only_one_word_is_there(self):
        self.check(
            SMALL,
            r"umin\.i32\(i32 (%\d+), i32 %\d+",
            r"umin.i32(i32 \1, i32 \1",
        )

    def test_a_share_goes_to_another_rank(self):
        self.check(
            CASES["two shots, vectors"],
            r"(getelementptr i8, ptr) %4,",
            r"\1 %5,",
            count=1,
        )

    def test_words_are_not_complements(self):
        self.check(ODD, r"splat \(i32 -1\)", "zeroinitializer")

    def test_words_with_all_bits_are_sent_as_they_are(self):
        self.check(SMALL, r"splat \(i32 1\)", "zeroinitializer")


class WatchdogTest(RanksTest):
    def test_a_slow_rank_is_no_fault(self):
        compiled = self.compile(SMALL, "--debug-sync=60000")
        self.assertEqual(self.differences(SMALL, compiled, 0), 0)

    def test_a_rank_that_does_not_come_is_named(self):
        compiled = self.compile(SMALL, "--debug-sync=200")
        generator = np.random.default_rng(0)
        inputs = [[[SMALL.draw(generator)] for _ in range(SMALL.ranks)]]
        for absent in (0, 5):
            records = ranks.records(
                self.tools, compiled, self.folder, inputs, absent
            )
            for rank, (gave_up, *others) in enumerate(records):
                came = rank != absent
                self.assertEqual(gave_up, came)
                self.assertEqual(others[AFTER_RANK - 1], came and absent + 1)


class RefusalTest(RanksTest):
    def test_one_rank_cannot_run(self):
        compiled = self.compile(SMALL)
        with self.assertRaisesRegex(Unsupported, "other ranks"):
            emulator.run(self.tools, compiled, self.folder, [], 0)


if __name__ == "__main__":
    unittest.main()
