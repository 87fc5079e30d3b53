"""What a page shows is compared with what its commands print."""

import unittest

from docs.commands import find_commands, find_missing


class CommandsTest(unittest.TestCase):
    def test_output_follows_its_command(self):
        page = (
            "```mlir\nsource\n```\n    build/bin/a x \\\n      y\n\nprints\n"
            "\n```text\nfirst\n```\n```c++\nother\n```\n"
            "    build/bin/b\n    build/bin/c\n\n# Heading\n\n```\nother\n```\n"
            "    no command\n"
        )
        self.assertEqual(
            find_commands(page),
            [
                ("build/bin/a x \\\n      y\n", "first\n"),
                ("build/bin/b\n    build/bin/c\n", ""),
            ],
        )

    def test_lines_may_be_broken_and_left_out(self):
        self.assertIsNone(find_missing("a b\n  ...\nd ...", "x a\n b c d e"))
        self.assertIsNone(find_missing("", "x"))

    def test_the_order_counts(self):
        self.assertEqual(find_missing("b ...\na", "a b"), "a")
        self.assertEqual(find_missing("a b", "a c b"), "a b")


if __name__ == "__main__":
    unittest.main()
