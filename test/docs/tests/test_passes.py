"""docs/Passes.md names all passes; the table of decisions, Architecture and its
picture name passes and functions that there are."""

import pathlib
import re
import unittest

_ROOT = pathlib.Path(__file__).resolve().parents[3]
_PAGES = ("docs/Architecture.md", "docs/Decisions.md")
_PASS = re.compile(r'\bdef\s+\w+\s*:\s*Pass<\s*"([\w-]+)"')
_NAME = re.compile(
    r"\b(?:scop|tgemm|tsync|launch|linalg|convert|verify|define)"
    r"(?:-[a-z0-9]+)+\b"
)
_FUNCTION = re.compile(r"\[([\w.]+)\]: `(?:\w+::)*(\w+)`")


def _read(path):
    return (_ROOT / path).read_text(encoding="utf-8")


class PassesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.passes = set()
        for path in _ROOT.glob("include/grout/**/Passes.td"):
            cls.passes.update(_PASS.findall(path.read_text(encoding="utf-8")))

    def test_all_are_listed(self):
        self.assertGreater(len(self.passes), 30)
        listed = set(re.findall(r"[\w-]+", _read("docs/Passes.md")))
        self.assertEqual(self.passes - listed, set())

    def test_listed_ones_exist(self):
        for page in (*_PAGES, "docs/images/passes.svg"):
            text = re.sub(r"\]\([^)]*\)", "", _read(page))
            self.assertEqual(
                set(_NAME.findall(text)) - self.passes, set(), page
            )

    def test_functions_are_in_their_files(self):
        text = "".join(_read(page) for page in _PAGES)
        paths = dict(re.findall(r"^\[(.+)\]: (.+)$", text, re.MULTILINE))
        named = _FUNCTION.findall(text)
        self.assertGreater(len(named), 20)
        missing = [
            f"{file}: {name}"
            for file, name in named
            if not re.search(rf"\b{name}\(", _read(f"docs/{paths[file]}"))
        ]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
