"""Every fuzzer is built by the preset, run by the attack, and documented."""

import json
import pathlib
import re
import tempfile
import unittest

from attack import corpus
from attack.attack import Case
from attack.attacks import fuzzers
from attack.process import Tools


class FuzzersTest(unittest.TestCase):
    def test_none_is_forgotten(self):
        text = (corpus.ROOT / "unittests/Fuzz/CMakeLists.txt").read_text()
        built = set(
            re.findall(r"^ *add_grout_fuzzer\((\w+) ", text, re.MULTILINE)
        )
        presets = json.loads((corpus.ROOT / "CMakePresets.json").read_text())
        targets = next(
            preset["targets"]
            for preset in presets["buildPresets"]
            if preset["name"] == "fuzz"
        )
        promised = (corpus.ROOT / "docs/Testing.md").read_text()
        self.assertEqual(built, set(targets))
        self.assertEqual(built, set(fuzzers._FUZZERS))
        for name in built:
            self.assertIn(f"`{name}`", promised)

    def test_databases_start_with_measurements(self):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(
                "fuzzers",
                1,
                0,
                Tools(pathlib.Path(folder)),
                pathlib.Path(folder),
            )
            lines, *single = fuzzers._databases(case)
        self.assertEqual(lines.splitlines(), single)
        self.assertTrue(
            any(
                json.loads(line)["key"] == "64x64x64 f16->f16"
                for line in single
            )
        )


if __name__ == "__main__":
    unittest.main()
