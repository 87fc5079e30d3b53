"""memory.py without a GPU."""

import contextlib
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import workers
from memory_bound import cases, command, manifest, report, torch_compile
from memory_bound.ir import Function
from memory_bound.operators import all_operators
from operators import table

from tests.support import BENCHMARKS

TABLE = BENCHMARKS / "operators" / "tests" / "sample.csv"

# Stands for grout-compile, and writes its options: refuses to do without a tree,
# and AKG's tree of transposes, and takes long for that of a softmax.
COMPILER = """\
#!/bin/sh
while [ "$1" != -o ]; do options="$options $1"; shift; done
case "$options" in
  *--scop-tree=none*) echo "x:1:2: error: no schedule" >&2; exit 1;;
  *softmax-160*--scop-tree=akg*) exec sleep 60;;
  *permute*--scop-tree=akg*) echo "x:1:2: error: no tree" >&2; exit 1;;
esac
echo "$options" >"$2"
"""


def call(*arguments):
    """Exit status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command.main(list(map(str, arguments)))
    return status, out.getvalue(), err.getvalue()


def row(name, group="named", megabytes=1.0, **variants):
    """Numbers are microseconds, text is why something is wrong."""
    return {
        "name": name,
        "group": group,
        "bytes": int(megabytes * 1e6),
        "variants": {
            key.replace("_", "."): value
            if isinstance(value, dict)
            else {"us": value}
            for key, value in variants.items()
        },
    }


class Operators(unittest.TestCase):
    def test_names_are_distinct_and_plain(self):
        names = [operator.name for operator in all_operators()]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, r"^[a-z0-9-]+$")

    def test_bytes_count_arguments_and_results(self):
        sizes = {operator.name: operator.bytes for operator in all_operators()}
        self.assertEqual(sizes["add-n-4096x768-f16"], 5 * 4096 * 768 * 2)
        self.assertEqual(sizes["sum-4096x1024-1-f32"], (4096 * 1024 + 4096) * 4)

    def test_permutations_index_the_argument(self):
        operator = next(
            operator
            for operator in all_operators()
            if operator.name.startswith("permute-32x3x224x224")
        )
        self.assertEqual(operator.results, (((32, 224, 224, 3), "f32"),))
        self.assertIn(
            "affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>", operator.ir
        )


class Text(unittest.TestCase):
    def test_reductions_begin_with_what_is_filled(self):
        function = Function([("x", (4, 8), "f32")])
        function.fill("zero", (4,), "f32", "0.0")
        function.compute(
            ["sum"],
            [("x", ["d0", "d1"])],
            ["f32"],
            "linalg.yield %o0 : f32",
            (4, 8),
            start="zero",
            reduced=[1],
        )
        text = function.text(["sum"])
        self.assertIn('iterator_types = ["parallel", "reduction"]', text)
        self.assertIn("outs(%zero : tensor<4xf32>)", text)
        self.assertIn("return %sum : tensor<4xf32>", text)


class Rows(unittest.TestCase):
    def draw(self, count, seed):
        return [
            case.name for case in cases.draw(table.read(TABLE), count, seed)
        ]

    def test_the_seed_decides(self):
        self.assertEqual(self.draw(10, 1), self.draw(10, 1))
        self.assertNotEqual(self.draw(10, 1), self.draw(10, 2))
        self.assertEqual(self.draw(10, 1)[:4], self.draw(4, 1))

    def test_all_that_can_be_rebuilt_are_drawn(self):
        names = self.draw(1000, 0)
        self.assertEqual(len(names), 38)
        self.assertEqual(len(set(names)), 38)
        self.assertNotIn("sample_level0_Product16", names)

    def test_a_row_is_what_its_description_says(self):
        for case in cases.draw(table.read(TABLE), 1000, 0):
            text = json.loads(json.dumps(case.describe()))
            other = cases.from_description(case.name, case.group, text)
            self.assertEqual((other.ir, other.bytes), (case.ir, case.bytes))

    def test_bytes_count_arguments_and_results(self):
        sizes = {
            case.name: case.bytes
            for case in cases.draw(table.read(TABLE), 1000, 0)
        }
        self.assertEqual(
            sizes["sample_level0_HalfBias"], 85 * 4 + 2 * 6 * 85 * 2
        )
        self.assertEqual(sizes["sample_level0_Reached"], 4 + 4 + 1)


class Compile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "build" / "bin" / "grout-compile"
        program.parent.mkdir(parents=True)
        program.write_text(COMPILER)
        program.chmod(0o755)
        self.out = self.folder / "out"

    def compile(self, *arguments):
        return call(
            "compile",
            "--build",
            self.folder / "build",
            "--out",
            self.out,
            *arguments,
        )

    def test_each_is_compiled_in_every_variant(self):
        status, out, err = self.compile("--filter", "^permute-512|^sum-64")
        self.assertEqual((status, err), (0, ""))
        self.assertIn(
            "permute-512x512x3x3-0231-f32; none refused: no "
            "schedule; akg refused: no tree; none-tree refused: no "
            "schedule; akg-tree refused: no tree\n",
            out,
        )
        self.assertIn("4 artifacts of 10, ", out)
        entries = {
            case.name: variants for case, variants in manifest.load(self.out)
        }
        self.assertEqual(
            entries["permute-512x512x3x3-0231-f32"],
            {
                "auto": {"artifact": "permute-512x512x3x3-0231-f32-auto.grout"},
                "none": {"refused": "no schedule"},
                "akg": {"refused": "no tree"},
                "none-tree": {"refused": "no schedule"},
                "akg-tree": {"refused": "no tree"},
            },
        )
        self.assertIn(
            " --scop-tree=akg",
            (self.out / "sum-64x512x768-1-f32-akg.grout").read_text(),
        )
        self.assertIn(
            " --scop-restructure=always",
            (self.out / "sum-64x512x768-1-f32-akg-tree.grout").read_text(),
        )
        self.assertNotIn(
            "--scop", (self.out / "sum-64x512x768-1-f32-auto.grout").read_text()
        )

    def test_rows_are_beside_named_ones_or_alone(self):
        status, _, err = self.compile(
            "--table", TABLE, "--rows", 3, "--variants", "auto"
        )
        self.assertEqual((status, err), (0, ""))
        groups = [case.group for case, _ in manifest.load(self.out)]
        self.assertEqual(
            groups, ["named"] * len(all_operators()) + ["table"] * 3
        )
        self.compile(
            "--table", TABLE, "--rows", 3, "--variants", "none", "--no-named"
        )
        entries = manifest.load(self.out)
        self.assertEqual([case.group for case, _ in entries], ["table"] * 3)
        self.assertEqual(
            [list(variants) for _, variants in entries], [["none"]] * 3
        )

    def test_what_takes_too_long_is_refused(self):
        status, out, _ = self.compile(
            "--filter", "softmax-160", "--variants", "auto,akg", "--seconds", 2
        )
        self.assertEqual(status, 0)
        self.assertIn("akg refused: took more than 2 s\n", out)

    def test_what_is_not_there_is_an_error(self):
        for arguments, message in (
            (
                ["--filter", "no-such"],
                "no operator has a name that matches 'no-such'",
            ),
            (["--table", "none.csv"], "there is no file none.csv"),
            (["--no-named"], "--no-named leaves nothing without --table"),
        ):
            status, _, err = self.compile(*arguments)
            self.assertEqual(status, 1)
            self.assertIn(f"memory.py: error: {message}", err)


class Arguments(unittest.TestCase):
    def refused(self, *arguments):
        errors = io.StringIO()
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(errors):
            command.main(list(arguments))
        return errors.getvalue()

    def test_wrong_ones_are_named(self):
        self.assertIn(
            "'fast' is none of auto, none, akg",
            self.refused("compile", "--variants", "auto,fast"),
        )
        for text in ("0/3", "4/3", "2"):
            self.assertIn(
                f"'{text}' is not such as 1/3",
                self.refused("run", "--shard", text),
            )

    @unittest.skipIf(importlib.util.find_spec("torch"), "there is PyTorch")
    def test_run_needs_pytorch(self):
        status, _, err = call("run", "--out", "none")
        self.assertEqual(status, 1)
        self.assertIn("memory.py: error: run needs PyTorch", err)


class Report(unittest.TestCase):
    ROWS = [
        row(
            "a",
            megabytes=100,
            auto=10.0,
            none=20.0,
            torch_compile=5.0,
            copy=9.0,
        ),
        row(
            "b",
            "table",
            auto=10.0,
            none={"refused": "no schedule"},
            torch_compile=20.0,
            copy=5.0,
        ),
        row(
            "c",
            "table",
            auto={"refused": "no kernel"},
            none=10.0,
            torch_compile={"wrong": "off by 1"},
            copy=1.0,
        ),
    ]

    def test_ratios_are_peer_over_ours(self):
        text = report.document(self.ROWS)
        for line in (
            "| operator | MB | auto, us | none | torch.compile | copy |",
            "| a | 100.0 | 10.0 | 2.00 | 0.50 | 0.90 |",
            "| b | 1.0 | 10.0 | refused | 2.00 | 0.50 |",
            "| c | 1.0 | refused | - | wrong | - |",
            "| all | torch.compile | 2 | 1.00 | 0.50 | 2.00 |",
            "| table | torch.compile | 1 | 2.00 | 2.00 | 2.00 |",
            "| > 64 MB | copy | 1 | 0.90 | 0.90 | 0.90 |",
            "> 64 MB: 1 of 1 at 85% of a copy's speed or more.",
            "| none | no schedule | 1 |",
            "| auto | no kernel | 1 |",
        ):
            self.assertIn(f"{line}\n", text + "\n")
        self.assertIn("|---|---:|---:|---:|---:|---:|\n", text)

    def test_files_are_joined(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("1", "2")]
            for path, rows in zip(paths, (self.ROWS[:2], self.ROWS[2:])):
                path.write_text(json.dumps({"rows": rows}))
            status, out, err = call("report", *paths)
            self.assertEqual(status, 1)
            self.assertEqual(out, report.document(self.ROWS) + "\n")
            self.assertEqual(err, "failed: c torch.compile: off by 1\n")
            self.assertEqual(call("report", paths[0])[::2], (0, ""))
            self.assertIn(
                f"a is in {paths[0]} and in {paths[0]}",
                call("report", paths[0], paths[0])[2],
            )

    def test_a_line_says_how_one_is(self):
        self.assertEqual(
            report.line(self.ROWS[1]),
            "b: 1.0 MB, auto 10.0; none refused, torch.compile 2.00, copy 0.50",
        )


class TorchCompile(unittest.TestCase):
    """What is left out, and why."""

    def peer(self, budget, problem=""):
        lines = []
        peer = torch_compile.Peer(None, budget, lines.append)
        case = cases.named()[0]
        outcomes = [workers.Outcome(case.name, problem=problem)]
        with mock.patch.object(workers, "run", lambda *_: outcomes):
            peer.fill("folder", [case.name], 2)
        self.assertRegex(lines[0], r"^torch.compile: \[1/1\] 0 s$")
        return peer, case

    def test_what_was_not_compiled_is_not_tried_again(self):
        peer, case = self.peer(60, "ValueError: no\nand more\nthan that")
        self.assertEqual(peer.make(case, []), (None, "ValueError: no and more"))

    def test_there_is_a_budget(self):
        peer, case = self.peer(1e-9)
        self.assertEqual(peer.make(case, []), (None, workers.NOT_BEGUN))

    def test_failures_are_reasons(self):
        peer, case = self.peer(60)
        function, problem = peer.make(case, [])
        self.assertIsNone(function)
        self.assertIn("AttributeError: 'NoneType' object", problem)


if __name__ == "__main__":
    unittest.main()
