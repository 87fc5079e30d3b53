"""Decides comparisons of integers by their bounds.

For example, a router's indices of 128 experts are from 0 to 127. A comparison
that looks for an expert 128, which a model spread over several GPUs would have,
is then false, and what it selects need not be computed.
"""

from typing import Any, Callable, Optional

import torch
from torch import fx

from .integers import Integers, has_number, has_same_elements, is_integer
from .rewrite import Context, Rewrite
from .views import is_result

aten = torch.ops.aten

_DECISIONS: dict[Any, Callable[[int, int, int], Optional[bool]]] = {
    aten.ge.Scalar: lambda low, high, y: (
        True if low >= y else False if high < y else None
    ),
    aten.gt.Scalar: lambda low, high, y: (
        True if low > y else False if high <= y else None
    ),
    aten.le.Scalar: lambda low, high, y: (
        True if high <= y else False if low > y else None
    ),
    aten.lt.Scalar: lambda low, high, y: (
        True if high < y else False if low >= y else None
    ),
    aten.eq.Scalar: lambda low, high, y: (
        True if low == high == y else False if not low <= y <= high else None
    ),
    aten.ne.Scalar: lambda low, high, y: (
        False if low == high == y else True if not low <= y <= high else None
    ),
}


def _decide(node: fx.Node, integers: Integers) -> Optional[bool]:
    """Returns what all elements of a truth value are, if that is known."""
    while has_same_elements(node):
        node = node.all_input_nodes[0]
    if node.target not in _DECISIONS:
        return None
    x, y = node.args
    bounds = integers.of(x) if is_integer(x) else None
    if bounds is None or type(y) is not int or not has_number(x, y):
        return None
    return _DECISIONS[node.target](*bounds, y)


def _is_like(choice: Any, node: fx.Node) -> bool:
    """Whether `choice` can take the place of `node`."""
    if not isinstance(choice, fx.Node):
        return False
    one, other = choice.meta["val"], node.meta["val"]
    return (
        one.shape == other.shape
        and one.dtype == other.dtype
        and one.device == other.device
        and one.stride() == other.stride()
    )


def decide(module: fx.GraphModule, context: Context) -> None:
    """Replaces selections by one of their operands, where bounds of integers
    decide which."""
    selections = [
        node
        for node in module.graph.nodes
        if node.target is aten.where.self and isinstance(node.args[0], fx.Node)
    ]
    if not selections:
        return
    integers = Integers(module)
    for node in selections:
        condition, *choices = node.args
        decision = _decide(condition, integers)
        if decision is None:
            continue
        choice = choices[0 if decision else 1]
        if not _is_like(choice, node):
            continue
        if is_result(node):  # which shares no memory with the choice
            node.target, node.args = aten.clone.default, (choice,)
        else:
            node.replace_all_uses_with(choice)
    module.graph.eliminate_dead_code()
    module.recompile()


REWRITE = Rewrite(apply=decide, after=("simplify",))
