"""The file: what is read, what is kept, what is cut off."""

import json
import pathlib
import tempfile
import unittest

from tuning.database import Database

LINE = {"version": 1, "target": "h200", "kind": "product", "key": "k",
        "mode": "serial", "tilings": ["<m = 64>"], "us": 5.0}


class DatabaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "deep" / "tuning.jsonl"
        self.warnings = []

    def open(self):
        return Database(self.path, self.warnings.append)

    def write(self, *texts):
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text("".join(texts))

    def test_round_trip(self):
        database = self.open()
        database.add([LINE, {**LINE, "tilings": ["<m = 128>"], "us": 4.0}])
        database.add([{**LINE, "kind": "chain", "mode": "pdl"}])
        for opened in (database, self.open()):
            self.assertEqual(opened.times("h200", "k"),
                             {"<m = 64>": 5.0, "<m = 128>": 4.0})
            self.assertEqual(opened.modes("h200", "chain", "k"), {"pdl"})
            self.assertEqual(opened.modes("h100", "chain", "k"), set())
        self.assertEqual(self.warnings, [])
        self.assertEqual(len(self.path.read_text().splitlines()), 3)

    def test_what_is_measured_again_counts_anew(self):
        self.open().add([LINE])
        self.open().add([{**LINE, "us": 6.0}])
        self.assertEqual(self.open().times("h200", "k"), {"<m = 64>": 6.0})

    def test_origins_of_times(self):
        here = {"device": "g", "driver": "1"}
        database = self.open()
        database.add([{**LINE, **here}, {**LINE, **here, "mode": "pdl"}])
        self.assertEqual(database.origins(), ({("g", "1"): 1}, 0))
        database.add([{**LINE, **here, "key": "other"}])
        database.add([{**LINE, "mode": "overlap"}])
        self.assertEqual(self.open().origins(),
                         ({("g", "1"): 2, (None, None): 1}, 1))
        # What is measured again counts anew.
        database.add([{**LINE, **here, "mode": "overlap"}])
        self.assertEqual(self.open().origins(), ({("g", "1"): 2}, 0))

    def test_a_line_that_was_cut_off(self):
        self.write(json.dumps(LINE), "\n", json.dumps(LINE)[:40])
        database = self.open()
        self.assertEqual(len(self.warnings), 1)
        self.assertIn("last line was cut off", self.warnings[0])
        database.add([{**LINE, "key": "other"}])
        self.assertEqual([json.loads(line)["key"] for line in
                          self.path.read_text().splitlines()], ["k", "other"])

    def test_only_a_line_that_was_cut_off(self):
        self.write("{")
        self.open().add([LINE])
        self.assertEqual(json.loads(self.path.read_text()), LINE)

    def test_wrong_lines_are_named(self):
        wrong = ["[]", "{", json.dumps({**LINE, "version": 2}),
                 json.dumps({**LINE, "us": 0}), json.dumps({**LINE, "key": 1}),
                 json.dumps({**LINE, "tilings": []})]
        self.write("\n".join([*wrong, "", json.dumps(LINE)]), "\n")
        self.assertEqual(self.open().times("h200", "k"), {"<m = 64>": 5.0})
        self.assertEqual(len(self.warnings), len(wrong))
        for number, (warning, expected) in enumerate(zip(self.warnings, [
                "is no JSON object", "Expecting", "has version 2",
                "has no time 'us'", "has no text 'key'",
                "has no list 'tilings'"]), 1):
            self.assertIn(f"tuning.jsonl:{number}: ", warning)
            self.assertIn(expected, warning)


if __name__ == "__main__":
    unittest.main()
