"""Configuration of the lit tests of image."""

import os

import lit.formats

config.name = "Image"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.image_tools_dir, "test")
config.environment["PATH"] = os.pathsep.join(
    [
        config.image_tools_dir,
        config.grout_tools_dir,
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
