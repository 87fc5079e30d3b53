"""Tables, lines and plots of results."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import plot
import report
from errors import UserError


def timed(group, us, spread=0.0):
    return {
        "group": group,
        "error": 2e-4,
        "cool": {"median": us, "low": us, "high": us * (1 + spread)},
    }


def row(name, m, variants):
    return {
        "case": {"name": name, "M": m},
        "id": f"{name}-m{m}",
        "variants": variants,
        "seconds": 1.0,
    }


RESULTS = {
    "title": "Test",
    "device": {"gpu": "NVIDIA H200", "torch": "2.0"},
    "method": {
        "bursts": 7,
        "idle_ms": 20.0,
        "rounds": 2,
        "sustained_seconds": 0.3,
        "seed": 0,
    },
    "rows": [
        row(
            "a",
            64,
            {
                "cublas": timed("peer", 100.0),
                "cublas-fused": timed("peer", 80.0, 0.05),
                "serial": timed("grout", 40.0),
                "persistent": timed("grout", 160.0),
            },
        ),
        row(
            "a",
            1024,
            {
                "cublas": timed("peer", 4000.0),
                "cublas-fused": timed("peer", 4400.0),
                "serial": timed("grout", 8000.0),
                "persistent": {
                    **timed("grout", 1.0),
                    "failed": "WrongResult: error 1",
                },
            },
        ),
        row(
            "b",
            64,
            {
                "cublas": timed("peer", 10.0),
                "pdl": {"group": "grout", "refused": "no pdl"},
            },
        ),
    ],
}

TABLE = """\
| model | M | cublas | cublas-fused | serial | persistent | pdl | \
best peer / best | best peer / serial | best peer / persistent | \
best peer / pdl |
|---|---|---|---|---|---|---|---|---|---|---|
| a | 64 | 100.0 | 80.0 | 40.0 | 160.0 | - | 2.00 | 2.00 | 0.50 | - |
| a | 1,024 | 4,000.0 | 4,400.0 | 8,000.0 | failed | - | 0.50 | 0.50 | - | - |
| a | geomean |  |  |  |  |  | 1.00 | 1.00 | 0.50 (of 1) | - |
| b | 64 | 10.0 | - | - | - | refused | - | - | - | - |
| b | geomean |  |  |  |  |  | - | - | - | - |"""


class TableTest(unittest.TestCase):
    def test_table(self):
        self.assertEqual(report.table(RESULTS, "cool"), TABLE)

    def test_document_says_how(self):
        text = report.document(RESULTS, "cool")
        self.assertIn(
            "medians of 7 interleaved bursts with 20 ms of idle", text
        )
        self.assertIn("Largest spread 5.0% of its median.", text)
        self.assertTrue(text.endswith(TABLE))

    def test_regime_that_was_not_run(self):
        with self.assertRaisesRegex(UserError, "no times .* 'sustained'"):
            report.document(RESULTS, "sustained")

    def test_console(self):
        lines = report.console(RESULTS["rows"][1]).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("a-m1024", lines[0])
        self.assertIn(
            "cublas 4000.0  cublas-fused 4400.0  serial 8000.0  "
            "best peer/serial 0.500",
            lines[0],
        )
        self.assertIn("errors up to 2.0e-04; 1.0 s", lines[1])
        self.assertIn("persistent failed: WrongResult: error 1", lines[2])

    def test_without_peers(self):
        alone = row("a", 64, {"serial": timed("grout", 40.0)})
        self.assertEqual(report.ratios(alone, "cool"), {})
        self.assertIn("serial 40.0", report.console(alone))


class PlotTest(unittest.TestCase):
    def draw(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.svg"
            plot.draw(RESULTS, "cool", path)
            return path.read_text()

    @unittest.skipUnless(
        importlib.util.find_spec("matplotlib"), "matplotlib is not installed"
    )
    def test_same_results_same_file(self):
        first = self.draw()
        self.assertIn("<svg", first)
        self.assertEqual(first, self.draw())

    def test_says_what_is_missing(self):
        with (
            mock.patch.dict(sys.modules, {"matplotlib": None}),
            self.assertRaisesRegex(UserError, "requirements.txt"),
        ):
            self.draw()


if __name__ == "__main__":
    unittest.main()
