"""Links of the documents lead somewhere, and those that do not are found."""

import pathlib
import tempfile
import unittest

from docs.links import find_anchors, find_broken

_ROOT = pathlib.Path(__file__).resolve().parents[3]


def _find_pages():
    return [
        *_ROOT.glob("*.md"),
        *_ROOT.glob("docs/**/*.md"),
        *_ROOT.glob("benchmarks/*.md"),
    ]


class LinksTest(unittest.TestCase):
    def test_documents(self):
        pages = _find_pages()
        self.assertGreater(len(pages), 20)
        broken = [line for page in pages for line in find_broken(page)]
        self.assertEqual(broken, [])

    def test_finds_what_is_broken(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(
                "# One (`two`), three\n[a](#one-two-three) [b](page.md#one)\n"
                "![c](none.svg) [d](https://none.example/x.md)\n"
                "`[e](in-code.md)`\n```\n[f](in-block.md)\n```\n"
            )
            self.assertEqual(
                find_broken(page),
                [
                    f"{page}: no heading page.md#one",
                    f"{page}: no file none.svg",
                ],
            )

    def test_finds_names_without_definitions(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(
                "[a.cpp] [b.h], [page](page.md)\n\n"
                "[b.h]: page.md\n[c.td]: page.md\n"
            )
            without = f"{page}: link or definition without the other: "
            self.assertEqual(
                find_broken(page), [without + "[a.cpp]", without + "[c.td]"]
            )

    def test_anchors(self):
        self.assertEqual(
            find_anchors("# A_b c-d\n## Same\n## Same\n```\n# no\n```\n"),
            {"a_b-c-d", "same", "same-1"},
        )


if __name__ == "__main__":
    unittest.main()
