"""Finds the line and the module of a model that an operator comes from."""

import os
import pathlib
import re

import torch
from torch import fx

_FRAME = re.compile(r'^ *File "(.+)", line (\d+), in ', re.MULTILINE)
_ROOT = re.compile(r"^[LG]\['(\w+)'\]\.?")
_OF_MODEL = ("self", "model")

# Folders whose code calls operators on behalf of a model.
_LIBRARIES = tuple(
    f"{folder}{os.sep}"
    for folder in (
        pathlib.Path(torch.__file__).parent,
        pathlib.Path(__file__).parents[2],
    )
)


def line_of(node: fx.Node) -> str:
    """Returns the innermost line of the model's own code in which a node was
    made, such as "model.py:12"; "" if it is not known."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    return next(
        (
            f"{file}:{line}"
            for file, line in reversed(frames)
            if not file.startswith(_LIBRARIES)
        ),
        "",
    )


def module_of(node: fx.Node) -> str:
    """Returns the innermost module in which a node was made, such as
    "blocks.0.mlp"; "" if it is not known. A node of the backward pass has the
    module of its forward pass."""
    stack = (
        node.meta.get("nn_module_stack")
        or node.meta.get("fwd_nn_module_stack")
        or {}
    )
    path: str = next(reversed([path for path, _ in stack.values()] or [""]))
    return _ROOT.sub(_prefix, path).removesuffix(".")


def _prefix(root: "re.Match[str]") -> str:
    return "" if root[1] in _OF_MODEL else f"{root[1]}."


def place(line: str, module: str, count: int = 1) -> str:
    """Returns the end of a message about `count` operators, the first of which
    is at `line` in `module`: for example, " (model.py:12, in blocks.0)".
    Returns "" if neither is known."""
    known = ", ".join(
        part for part in (line, module and f"in {module}") if part
    )
    return f" ({'first: ' if count > 1 else ''}{known})" if known else ""


def place_of(node: fx.Node) -> str:
    """Returns the end of a message about a node."""
    return place(line_of(node), module_of(node))
