"""Compiles graphs with Grout's passes: for the processor at hand, and for GPUs.

What linalg-to-scop or the scheduler reports, and what they leave to others, is
refused. All that happens to a scheduled kernel is Grout's to get right.
"""

import pathlib
import re
import shutil
import subprocess

from errors import UserError

from operators import emit, upstream
from operators.upstream import BackendError, BackendRefusal

# What a GPU gets. Splits what is large enough for four processors, since checks
# are on small extents.
_TO_KERNELS = (
    "--scop-copy-results",
    "--convert-linalg-to-scop",
    "--scop-inline-producers",
    "--scop-split-loops",
    "--scop-collapse-loops",
    "--grout-set-target=name=h200",
    "--scop-split-reductions=processors=4 min-bytes=0 launch-ns=0",
    "--scop-form-launches",
    "--scop-inline-producers",
    "--canonicalize",
    "--cse",
    "--scop-schedule=tree=auto",
)
_TO_LOOPS = (
    "--scop-verify-schedule",
    upstream.BUFFERIZATION,
    "--convert-scop-to-loops",
)
# Ops outside of kernels that compute nothing.
_VIEWS = ("tensor.empty", "tensor.expand_shape", "tensor.collapse_shape")
_SECONDS = 120


def find(name, folder):
    found = shutil.which(name, path=folder) if folder else shutil.which(name)
    if not found:
        raise UserError(
            f"there is no {name}"
            + (
                f" in {folder}"
                if folder
                else "; --grout says where Grout's programs are"
            )
        )
    return found


class Grout:
    def __init__(self, tools, opt):
        self._tools = tools
        self._opt = opt

    def compile(self, graphs, folder):
        """A program for graphs with different names."""
        return upstream.library(self._tools, self._loops(graphs, folder))

    def lower(self, graph, folder):
        """As compile, as far as LLVM's dialect."""
        upstream.lower(self._tools, self._loops([graph], folder))

    def _loops(self, graphs, folder):
        """A file of functions on memrefs."""
        folder = pathlib.Path(folder)
        source, kernels, loops = (
            folder / f"{name}.mlir"
            for name in ("operators", "kernels", "loops")
        )
        source.write_text("".join(map(emit.function, graphs)))
        _call(
            [self._opt, source, *_TO_KERNELS, "-o", kernels],
            len(graphs),
            BackendRefusal,
        )
        # Upstream's tools, which run the loops, do not know the attribute.
        text = kernels.read_text().replace(
            ' attributes {grout.target = #grout.target<"h200">}', ""
        )
        for op in re.findall(r"= ((?:linalg|tensor)\.\w+)", text):
            if op not in _VIEWS:
                raise BackendRefusal(f"{op} is not part of a kernel")
        kernels.write_text(text)
        _call(
            [self._opt, kernels, *_TO_LOOPS, "-o", loops],
            len(graphs),
            BackendError,
        )
        return loops


class Artifact:
    """Has nothing to run with. An artifact has the kernels as PTX, and is
    refused where something is in no kernel."""

    def __init__(self, compiler, target, options=()):
        self._command = [
            compiler,
            f"--target={target}",
            "--no-reference",
            *options,
        ]

    def lower(self, graph, folder):
        """The file of the artifact."""
        folder = pathlib.Path(folder)
        source, made = folder / "operator.mlir", folder / "operator.grout"
        source.write_text(emit.function(graph))
        _call([*self._command, source, "-o", made], 1, BackendRefusal)
        return made


def _call(command, count, error):
    """Raises `error` with what is reported, and a BackendError if the command
    crashes, or takes too long for `count` functions."""
    name = pathlib.Path(command[0]).name
    limit = _SECONDS * count
    try:
        done = subprocess.run(
            list(map(str, command)),
            stderr=subprocess.PIPE,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        raise BackendError(f"{name} took more than {limit} s") from None
    if not done.returncode:
        return
    reported = re.search(r"error: (.*)", done.stderr)
    if done.returncode < 0 or not reported:
        raise BackendError(
            f"{name}: status {done.returncode}, "
            + (reported[1] if reported else "nothing reported")
        )
    raise error(reported[1])
