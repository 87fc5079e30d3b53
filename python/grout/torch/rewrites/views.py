"""Views that importers do not know: windows along an axis, and diagonals.

Graphs keep these views, as PyTorch does, so that results computed from them
have eager's strides. Here, the views that the graph does not return become
slices.
"""

import functools
from typing import Any, Callable

import torch
from torch import fx
from torch._guards import detect_fake_mode

from ..decompositions import shapes, tables
from ..graph import support
from ..graph.nodes import replace_by
from .rewrite import Rewrite

Table = dict[Any, Callable[..., Any]]


def expand(module: fx.GraphModule, table: Table) -> None:
    """Replaces views by other operators, which `table` decomposes. A view that
    the graph returns stays a view, which PyTorch makes."""
    for node in list(module.graph.nodes):
        rule = shapes.VIEWS.get(node.target)
        if rule is None or is_result(node):
            continue
        x, *rest = node.args
        function = functools.partial(_viewed, rule, rest, node.kwargs)
        if _is_possible(function, x.meta["val"]):
            replace_by(module.graph, node, function, [x], table)
            module.graph.erase_node(node)
    module.recompile()


def _viewed(
    rule: Callable[..., Any], rest: Any, options: Any, x: torch.Tensor
) -> Any:
    return rule(x, *rest, **options)


def _is_possible(function: Callable[..., Any], value: torch.Tensor) -> bool:
    with detect_fake_mode(value) or torch.no_grad():
        return function(value) is not NotImplemented


def is_result(node: fx.Node) -> bool:
    """Whether the graph returns a node, or a view of it."""
    return any(
        user.op == "output"
        or (support.is_private_view(user) and is_result(user))
        for user in node.users
    )


REWRITE = Rewrite(
    apply=lambda module, context: expand(module, tables.for_graph(module))
)
