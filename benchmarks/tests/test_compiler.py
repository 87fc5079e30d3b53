"""Sources, artifacts, refusals and the manifest, with a stand-in compiler."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

import bench
import manifest
import variants
import workloads
from errors import UserError
from workloads import Gemm, Mlp

from tests.support import CONFIGS

# Knows two modes, and writes its arguments and its input into the artifact.
COMPILER = """\
#!{python}
import pathlib, sys
source, *options, _, output = sys.argv[1:]
mode = next(o for o in options if o.startswith("--mode="))[len("--mode="):]
if mode not in ("serial", "persistent"):
    sys.exit(f"grout-compile: error: unknown --mode '{{mode}}'\\nand more")
text = pathlib.Path(source).read_text()
if "m = 100" in text:
    print(source + ":2:3: error: no tile of 100 rows\\n  and why",
          file=sys.stderr)
    sys.exit(1)
pathlib.Path(output).write_text(" ".join(options) + "\\n" + text)
"""

CONFIG = {
    "title": "Test",
    "cases": [
        {
            "kind": "gemm",
            "name": "g",
            "dtype": "f16",
            "N": 64,
            "K": 64,
            "M": [64, 128],
        },
        {
            "kind": "mlp",
            "name": "p",
            "dtype": "bf16",
            "hidden": 64,
            "inner": 128,
            "activation": "gelu_tanh",
            "gated": False,
            "M": [8],
        },
    ],
}


class CompileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        program = self.folder / "build" / "bin" / "grout-compile"
        program.parent.mkdir(parents=True)
        program.write_text(COMPILER.format(python=sys.executable))
        program.chmod(0o755)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(json.dumps(content))
        return path

    def bench(self, *arguments):
        """Exit status, standard output and standard error of `compile`."""
        config = self.write("config.json", CONFIG)
        command = [
            "bench.py",
            "compile",
            f"--build={self.folder / 'build'}",
            f"--out={self.out}",
            f"--config={config}",
            "--ptxas=",
            *map(str, arguments),
        ]
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.object(sys, "argv", command),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = bench.main()
        return status, out.getvalue(), err.getvalue()

    def test_manifest_holds_what_run_needs(self):
        status, _, _ = self.bench("--mode=serial", "--mode=persistent")
        self.assertEqual(status, 0)
        title, entries = manifest.load(self.out)
        self.assertEqual(title, "Test")
        self.assertEqual(
            [case for case, _ in entries],
            [
                Gemm("g", "f16", 64, 64, 64),
                Gemm("g", "f16", 128, 64, 64),
                Mlp("p", "bf16", 8, 64, 128, "gelu_tanh", False),
            ],
        )
        for case, made in entries:
            self.assertEqual(list(made), ["serial", "persistent"])
            for mode, outcome in made.items():
                text = (self.out / outcome["artifact"]).read_text()
                self.assertIn(f"--mode={mode}", text)
                self.assertIn(case.ir(), text)

    def test_refused_modes_are_named_and_left_out(self):
        status, out, err = self.bench()
        self.assertEqual(status, 1)
        self.assertIn("g-m64: serial, persistent in", out)
        self.assertIn("refused: pdl, 3 of 3 cases: unknown --mode 'pdl'\n", err)
        for _, made in manifest.load(self.out)[1]:
            self.assertIn("artifact", made["persistent"])
            self.assertIn("and more", made["pdl"]["refused"])

    def test_keep_going(self):
        status, _, err = self.bench("--keep-going")
        self.assertEqual(status, 0)
        self.assertIn("refused: pdl", err)

    def test_crash_is_no_artifact(self):
        (self.folder / "build/bin/grout-compile").write_text(
            "#!/bin/sh\nkill -SEGV $$\n"
        )
        status, _, err = self.bench("--mode=serial")
        self.assertEqual(status, 1)
        self.assertIn("serial, 3 of 3 cases: ended by signal 11", err)

    def test_filter_and_options(self):
        self.bench(
            "--mode=serial",
            "--filter=g-m64$",
            "--grout-option=--granularity=row",
        )
        ((case, made),) = manifest.load(self.out)[1]
        self.assertEqual(case.id, "g-m64")
        self.assertIn(
            "--granularity=row",
            (self.out / made["serial"]["artifact"]).read_text(),
        )

    def test_no_case(self):
        status, _, err = self.bench("--filter=nothing")
        self.assertEqual(status, 1)
        self.assertIn("no case of", err)

    def test_candidates(self):
        candidates = self.write(
            "candidates.json",
            {
                "wide": {"tilings": ["<m = 64, later = 1>"], "cases": "^g-"},
                "bad": {
                    "tilings": ["<m = 100>"],
                    "modes": ["serial"],
                    "cases": "^g-m64",
                },
                "row": {
                    "options": ["--granularity=row"],
                    "modes": ["persistent"],
                },
            },
        )
        status, _, err = self.bench(
            "--mode=serial", "--mode=persistent", f"--variants={candidates}"
        )
        self.assertEqual(status, 1)
        self.assertIn(
            "refused: serial@bad, 1 of 3 cases: no tile of 100 rows", err
        )
        made = {case.id: made for case, made in manifest.load(self.out)[1]}
        self.assertEqual(
            list(made["g-m64"]),
            [
                "serial",
                "persistent",
                "serial@wide",
                "persistent@wide",
                "serial@bad",
                "persistent@row",
            ],
        )
        self.assertEqual(
            list(made["p-m8"]), ["serial", "persistent", "persistent@row"]
        )
        wide = self.out / made["g-m128"]["serial@wide"]["artifact"]
        self.assertIn(
            "{tiling = #tgemm.tiling<m = 64, later = 1>}", wide.read_text()
        )
        row = self.out / made["p-m8"]["persistent@row"]["artifact"]
        self.assertIn("--granularity=row", row.read_text())

    def test_wrong_candidates(self):
        for content, message in (
            ({"a b": []}, "'a b' is no name"),
            ({"a": {"tiles": []}}, "['tiles']; known are"),
            ({"a": ["<m = 64>", None]}, "has 2 tilings, and g-m64 has 1"),
        ):
            path = self.write("candidates.json", content)
            status, _, err = self.bench(f"--variants={path}")
            self.assertEqual(status, 1)
            self.assertIn(message, err)
            self.assertFalse((self.out / manifest.NAME).exists())

    def test_lists_are_tilings(self):
        path = self.write("candidates.json", {"t": ["<m = 64>", None]})
        case = Mlp("p", "f16", 8, 64, 128, "gelu_tanh", False)
        self.assertEqual(
            variants.variants_of(
                case, ["serial"], variants.load_candidates(path)
            )[1],
            variants.Variant("serial@t", "serial", "t", ("<m = 64>", None)),
        )

    def test_no_manifest(self):
        with self.assertRaisesRegex(UserError, "bench.py compile writes it"):
            manifest.load(self.folder)


class ConfigTest(unittest.TestCase):
    def test_all_load_and_describe_themselves(self):
        self.assertEqual(
            [path.name for path in CONFIGS],
            [
                "block.json",
                "gemm.json",
                "mlp.json",
                "mlp_models.json",
                "mlp_small.json",
                "torch_compile.json",
            ],
        )
        for path in CONFIGS:
            cases, modes, title = workloads.load_config(path)
            self.assertTrue(title and modes)
            for case in cases:
                description = json.loads(json.dumps(workloads.describe(case)))
                self.assertEqual(workloads.from_description(description), case)
                self.assertGreater(case.flops, 0)
                self.assertGreater(case.bytes, 0)

    def load(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "c.json"
            path.write_text(textwrap.dedent(text))
            return workloads.load_config(path)

    def test_wrong_configurations(self):
        case = (
            '{"kind": "gemm", "name": "g", "dtype": "f16", "N": 1, "K": 1,'
            ' "M": [1]'
        )
        for cases, message in (
            ('{"kind": "convolution"}', "unknown kind 'convolution'"),
            (f'{case}, "L": 1}}', "has the fields"),
            (f"{case}}}, {case}}}", "two cases g-m1"),
        ):
            with self.assertRaisesRegex(UserError, message):
                self.load(f'{{"title": "t", "cases": [{cases}]}}')

    def test_modes_of_a_configuration(self):
        _, modes, _ = self.load('{"title": "t", "cases": [], "modes": ["x"]}')
        self.assertEqual(modes, ["x"])

    def test_activation_must_be_the_one_that_is_made(self):
        with self.assertRaisesRegex(UserError, "gelu_tanh, not relu"):
            Mlp("p", "f16", 8, 64, 128, "relu", False)


if __name__ == "__main__":
    unittest.main()
