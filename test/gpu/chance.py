"""Cases from a seed: graphs of products with ragged extents, any epilogues, and
tilings that differ from product to product."""

import random

from .cases import TILE_ROWS, make_case
from .ir import ACTIVATIONS, Function, Tiling

# Registers for accumulators in a block with 1, 2 or 3 consumer warpgroups; see
# docs/HopperKernels.md.
ACCUMULATORS = {1: 184, 2: 200, 3: 128}
WARPGROUPS = {64: 1, 128: 2, 192: 3, 256: 2}


class Generator:
    """One function. It must compile: whatever is refused is a bug, here or
    there."""

    def __init__(self, chance):
        self.chance = chance
        self.f = Function()
        self.dtype = chance.choice(["f16", "f16", "bf16"])
        self.batch = (chance.randint(2, 5),) if chance.random() < 0.25 else ()
        self.tile_rows = None
        if chance.random() < 0.6:
            self.tile_rows = chance.sample(TILE_ROWS, chance.randint(1, 2))
        self.produced = []
        self.used = set()

    def extent(self, largest, multiple=1):
        return multiple * self.chance.randint(1, largest // multiple)

    def tiling(self, products):
        """A tiling that fits into blocks for all tile shapes of the chain, or
        none, for the compiler to choose."""
        if not self.tile_rows:
            return None
        m = self.chance.choice(self.tile_rows)
        warpgroups = max(WARPGROUPS[rows] for rows in self.tile_rows)
        row_blocks = 2 if m == 256 else 1
        # In mode serial, a block is only as large as this product needs.
        accumulators = min(
            ACCUMULATORS[warpgroups], ACCUMULATORS[WARPGROUPS[m]]
        )
        columns = 2 * accumulators // (row_blocks * products)
        columns = min(columns, 192 if warpgroups == 3 else 256)
        if m == 256:
            columns = min(columns, 192)
        if self.chance.random() < 0.3:
            return Tiling(
                8 * self.chance.randint(1, columns // 8),
                m,
                stages=self.chance.randint(2, 3),
                swap_ab=True,
            )
        return Tiling(
            m,
            16 * self.chance.randint(1, columns // 16),
            stages=self.chance.randint(2, 3),
        )

    def pick_lhs(self):
        """A factor, and whether it is stored transposed."""
        factors = [v for v in self.produced if v.dtype == self.dtype]
        if factors and self.chance.random() < 0.85:
            value = self.chance.choice(factors)
            self.used.add(value)
            return value, self.chance.random() < 0.25
        transposed = self.chance.random() < 0.25
        rows, columns = self.extent(700), self.extent(400, 8)
        return self.f.input(
            *self.batch, rows, columns, dtype=self.dtype
        ), transposed

    def pick_rhs(self, k):
        """A factor with K of `k`, and whether it is stored transposed."""
        factors = []
        for value in self.produced:
            rows, columns = value.shape[-2:]
            if value.dtype != self.dtype:
                continue
            if rows == k:
                factors.append((value, False))
            # The result's rows must start at multiples of 16 bytes.
            if columns == k and rows % 8 == 0:
                factors.append((value, True))
        if factors and self.chance.random() < 0.4:
            value, transposed = self.chance.choice(factors)
            self.used.add(value)
            return value, transposed
        # What is stored transposed has K last.
        transposed = k % 8 == 0 and self.chance.random() < 0.4
        n = self.extent(640, 8)
        batch = self.batch if self.chance.random() < 0.6 else ()
        shape = (n, k) if transposed else (k, n)
        return self.f.input(*batch, *shape, dtype=self.dtype), transposed

    def add_product(self):
        f, chance = self.f, self.chance
        lhs, transpose_lhs = self.pick_lhs()
        k = lhs.shape[-2 if transpose_lhs else -1]
        rhs, transpose_rhs = self.pick_rhs(k)
        gated = chance.random() < 0.2
        options = {
            "transpose_lhs": transpose_lhs,
            "transpose_rhs": transpose_rhs,
            "tiling": self.tiling(2 if gated else 1),
        }
        operands = [f.product(lhs, rhs, **options)]
        if gated:
            other = f.input(*rhs.shape, dtype=self.dtype)
            operands.append(f.product(lhs, other, **options))
        shape = operands[0].shape
        if chance.random() < 0.4:
            operands.append(
                (
                    f.input(
                        shape[-1], dtype=chance.choice([self.dtype, "f32"])
                    ),
                    "n",
                )
            )
        if chance.random() < 0.15:
            operands.append((f.input(shape[-2], dtype=self.dtype), "m"))
        same = [value for value in self.produced if value.shape == shape]
        if same and chance.random() < 0.7:
            residual = chance.choice(same)
            self.used.add(residual)
            operands.append(residual)
        elif chance.random() < 0.2:
            operands.append(f.input(*shape, dtype=self.dtype))
        activation = chance.choice((None, *ACTIVATIONS))

        def compute(scalars, value, *others):
            others = list(others)
            if gated:
                value = scalars.mul(scalars.silu(value), others.pop(0))
            if activation:
                value = getattr(scalars, activation)(value)
            for other in others:
                value = scalars.add(value, other)
            return value

        swaps = options["tiling"] and options["tiling"].swap_ab
        dtype = "f32" if chance.random() < 0.15 and not swaps else self.dtype
        self.produced.append(f.elementwise(operands, dtype, compute))

    def run(self):
        for _ in range(self.chance.choice([1, 2, 2, 3, 3, 4])):
            self.add_product()
        for value in self.produced:
            if value not in self.used or self.chance.random() < 0.15:
                self.f.result(value)
        return self.f


def random_cases(count, seed):
    """Case i of a seed is the same whatever the count."""
    for i in range(count):
        chance = random.Random(f"{seed}:{i}")
        yield make_case(f"random/{seed}-{i}", Generator(chance).run())
