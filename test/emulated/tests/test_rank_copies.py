"""Ranks that run at once get exactly what others give them in an all-gather and
an all-to-all."""

import dataclasses
import unittest

import numpy as np

from emulated import elements, emulator, ranks
from emulated.tests import support

RUNS = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """An op of `ranks` ranks on a tensor of `shape`; an all-gather if `split`
    is None."""

    shape: tuple
    dtype: str
    ranks: int
    concat: int
    split: int | None = None

    @property
    def text(self):
        given = "x".join(map(str, self.shape))
        shape = list(self.shape)
        shape[self.concat] *= self.ranks
        name, dims = "all_gather", f"dim {self.concat}"
        if self.split is not None:
            shape[self.split] //= self.ranks
            name = "all_to_all"
            dims = f"split_dim {self.split} concat_dim {self.concat}"
        got = "x".join(map(str, shape))
        return (
            f"func.func @f(%x: tensor<{given}x{self.dtype}>) "
            f"-> tensor<{got}x{self.dtype}> {{\n"
            f"%0 = collective.{name} %x ranks {self.ranks} {dims} channel 0 : "
            f"tensor<{given}x{self.dtype}> -> tensor<{got}x{self.dtype}>\n"
            f"return %0 : tensor<{got}x{self.dtype}>\n}}\n"
        )

    def draw(self, generator):
        """Words of any bits; some are 0, and some have all bits set."""
        dtype = elements.array_type(self.dtype)
        size = int(np.prod(self.shape)) * dtype.itemsize
        words = generator.integers(2**32, size=-(-size // 4), dtype=np.uint32)
        chance = generator.uniform(size=words.size)
        words[chance < 0.3] = 0
        words[chance > 0.7] = 2**32 - 1
        return words.view(np.uint8)[:size].view(dtype).reshape(self.shape)

    def result(self, arrays, rank):
        if self.split is not None:
            arrays = [
                np.split(array, self.ranks, self.split)[rank]
                for array in arrays
            ]
        return np.concatenate(arrays, self.concat)


CASES = {
    "gathered rows": Case((3, 40), "bf16", 4, concat=0),
    "gathered columns": Case((5, 24), "i32", 3, concat=1),
    "rows for rows": Case((8, 200), "bf16", 4, concat=0, split=0),
    "heads for tokens": Case((6, 16, 64), "f16", 2, concat=0, split=1),
    "tokens for heads": Case((16, 4, 24), "f32", 8, concat=1, split=0),
    "single elements": Case((4, 6, 3), "f32", 2, concat=2, split=1),
    "words with all bits": Case((12, 10), "i64", 3, concat=1, split=0),
    "two bytes in a word": Case((12, 3, 2), "i8", 3, concat=2, split=0),
    "bytes": Case((10, 33), "i8", 5, concat=1, split=0),
    "much": Case((64, 4096), "bf16", 2, concat=1, split=0),
}


def is_nan(array, dtype):
    if dtype.startswith("i"):
        return np.zeros(array.shape, bool)
    return np.isnan(elements.decode(array, dtype))


class CopyTest(support.ToolsTest):
    def check(self, case, seed):
        source = self.folder / "program.mlir"
        source.write_text(case.text)
        compiled = emulator.compile(self.tools, source, ["--target=h200"])
        generator = np.random.default_rng(seed)
        inputs = [
            [[case.draw(generator)] for _ in range(case.ranks)]
            for _ in range(RUNS)
        ]
        results = ranks.run(self.tools, compiled, self.folder, inputs, seed)
        for given, got in zip(inputs, results, strict=True):
            arrays = [array for (array,) in given]
            for rank, (array,) in enumerate(got):
                wanted = case.result(arrays, rank)
                nan = is_nan(wanted, case.dtype)
                # A NaN may become another one.
                np.testing.assert_array_equal(is_nan(array, case.dtype), nan)
                kind = f"u{array.itemsize}"
                np.testing.assert_array_equal(
                    array.view(kind)[~nan], wanted.view(kind)[~nan]
                )

    def test_copies(self):
        for seed, (name, case) in enumerate(CASES.items()):
            with self.subTest(name):
                self.check(case, seed)


if __name__ == "__main__":
    unittest.main()
