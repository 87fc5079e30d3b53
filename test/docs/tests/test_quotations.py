"""The guides quote the example as it is."""

import pathlib
import tempfile
import unittest

from docs.quotations import find_quotations, find_wrong

_ROOT = pathlib.Path(__file__).resolve().parents[3]


class QuotationsTest(unittest.TestCase):
    def test_guides(self):
        count = 0
        for page in sorted(_ROOT.glob("docs/**/*.md")):
            count += len(
                list(find_quotations(page.read_text(encoding="utf-8")))
            )
            self.assertEqual(find_wrong(page), [])
        self.assertGreater(count, 12)

    def test_finds_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "examples/out-of-tree"
            folder.mkdir(parents=True)
            (folder / "a.cpp").write_text("one\ntwo\nthree\nfour\n")
            page = pathlib.Path(name) / "page.md"
            start = "From\n[a](examples/out-of-tree/a.cpp):\n\n```c++\n"
            page.write_text(f"{start}one\n...\nfour\n```\n")
            self.assertEqual(find_wrong(page), [])
            page.write_text(start.replace("a.cpp", "b.cpp") + "one\n```\n")
            (folder / "b.cpp").write_text("two\n")
            self.assertEqual(len(find_wrong(page)), 1)
            (pathlib.Path(name) / "c.cpp").write_text("five\n")
            page.write_text("From [c](c.cpp):\n\n```c++\nfive\n```\n")
            self.assertEqual(find_wrong(page), [])
            page.write_text("From [c](c.cpp):\n\n```c++\nsix\n```\n")
            self.assertEqual(
                find_wrong(page), [f"{page}: not in c.cpp:\nsix\n"]
            )
            page.write_text(f"{start}four\n...\none\n```\n")
            self.assertEqual(
                find_wrong(page),
                [f"{page}: not in examples/out-of-tree/a.cpp:\none\n"],
            )


if __name__ == "__main__":
    unittest.main()
