"""Graphs that rows get."""

import unittest

from operators import rebuild, semantics
from operators.graph import Constant
from operators.tests import support


def graph(ops, inputs, outputs, name="row"):
    return rebuild.rebuild(support.row(ops, inputs, outputs, name))


def nodes(built):
    return [
        str(line).split(" = ")[1]
        for line in str(built).splitlines()
        if " = " in line and not line.endswith("input")
    ]


class RuleTest(unittest.TestCase):
    def test_every_graph_has_what_its_row_has(self):
        for name, row in support.sample().items():
            if name in support.REFUSED:
                continue
            with self.subTest(name):
                built = rebuild.rebuild(row)
                stores = [op for op in row.ops if op in semantics.STORE]
                self.assertEqual(
                    [node.op for node in built.nodes],
                    [op for op in row.ops if op not in stores],
                )
                self.assertEqual(len(built.stores), len(stores))
                self.assertEqual(built.inputs, row.inputs)
                self.assertEqual(
                    tuple(map(built.type, built.outputs)), row.outputs
                )
                used = {store.target for store in built.stores}
                used.update(store.value for store in built.stores)
                used.update(built.outputs)
                for value, count in enumerate(built.uses()):
                    self.assertTrue(count or value in used, value)
                for value, node in enumerate(built.nodes, len(row.inputs)):
                    for operand in node.operands:
                        if not isinstance(operand, Constant):
                            self.assertLess(operand, value)

    def test_refusals(self):
        rows = support.sample()
        for name, reason in support.REFUSED.items():
            with (
                self.subTest(name),
                self.assertRaises(rebuild.CannotRebuild) as caught,
            ):
                rebuild.rebuild(rows[name])
            self.assertEqual(str(caught.exception), reason)

    def test_a_channel_bias_is_reshaped(self):
        built = graph(
            "Reshape+Add",
            "float32[4, 24, 7, 7];float32[24]",
            "float32[4, 24, 7, 7]",
        )
        self.assertEqual(nodes(built), ["Reshape(%1)", "Add(%0, %2)"])
        self.assertEqual(built.type(2).shape, (24, 1, 1))

    def test_permutations_and_axes_come_from_shapes(self):
        built = graph(
            "Transpose+ReduceSum", "float32[2, 24, 7, 9]", "float32[2, 7, 9, 1]"
        )
        self.assertEqual(
            nodes(built),
            [
                "Transpose(%0) permutation (0, 2, 3, 1)",
                "ReduceSum(%1) axes (3,)",
            ],
        )

    def test_heads(self):
        built = graph(
            "Reshape+Transpose", "float32[10, 84]", "float32[2, 12, 5, 7]"
        )
        self.assertEqual(built.type(1).shape, (2, 5, 12, 7))
        self.assertEqual(
            built.node(2).attributes, {"permutation": (0, 2, 1, 3)}
        )

    def test_what_is_summed_may_be_a_square(self):
        built = graph("Mul+ReduceSum", "float32[15]", "float32[1]")
        self.assertEqual(nodes(built)[0], "Mul(%0, %0)")

    def test_missing_operands_are_constants(self):
        built = graph("Mul+Add", "float32[7];float32[7]", "float32[7]")
        self.assertEqual(nodes(built), ["Mul(%0, 0.5)", "Add(%1, %2)"])
        self.assertEqual(
            nodes(graph("Mul", "int32[7]", "int32[7]")), ["Mul(%0, 1)"]
        )

    def test_a_store_that_is_an_output(self):
        built = graph(
            "ReduceSum+InplaceAssign", "float32[9, 7];float32[7]", "float32[7]"
        )
        self.assertEqual(
            [(store.target, store.value) for store in built.stores], [(1, 2)]
        )
        self.assertEqual(built.results, (2,))
        self.assertEqual(built.accumulated(), {2: 1})

    def test_a_store_that_is_none_is_a_result_too(self):
        built = graph(
            "Mul+Mul+ReduceSum+InplaceAssign",
            "float32[15, 77];float32[1];float32[1, 1]",
            "float32[15, 77]",
        )
        (store,) = built.stores
        self.assertEqual(
            (store.target, built.type(store.value).shape), (2, (1, 1))
        )
        self.assertEqual(built.results, (*built.outputs, store.value))

    def test_fills_that_are_outputs_are_zero(self):
        self.assertEqual(
            nodes(graph("BroadcastTo", "", "float32[7]")), ["BroadcastTo(0)"]
        )
        self.assertEqual(
            nodes(graph("BroadcastTo+RealDiv", "float32[7]", "float32[7]"))[0],
            "BroadcastTo(1)",
        )

    def test_parallel_rows_are_split(self):
        ops, inputs = "Mul+Add+Mul+Add", ";".join(["float32[7]"] * 4)
        built = graph(ops, inputs, "float32[7];float32[7]", "f_parallel_1")
        self.assertEqual(
            nodes(built),
            ["Mul(%0, 0.5)", "Add(%1, %4)", "Mul(%2, 0.5)", "Add(%3, %6)"],
        )
        self.assertEqual(built.outputs, (5, 7))

    def test_names_say_how_long_parts_are(self):
        row = (
            "Mul+Add+Mul",
            ";".join(["float32[7]"] * 3),
            "float32[7];float32[7]",
        )
        for name, outputs in (
            ("Fused_Mul_Add_split_Mul_split", (4, 5)),
            ("Fused_Mul_split_Add_Mul_split", (3, 5)),
        ):
            built = graph(*row, f"{name}_parallel_1")
            self.assertEqual(built.outputs, outputs)
            # Nothing of the second part takes the first part's result.
            self.assertEqual(built.uses()[outputs[0]], 0)


if __name__ == "__main__":
    unittest.main()
