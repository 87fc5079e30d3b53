"""What is wrong with a kernel is reported, and what is not emulated refused."""

import dataclasses
import random
import re
import unittest

import numpy as np

from emulated import (
    checking,
    comparison,
    elements,
    emulator,
    kernels,
    native,
    plan,
    random_programs,
    reference,
)
from emulated.isolation import Failure
from emulated.plan import Unsupported
from emulated.program import Program, loops
from emulated.tests import support

BARRIER = r" *call void @llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(.*\n"


def sums():
    """Of long rows, which are more than a warp's."""
    program = Program(limit=3 * 8200)
    rows = program.argument((3, 8200), "f32")
    program.results = program.generic(
        [rows],
        [loops(2)],
        [program.filled((3,), "f32", 0)],
        ["d0"],
        [False, True],
        lambda body, a, sum_: body.let(f"arith.addf {sum_}, {a} : f32"),
    )
    return program


class MutationTest(support.ToolsTest):
    def setUp(self):
        super().setUp()
        self.program = sums()
        source = self.folder / "program.mlir"
        source.write_text(self.program.text)
        self.inputs = checking.inputs_of(self.program, 0)
        self.expected = reference.run(
            self.tools, source, self.program, self.inputs
        )
        self.compiled = emulator.compile(self.tools, source, ["--target=h200"])

    def differences(self, pattern=None, replacement="", count=0, seed=1):
        """Where `pattern` is another text, in the order of threads of a seed."""
        compiled = self.compiled
        if pattern:
            changed, times = re.subn(
                pattern, replacement, compiled.assembly, count=count
            )
            self.assertGreater(times, 0, compiled.assembly)
            compiled = dataclasses.replace(compiled, assembly=changed)
        return comparison.differences(
            self.program,
            emulator.run(self.tools, compiled, self.folder, self.inputs, seed),
            self.expected,
        )

    def test_nothing_is_changed(self):
        self.assertEqual(self.differences(), [])

    def test_barriers_are_missing(self):
        # Some orders of warps do without.
        wrong = [
            difference
            for seed in range(20)
            for difference in self.differences(BARRIER, seed=seed)
        ]
        self.assertTrue(wrong)
        for difference in wrong:
            self.assertRegex(
                difference, r"result 0, tensor<3xf32>: \d of 3 differ"
            )

    def test_a_barrier_is_of_some_threads(self):
        for threads, reason in (
            (31, "more threads than it is for"),
            (2048, "deadlock"),
        ):

            def counted(found, threads=threads):
                if found[2] is None:
                    return f"{found[1]}.count(i32, i32)"
                return f"{found[1]}.count(i32{found[2]}, i32 {threads})"

            with self.assertRaisesRegex(Failure, reason):
                self.differences(
                    r"(barrier\.cta\.sync\.aligned)\.all\(i32( \d+)?\)", counted
                )

    def test_an_operation_is_another(self):
        self.assertTrue(self.differences(r"= fadd ", "= fsub ", count=1))

    def test_a_shuffle_is_with_itself(self):
        self.assertTrue(
            self.differences(
                r"(shfl\.sync\.bfly\.i32\(i32 -1, i32 %\d+, i32) 1,", r"\1 0,"
            )
        )

    def test_a_shuffle_is_of_a_part(self):
        with self.assertRaisesRegex(Failure, "not of a whole warp"):
            self.differences(r"(shfl\.sync\.bfly\.i32\(i32) -1,", r"\1 255,")

    def test_a_store_is_behind_the_buffer(self):
        store = r"store (float|<\d+ x float>) (\S+), ptr addrspace\(1\) (\S+),"
        for offset, reason in (
            (4, r"written behind %\w+"),
            (4096, "ended with -11"),
        ):
            with self.assertRaisesRegex(Failure, reason):
                self.differences(
                    store,
                    rf"%beyond = getelementptr i8, "
                    rf"ptr addrspace(1) \3, i64 {offset}\n"
                    r"  store \1 \2, ptr addrspace(1) %beyond,",
                )

    def test_an_input_is_written(self):
        _, array = self.compiled.plan.launches[0].arguments
        launch = dataclasses.replace(
            self.compiled.plan.launches[0], arguments=(array, array)
        )
        self.compiled = dataclasses.replace(
            self.compiled,
            plan=dataclasses.replace(self.compiled.plan, launches=(launch,)),
        )
        with self.assertRaisesRegex(Failure, r"the input %\w+ changed"):
            self.differences()


class ComparisonTest(unittest.TestCase):
    def test_what_is_not_near_differs(self):
        program = sums()
        want = np.array([1, 2, np.nan], np.float32)
        for got, wrong in (
            ([1.0001, 2, np.nan], 0),
            ([1.01, 2, np.nan], 1),
            ([1, np.nan, np.nan], 1),
            ([1, 2, 3], 1),
        ):
            lines = comparison.differences(
                program, [np.array(got, np.float32)], [want]
            )
            self.assertEqual(len(lines), wrong, lines)

    def test_the_narrowest_type_says_how_near(self):
        for other, wrong in (("f32", 1), ("bf16", 0), ("f64", 1)):
            program = Program(limit=4)
            program.results = [
                program.argument((1,), "f32"),
                program.argument((), other),
            ]
            arrays = [
                np.ones(1, np.float32),
                np.ones((), elements.array_type(other)),
            ]
            near = [np.float32([1.01]), arrays[1]]
            lines = comparison.differences(program, near, arrays)
            self.assertEqual(len(lines), wrong, lines)


class RefusalTest(unittest.TestCase):
    def test_instructions(self):
        for line in (
            "  %1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %0, "
            "i32 1, i32 31)",
            "  call void @llvm.nvvm.cp.async.wait.all()",
            "  %1 = call ptr addrspace(7) @llvm.nvvm.mapa(ptr %0, i32 1)",
            '  call void asm sideeffect "barrier.cluster.arrive;", ""()',
            '  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()',
            "  %1 = atomicrmw add ptr %0, i32 1 monotonic, align 4",
            "  fence acq_rel",
            "@shared = external addrspace(3) global [0 x i8]",
        ):
            with self.assertRaises(Unsupported) as caught:
                kernels.translate(line)
            self.assertEqual(str(caught.exception), line.strip())

    def test_parameters(self):
        with self.assertRaisesRegex(Unsupported, "i64 %1"):
            kernels.translate("define ptx_kernel void @f(ptr %0, i64 %1) {\n}")

    def test_launches(self):
        text = (
            "module {{\n  launch.plan @f inputs 1 {{\n"
            "  ^bb0(%arg0: memref<4xf32>):\n    {}\n  }}\n}}\n"
        )
        kernel = (
            '%0 = launch.kernel "f" @fs [@f](%arg0) writes [0] args '
            "[#launch.arg<{}, operand = 0>] grids [[1]] {{{}}} : "
            "memref<4xf32>"
        )
        parsed = plan.parse(
            text.format(
                kernel.format(
                    "buffer", "block = 64 : i64, parts = array<i64: 1, 1>"
                )
            )
        )
        self.assertEqual(
            parsed.launches,
            (plan.Launch("f", (("%arg0", 0),), 1, 64, "%0", ()),),
        )
        early = kernel.format("buffer", "block = 64 : i64").replace(
            " args", " after programmatic(%1), full(%2) early [0] branch 3 args"
        )
        self.assertEqual(
            plan.parse(text.format(early)).launches,
            (
                dataclasses.replace(
                    parsed.launches[0], after=("%1", "%2"), branch=3
                ),
            ),
        )
        for line, reason in (
            (
                kernel.format("buffer", "block = 64 : i64, cluster = 2 : i64"),
                "^launch.kernel with cluster$",
            ),
            (
                kernel.format("tensor_map", "block = 64 : i64"),
                "^#launch.arg<tensor_map, operand = 0>$",
            ),
            ("launch.fill %arg0", "^launch.fill %arg0$"),
        ):
            with self.assertRaisesRegex(Unsupported, reason):
                plan.parse(text.format(line))


class OrderTest(unittest.TestCase):
    def orders(self, **changes):
        """All that are drawn of launches of which b and c need a, and d both; c
        is on a branch of its own. `changes` are of d."""

        def launch(name, after, branch=0):
            return plan.Launch(name, (), 1, 32, name, after, branch)

        last = dataclasses.replace(launch("d", ("b", "c")), **changes)
        launches = (
            launch("a", ()),
            launch("b", ("a",)),
            launch("c", ("a",), 1),
            last,
        )
        chosen = plan.Plan((), (), (), launches)
        return {
            "".join(one.kernel for one in chosen.order(random.Random(seed)))
            for seed in range(50)
        }

    def test_edges_and_branches_are_kept(self):
        self.assertEqual(self.orders(), {"abcd", "acbd"})

    def test_a_lost_edge_shows(self):
        self.assertEqual(self.orders(after=("b",)), {"abcd", "acbd", "abdc"})
        self.assertIn("adbc", self.orders(after=("a",), branch=2))


class ProductTest(support.ToolsTest):
    def test_is_refused(self):
        product = self.folder / "product.mlir"
        product.write_text("""
func.func @f(%a: tensor<256x128xf16>, %b: tensor<128x256xf16>,
             %c: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<256x128xf16>, tensor<128x256xf16>)
                     outs(%c : tensor<256x256xf16>) -> tensor<256x256xf16>
  return %r : tensor<256x256xf16>
}
""")
        with self.assertRaisesRegex(Unsupported, "launch"):
            emulator.compile(self.tools, product, ["--target=h200"])


class PlacesTest(support.ToolsTest):
    def runs(self, seed, move):
        """What a random program gives, with the buffers that `move` makes of
        its own."""
        program = random_programs.make(seed)
        source = self.folder / "program.mlir"
        source.write_text(program.text)
        compiled = emulator.compile(self.tools, source, ["--target=h200"])
        moved = dataclasses.replace(
            compiled.plan,
            buffers=tuple(move(buffer) for buffer in compiled.plan.buffers),
        )
        return [
            array.tobytes()
            for array in emulator.run(
                self.tools,
                dataclasses.replace(compiled, plan=moved),
                self.folder,
                checking.inputs_of(program, seed),
                seed,
            )
        ]

    def test_a_place_that_is_still_used_is_taken(self):
        def is_changed(seed):
            try:
                return self.runs(seed, lambda buffer: buffer) != self.runs(
                    seed,
                    lambda buffer: (
                        buffer
                        if buffer.place is None
                        else dataclasses.replace(buffer, place=0, output=None)
                    ),
                )
            except (native.Refused, Unsupported):
                return False

        self.assertTrue(any(is_changed(seed) for seed in range(40)))

    def test_an_output_that_is_still_to_be_read_is_taken(self):
        """Buffers are moved into outputs that launches write before the last
        use of the buffer."""

        def is_changed(seed):
            program = random_programs.make(seed)
            source = self.folder / "program.mlir"
            source.write_text(program.text)
            try:
                output = emulator.compile(
                    self.tools, source, ["--target=h200"]
                ).plan.outputs[0]
                return self.runs(seed, lambda buffer: buffer) != self.runs(
                    seed,
                    lambda buffer: (
                        buffer
                        if buffer.place is None
                        else dataclasses.replace(
                            buffer, place=0, output=output.name
                        )
                    ),
                )
            except (native.Refused, Unsupported):
                return False

        self.assertTrue(any(is_changed(seed) for seed in range(40)))


if __name__ == "__main__":
    unittest.main()
