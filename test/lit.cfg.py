"""Configuration of Grout's lit tests.

Features:
  grout-compile, grout-run, ...  the tool is in this build
  ptxas                          a ptxas was found; tests call it as %ptxas
  libdevice                      grout-compile finds CUDA's libdevice
  asserts                        a build with assertions: grout-opt has
                                 -debug-only

Substitutions, besides the tools' names:
  %ptxas                         the assembler
  %shared                        the folder of this build's shared libraries
  %grout_source, %grout_build    the checkout, and this build of it
  %cc, %cxx                      the compilers that this build uses
  %python                        the interpreter that runs the tests

Environment:
  GROUT_CHECK_ROUNDTRIP=1  every grout-opt also prints and parses what it reads,
                           as text and as bytecode, and compares
"""

import glob
import os
import shutil
import site
import subprocess
import sys
import sysconfig

import lit.formats

config.name = "Grout"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.grout_binary_dir, "test")


def find_ptxas():
    """The ptxas on PATH, of the toolkit, or of NVIDIA's pip packages."""
    found = shutil.which("ptxas") or shutil.which(
        "ptxas", path="/usr/local/cuda/bin"
    )
    if found:
        return found
    roots = {
        sysconfig.get_path("purelib"),
        *site.getsitepackages(),
        site.getusersitepackages(),
    }
    # A virtual environment of the checkout, too.
    roots.update(
        glob.glob(
            os.path.join(
                config.grout_source_dir,
                ".venv",
                "lib",
                "python*",
                "site-packages",
            )
        )
    )
    candidates = []
    for root in roots:
        candidates += glob.glob(
            os.path.join(root, "nvidia", "*", "bin", "ptxas")
        )
    candidates = [path for path in candidates if os.access(path, os.X_OK)]
    return max(candidates, default=None)


def tool_path(name):
    """Where `name` is: a tool of this build, or of LLVM."""
    for directory in (config.grout_tools_dir, config.llvm_tools_dir):
        path = os.path.join(directory, name)
        if os.path.exists(path):
            return path
    return None


def add_tool(name, arguments=""):
    """Replaces `name` where it stands for a command, not in options."""
    path = tool_path(name)
    if path:
        config.available_features.add(name)
        config.substitutions.append(
            (r"(?<![^\s|;&(])" + name + r"(?=\s|$)", path + arguments)
        )


def prints_decisions():
    """Whether passes of this grout-opt print what they decide."""
    path = tool_path("grout-opt")
    return (
        path is not None
        and "--debug-only="
        in subprocess.run(
            [path, "--help-hidden"], capture_output=True, text=True, check=False
        ).stdout
    )


roundtrip = os.environ.get("GROUT_CHECK_ROUNDTRIP", "0") not in ("", "0")
add_tool("grout-opt", " --verify-roundtrip" if roundtrip else "")
for name in (
    "grout-compile",
    "grout-run",
    "grout-tune",
    "grout-lsp-server",
    "FileCheck",
    "not",
    "count",
    "split-file",
    "llc",
    "mlir-opt",
    "mlir-runner",
):
    add_tool(name)

config.substitutions += [
    ("%shared", config.grout_library_dir),
    ("%grout_source", config.grout_source_dir),
    ("%grout_build", config.grout_binary_dir),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
    ("%python", sys.executable),
]

if prints_decisions():
    config.available_features.add("asserts")

if os.path.exists("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"):
    config.available_features.add("libdevice")

ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
