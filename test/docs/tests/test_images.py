"""The pictures are what docs/images/draw.py draws, and all are shown."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from docs.links import find_links

_ROOT = pathlib.Path(__file__).resolve().parents[3]
_IMAGES = _ROOT / "docs" / "images"


class ImagesTest(unittest.TestCase):
    def test_are_what_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-B", _IMAGES / "draw.py", folder]
            subprocess.run(command, check=True)
            drawn = {
                path.name: path.read_text(encoding="utf-8")
                for path in pathlib.Path(folder).iterdir()
            }
        kept = {
            path.name: path.read_text(encoding="utf-8")
            for path in _IMAGES.glob("*.svg")
        }
        self.assertEqual(kept, drawn, "run docs/images/draw.py")

    def test_are_shown(self):
        shown = set()
        for page in (_ROOT / "README.md", *(_ROOT / "docs").glob("**/*.md")):
            links = find_links(page.read_text(encoding="utf-8"))
            shown.update((page.parent / link).resolve() for link in links)
        self.assertLessEqual(set(_IMAGES.glob("*.svg")), shown)


if __name__ == "__main__":
    unittest.main()
