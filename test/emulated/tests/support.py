"""The programs that tests call."""

import dataclasses
import os
import pathlib
import re
import tempfile
import unittest

from emulated import native

# Where Grout's are. LLVM's are on the PATH if the second is not set.
GROUT = os.environ.get("GROUT_TOOLS")
LLVM = os.environ.get("GROUT_LLVM_TOOLS")


@unittest.skipUnless(
    GROUT, "GROUT_TOOLS is not set; ctest sets it for GroutEmulated"
)
class ToolsTest(unittest.TestCase):
    """With `tools`, and a folder that is empty for each test."""

    @classmethod
    def setUpClass(cls):
        shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(shared.cleanup)
        cls.tools = native.Tools(GROUT, LLVM, shared.name)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


# How ranks fail that exchange wrong words.
WRONG_WORDS = r"deadlock|leaves words|a word (is stored|that is 0)"


def changed(test, compiled, pattern, replacement, count=0):
    """What is compiled, where `pattern` is another text in the kernels."""
    assembly, times = re.subn(
        pattern, replacement, compiled.assembly, count=count
    )
    test.assertGreater(times, 0, compiled.assembly)
    return dataclasses.replace(compiled, assembly=assembly)
