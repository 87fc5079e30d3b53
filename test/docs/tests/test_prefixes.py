"""A prefix of FileCheck with only -NOT lines passes on anything."""

import pathlib
import re
import unittest

_TESTS = pathlib.Path(__file__).resolve().parents[2]

_NEGATIVE = re.compile(r"([\w-]+)-NOT(?:{LITERAL})?:")
_POSITIVE = re.compile(
    r"^\W*([\w-]+?)(?:-(?:SAME|NEXT|DAG|LABEL|EMPTY|"
    r"COUNT-\d+))?(?:{LITERAL})?:",
    re.MULTILINE,
)
_TOGETHER = re.compile(r"--check-prefixes=([\w,-]+)")


def find_negative_prefixes(text):
    """Prefixes of `text` that have no line which must be there."""
    positive = set(_POSITIVE.findall(text))
    for group in _TOGETHER.findall(text):
        if not positive.isdisjoint(group.split(",")):
            positive.update(group.split(","))
    return sorted(set(_NEGATIVE.findall(text)) - positive)


class PrefixTest(unittest.TestCase):
    def test_each_has_a_line_that_must_be_there(self):
        for pattern in ("*.mlir", "*.test"):
            for path in sorted(_TESTS.rglob(pattern)):
                with self.subTest(path=path.relative_to(_TESTS)):
                    self.assertEqual(
                        find_negative_prefixes(path.read_text()), []
                    )

    def test_only_negative(self):
        self.assertEqual(
            find_negative_prefixes("// CHECK: f\n// PLAN-NOT: g"), ["PLAN"]
        )
        self.assertEqual(
            find_negative_prefixes("A-NOT: f\nA-NEXT: g\nB-COUNT-2: h"), []
        )
        self.assertEqual(
            find_negative_prefixes(
                "RUN: FileCheck %s --check-prefixes=A,B\nA: f\nB-NOT: g"
            ),
            [],
        )


if __name__ == "__main__":
    unittest.main()
