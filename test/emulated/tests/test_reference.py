"""Elements that an op does not write stay as they were, in the reference, too.

Upstream takes an output that no body reads for one that is written as a whole,
and gives it new memory if what was there is read later.
"""

import unittest

import numpy as np

from emulated import cpu, elements, emulator, reference
from emulated.program import Program, loops
from emulated.tests import support

# The loop is over 3 elements.
PARTS = {
    "stride": (["d0 * 2"], (7,), np.s_[0:6:2]),
    "offset": (["d0 + 2"], (7,), np.s_[2:5]),
    "diagonal": (["d0", "d0"], (3, 3), (range(3), range(3))),
}


class PartialWriteTest(support.ToolsTest):
    def check(self, kind, run):
        output_map, shape, part = PARTS[kind]
        for dtype in ("i16", "f32"):
            generator = np.random.default_rng(1)
            inputs = [
                elements.draw(generator, shape, dtype)
                for shape in ((3,), shape)
            ]
            written = inputs[1].copy()
            written[part] = inputs[0]
            with self.subTest(kind=kind, dtype=dtype):
                actual = run(
                    lambda explicit: self.program(
                        output_map, shape, dtype, explicit
                    ),
                    inputs,
                )
                for got, want in zip(
                    actual, (written, -inputs[1]), strict=True
                ):
                    np.testing.assert_array_equal(got, want)

    def program(self, output_map, shape, dtype, explicit):
        """Writes a part of an argument that is read afterwards, too."""
        program = Program(limit=100, explicit=explicit)
        x, to = (program.argument(each, dtype) for each in ((3,), shape))
        (written,) = program.generic(
            [x], [loops(1)], [to], output_map, [False], lambda body, a, old: a
        )
        subtract = f"arith.sub{'i' if dtype in elements.INTEGERS else 'f'}"
        (negated,) = program.generic(
            [to],
            [loops(to.rank)],
            [program.empty(shape, dtype)],
            loops(to.rank),
            [False] * to.rank,
            lambda body, a, _: body.let(
                f"{subtract} {body.constant(0, dtype)}, {a} : {dtype}"
            ),
        )
        program.results = [written, negated]
        return program

    def write(self, program):
        source = self.folder / "program.mlir"
        source.write_text(program.text)
        return source

    def on_reference(self, make, inputs):
        program = make(explicit=True)
        return reference.run(self.tools, self.write(program), program, inputs)

    def on_cpu(self, make, inputs):
        return cpu.run(
            self.tools, self.write(make(explicit=False)), self.folder, inputs
        )

    def on_gpu(self, make, inputs):
        compiled = emulator.compile(
            self.tools, self.write(make(explicit=False)), ["--target=h200"]
        )
        return emulator.run(self.tools, compiled, self.folder, inputs, seed=1)

    def test_in_the_reference(self):
        for kind in PARTS:
            self.check(kind, self.on_reference)

    def test_on_the_cpu_and_gpus(self):
        # Grout refuses diagonals.
        for kind in ("stride", "offset"):
            self.check(kind, self.on_cpu)
            self.check(kind, self.on_gpu)


if __name__ == "__main__":
    unittest.main()
