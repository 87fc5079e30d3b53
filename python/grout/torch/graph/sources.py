"""Where in a model its operators are."""

import os
import pathlib
import re

import torch
from torch import fx

_FRAME = re.compile(r'^ *File "(.+)", line (\d+), in ', re.MULTILINE)
_ROOT = re.compile(r"^[LG]\['(\w+)'\]\.?")
_OF_MODEL = ("self", "model")

# What calls operators on behalf of a model.
_LIBRARIES = tuple(
    f"{folder}{os.sep}"
    for folder in (
        pathlib.Path(torch.__file__).parent,
        pathlib.Path(__file__).parents[2],
    )
)


def line_of(node: fx.Node) -> str:
    """The innermost line of the model's own text in which a node was made:
    "model.py:12", or ""."""
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
    """The innermost module in which a node, or the one of the forward pass
    that it is the gradient of, was made: "blocks.0.mlp", or ""."""
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
    """How what is said of `count` operators ends, of which the first is there:
    " (model.py:12, in blocks.0)"; "" if neither is known."""
    known = ", ".join(
        part for part in (line, module and f"in {module}") if part
    )
    return f" ({'first: ' if count > 1 else ''}{known})" if known else ""


def place_of(node: fx.Node) -> str:
    """How what is said of a node ends."""
    return place(line_of(node), module_of(node))
