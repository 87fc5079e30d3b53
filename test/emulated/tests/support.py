"""The programs that tests call."""

import os
import pathlib
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
