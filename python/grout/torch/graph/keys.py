"""Graphs as text, from which keys are made."""

import math
from typing import Any

import torch
from torch import fx


def _text(argument: Any, numbers: dict[fx.Node, int]) -> str:
    if isinstance(argument, fx.Node):
        return f"%{numbers[argument]}"
    if isinstance(argument, (list, tuple)):
        return f"[{', '.join(_text(item, numbers) for item in argument)}]"
    if isinstance(argument, dict):
        return f"{{{', '.join(f'{name}: {_text(value, numbers)}' for name, value in sorted(argument.items()))}}}"
    if isinstance(argument, torch.device):
        return argument.type
    if isinstance(argument, float) and math.isnan(argument):
        return f"{math.copysign(1, argument):+.0f}nan"
    return repr(argument)


def _type(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_type, value))})"
    return type(value).__name__


def describe(module: fx.GraphModule) -> str:
    """Returns a graph as text, without the names of its model. The texts of
    equal layers are equal."""
    numbers = {node: i for i, node in enumerate(module.graph.nodes)}
    lines = []
    for node, number in numbers.items():
        target = "" if node.op in ("placeholder", "output") else node.target
        lines.append(
            f"%{number} = {node.op} {target} "
            f"{'' if node.op == 'placeholder' else _text(node.args, numbers)}"
            f"{_text(dict(node.kwargs), numbers)}"
            f" : {_type(node.meta.get('val'))}"
        )
    return "\n".join(lines)
