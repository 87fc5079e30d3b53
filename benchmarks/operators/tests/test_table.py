"""Reading the table."""

import pathlib
import tempfile
import unittest

from errors import UserError

from operators import table
from operators.tests import support

_HEAD = "network,level,name,kind,ops,inputs,outputs\n"


class TableTest(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "table.csv"
            path.write_text(text)
            return table.read(path)

    def refusal(self, text):
        with self.assertRaises(UserError) as caught:
            self.read(text)
        return str(caught.exception).split("table.csv")[1]

    def test_reads_rows(self):
        (row,) = self.read(
            _HEAD + 'net,level0,F-1,fill,A+B,,"int32[85, 7];bool[1]"\n'
        )
        self.assertEqual(row.label, "net_level0_F_1")
        self.assertEqual(row.ops, ("A", "B"))
        self.assertEqual(row.inputs, ())
        self.assertEqual(
            row.outputs,
            (table.Tensor("int32", (85, 7)), table.Tensor("bool", (1,))),
        )
        self.assertEqual(str(row.outputs[0]), "int32[85, 7]")

    def test_refuses_what_is_no_table(self):
        self.assertEqual(
            self.refusal("name,ops\n"),
            ": the columns are not " + ",".join(table.COLUMNS),
        )
        self.assertEqual(self.refusal(_HEAD + "a,b\n"), ":2: not 7 columns")
        self.assertEqual(
            self.refusal(_HEAD + "n,l,f,k,A,,float32\n"),
            ":2: 'float32' is no tensor such as float32[32, 7]",
        )
        self.assertIn(
            ":2: unknown element type 'float8'",
            self.refusal(_HEAD + "n,l,f,k,A,,float8[1]\n"),
        )
        self.assertEqual(
            self.refusal(_HEAD + "n,l,f,k,A,,bool[0]\n"),
            ":2: 'bool[0]' has no elements",
        )
        row = "n,l,f,k,A,,bool[1]\n"
        self.assertEqual(
            self.refusal(_HEAD + row + row),
            ":3: the same network, level and name as in line 2",
        )

    def test_the_sample_has_every_operator(self):
        from operators import semantics

        ops = {op for row in support.sample().values() for op in row.ops}
        self.assertEqual(set(semantics.KNOWN) - ops, set())


if __name__ == "__main__":
    unittest.main()
