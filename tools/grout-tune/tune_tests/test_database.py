"""The database: reading, keeping and refusing."""

import json
import pathlib
import random
import sqlite3
import tempfile
import unittest

from errors import UserError
from tuning import artifacts, database, json_lines
from tuning.database import Database

from tune_tests.support import LINE, tune


class FileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "tuning.db"

    def open(self):
        return Database(self.path)

    def refused(self, *arguments, naming=None):
        """Returns the tool's error for these arguments."""
        status, out, err = tune(*arguments)
        self.assertEqual((status, out), (1, ""))
        self.assertTrue(err.startswith("grout-tune: error: "), err)
        self.assertIn(str(naming or self.path), err)
        return err


class DatabaseTest(FileTest):
    def test_round_trip(self):
        self.path = self.folder / "deep" / "a?b%41#.db"
        opened = self.open()
        opened.add([LINE, {**LINE, "tilings": ["<m = 128>"], "us": 4.0}])
        opened.add([{**LINE, "kind": "chain", "mode": "pdl"}])
        for each in (opened, self.open()):
            self.assertEqual(
                each.times("h200", "k"), {"<m = 64>": 5.0, "<m = 128>": 4.0}
            )
            self.assertEqual(each.modes("h200", "chain", "k"), {"pdl"})
            self.assertEqual(each.modes("h100", "chain", "k"), set())
            self.assertEqual(len(each.sorted_lines()), 3)
        self.assertEqual(
            [path.name for path in self.path.parent.iterdir()], [self.path.name]
        )

    def test_without_a_file(self):
        self.assertEqual(self.open().cases(), [])
        self.assertFalse(self.path.exists())
        self.path.touch()
        self.assertEqual(self.open().cases(), [])
        self.open().add([LINE])
        self.assertEqual(self.open().cases(), [("h200", "product", "k")])

    def test_what_is_measured_again_counts_anew(self):
        self.open().add([LINE])
        self.open().add([{**LINE, "us": 6.0}])
        self.assertEqual(self.open().times("h200", "k"), {"<m = 64>": 6.0})
        self.assertEqual(len(self.open().sorted_lines()), 1)

    def test_origins_of_times(self):
        here = {"device": "g", "driver": "1"}
        opened = self.open()
        opened.add([{**LINE, **here}, {**LINE, **here, "mode": "pdl"}])
        self.assertEqual(opened.origins(), ({("g", "1"): 1}, 0))
        opened.add([{**LINE, **here, "key": "other"}])
        opened.add([{**LINE, "mode": "overlap"}])
        self.assertEqual(
            self.open().origins(), ({("g", "1"): 2, (None, None): 1}, 1)
        )
        # A new measurement replaces the old one.
        opened.add([{**LINE, **here, "mode": "overlap"}])
        self.assertEqual(self.open().origins(), ({("g", "1"): 2}, 0))

    def test_what_is_added_is_added_wholly(self):
        opened = self.open()
        opened.add([LINE])
        with self.assertRaises(KeyError):
            opened.add([{**LINE, "key": "other"}, {}])
        self.assertEqual(self.open().sorted_lines(), [LINE])
        opened.add([{**LINE, "key": "other"}])

    def test_databases_of_others(self):
        def change(sql):
            self.path.unlink(missing_ok=True)
            self.open().add([LINE])
            connection = sqlite3.connect(self.path)
            connection.execute(sql)
            connection.commit()
            connection.close()

        for sql, problem in (
            (
                "PRAGMA user_version = 2",
                "has version 2, and this grout-tune reads and writes 1",
            ),
            ("PRAGMA application_id = 7", "database of another program"),
            ("DROP TABLE measurements", "tables are not those of"),
            (
                "UPDATE measurements SET line = replace(line, '5.0', '4.0')",
                "row 1 is not what was written",
            ),
            (
                "UPDATE measurements SET mode = 'pdl'",
                "row 1 is not where it belongs",
            ),
            (
                "UPDATE shapes SET count = 3",
                "measurements of shape 1 are missing",
            ),
            ("DELETE FROM measurements", "measurements of shape 1 are missing"),
        ):
            change(sql)
            before = self.path.read_bytes()
            for command in (
                ["check"],
                ["report"],
                ["export"],
                ["run", "--out", self.out(), "--database"],
            ):
                self.assertIn(problem, self.refused(*command, self.path))
            self.assertIn(
                problem, self.refused("import", self.path, self.lines_file())
            )
            self.assertEqual(self.path.read_bytes(), before)

    def out(self):
        """Returns a folder of artifacts, with as much as `run` looks at."""
        artifacts.Manifest("h200", []).save(self.folder)
        return self.folder

    def lines_file(self):
        path = self.folder / "one.jsonl"
        json_lines.write(path, [LINE])
        return path

    def test_no_database(self):
        for text in ('{"version": 1}\n', "garbage", "\0" * 100):
            self.path.write_text(text)
            self.assertIn(
                "is no database of grout-tune",
                self.refused("import", self.path, self.lines_file()),
            )
            self.assertEqual(self.path.read_text(), text)
        self.refused(
            "import", self.folder, self.lines_file(), naming=self.folder
        )


class ExchangeTest(FileTest):
    LINES = [
        {**LINE, "key": key, "mode": mode, "us": us, "note": [1, None]}
        for key in ("k2", "k10")
        for mode in ("serial", "pdl")
        for us in (1, 2.5)
    ]

    def tune(self, *arguments):
        status, out, err = tune(*arguments)
        self.assertEqual((status, err), (0, ""))
        return out

    def test_export_does_not_depend_on_the_order(self):
        texts = set()
        for seed in range(5):
            lines = [
                {**line, "tilings": [str(line["us"])]} for line in self.LINES
            ]
            random.Random(seed).shuffle(lines)
            path = self.folder / f"{seed}.db"
            for line in lines:
                Database(path).add([dict(reversed(line.items()))])
            texts.add(self.tune("export", path))
        (text,) = texts
        self.assertEqual(len(text.splitlines()), len(self.LINES))
        # An export of an export is the same.
        exported = self.folder / "exported.jsonl"
        self.tune("export", path, exported)
        self.assertEqual(exported.read_text(), text)
        self.assertIn(
            "8 measurements", self.tune("import", self.path, exported)
        )
        self.assertEqual(self.tune("export", self.path), text)

    def test_import_adds_databases_and_lines(self):
        other = self.folder / "other.db"
        Database(other).add([LINE, {**LINE, "key": "other"}])
        lines = self.folder / "some.jsonl"
        json_lines.write(lines, [{**LINE, "us": 7.0}])
        Database(self.path).add([{**LINE, "key": "own"}])
        self.assertIn(
            "3 measurements were imported",
            self.tune("import", self.path, other, lines),
        )
        opened = self.open()
        self.assertEqual(opened.times("h200", "k"), {"<m = 64>": 7.0})
        self.assertEqual(
            {case[2] for case in opened.cases()}, {"own", "k", "other"}
        )
        self.assertIn(
            "3 measurements of 3 shapes; nothing is damaged",
            self.tune("check", self.path),
        )

    def test_nothing_is_imported_beside_what_is_wrong(self):
        good, bad = self.folder / "good.jsonl", self.folder / "bad.jsonl"
        json_lines.write(good, [LINE])
        bad.write_text("{")
        self.refused("import", self.path, good, bad, naming=f"{bad}:1: ")
        self.assertFalse(self.path.exists())

    def test_export_replaces_no_database(self):
        Database(self.path).add([LINE])
        self.assertIn(
            "is a database; export writes JSON lines",
            self.refused("export", self.path, self.path),
        )
        self.refused(
            "export",
            self.path,
            self.folder / "none" / "x.jsonl",
            naming="x.jsonl",
        )
        self.assertEqual(self.open().sorted_lines(), [LINE])


class JSONLinesTest(FileTest):
    def test_wrong_lines_are_named(self):
        def text(**changes):
            return json.dumps({**LINE, **changes})

        for wrong, problem in (
            (b"[]", "is no JSON object"),
            (b"{", "Expecting"),
            (b"{}", "has no version"),
            (text(version=2), "has version 2"),
            (text(version=True), "has version True"),
            (text(key=1), "'key' must be text"),
            (text(kind="quotient"), "unknown kind 'quotient'"),
            (text(tilings=[]), "'tilings' must be a list"),
            (text(tilings=["", ""]), "2 tilings for one product"),
            (text(us=0), "'us' must be"),
            (text(us=True), "'us' must be"),
            (text(us=10**400), "'us' must be"),
            (text(us=float("inf")), "Infinity is no JSON"),
            (text().replace("5.0", "1e999"), "'us' must be"),
            (text(eliminated=1), "'eliminated' must be true or false"),
            (text(device=[]), "'device' must be text"),
            (text(spread="x"), "'spread' must be a number"),
            (text(key="\ud800"), "surrogates not allowed"),
            (b"\xff\xfe", "can't decode"),
            (b"\0", "Expecting"),
            (text()[:45], "Unterminated string"),
            (b"[" * 200000, "nests too deeply"),
            (b'{"key":' * 200000, "nests too deeply"),
        ):
            raw = wrong if isinstance(wrong, bytes) else wrong.encode()
            # A right line does not make up for a wrong line.
            self.path.write_bytes(
                b"\n" + json.dumps(LINE).encode() + b"\n" + raw
            )
            for command in (
                ["check"],
                ["report"],
                ["import", self.folder / "new.db"],
            ):
                err = self.refused(
                    *command, self.path, naming=f"{self.path}:3: "
                )
                self.assertIn(problem, err)
            self.assertFalse((self.folder / "new.db").exists())

    def test_no_measurements(self):
        self.path.write_text("\n \n")
        self.assertIn("has no measurements", self.refused("report", self.path))

    def test_files_under_review_are_as_exported(self):
        data = pathlib.Path(__file__).parents[3] / "benchmarks" / "data"
        files = sorted(data.glob("*.jsonl"))
        self.assertEqual(len(files), 4)
        for path in files:
            self.assertEqual(
                json_lines.to_text(database.read(path).sorted_lines()),
                path.read_text(),
                path,
            )


class DamageTest(FileTest):
    """Damage is refused, or makes no difference."""

    def setUp(self):
        super().setUp()
        for shape in range(6):
            self.open().add(
                [
                    {
                        **LINE,
                        "key": f"64x{shape}",
                        "us": 1 + tiling,
                        "tilings": [f"<m = {tiling}>"],
                    }
                    for tiling in range(6)
                ]
            )
        self.bytes = self.path.read_bytes()
        self.want = self.open().sorted_lines()

    def expect_refusal_or_all(self, damaged):
        """Returns whether the database was refused."""
        self.path.write_bytes(damaged)
        try:
            found = Database(self.path).sorted_lines()
        except UserError as error:
            self.assertIn(str(self.path), str(error))
            self.assertEqual(self.path.read_bytes(), damaged)
            return True
        self.assertEqual(found, self.want)
        return False

    def test_flipped_bits(self):
        rng = random.Random(17)
        refused = 0
        for _ in range(200):
            damaged = bytearray(self.bytes)
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
            refused += self.expect_refusal_or_all(damaged)
        self.assertGreater(refused, 25)

    def test_overwritten_pieces(self):
        rng = random.Random(18)
        size = len(self.bytes)
        for _ in range(60):
            start, end = sorted(rng.choices(range(size + 1), k=2))
            to = rng.randrange(size)
            damaged = bytearray(self.bytes)
            damaged[to : to + end - start] = self.bytes[start:end]
            self.expect_refusal_or_all(damaged[:size])

    def test_what_sqlite_quotes_is_no_text(self):
        damaged = self.bytes.replace(
            b"CREATE TABLE shapes", b"CREATE \xff\xffBLE shapes", 1
        )
        self.assertNotEqual(damaged, self.bytes)
        self.assertTrue(self.expect_refusal_or_all(damaged))

    def test_cut_off(self):
        for size in range(1, len(self.bytes), 2039):
            self.assertTrue(self.expect_refusal_or_all(self.bytes[:size]))


if __name__ == "__main__":
    unittest.main()
