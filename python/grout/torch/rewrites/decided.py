"""Decides comparisons of integers by their bounds.

For example, a router's indices of 128 experts are from 0 to 127. A comparison
that looks for an expert 128, which a model spread over several GPUs would have,
is then false, and what it selects need not be computed.
"""

import math
from typing import Any, Callable, Optional

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from ..graph import support
from .constants import Constants
from .ranges import has_same_elements
from .rewrite import Context, Rewrite

aten, prims = torch.ops.aten, torch.ops.prims

Bounds = Optional[tuple[int, int]]

_TAKEN = {aten.gather, aten.index, aten.index_select, aten.embedding}
"""Operators that take elements of their first operand."""

_MOST_CONSTANT_ELEMENTS = 1 << 16

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


def _is_integer(node: Any) -> bool:
    value = node.meta.get("val") if isinstance(node, fx.Node) else None
    return (
        isinstance(value, torch.Tensor)
        and not value.dtype.is_floating_point
        and not value.dtype.is_complex
        and value.dtype != torch.bool
    )


class _Integers:
    """The bounds of the integers in a graph, node by node in its order."""

    def __init__(self, module: fx.GraphModule) -> None:
        self._constants = Constants(module)
        self._known: dict[fx.Node, Bounds] = {}
        for node in module.graph.nodes:
            if node.op == "call_function" and _is_integer(node):
                self._known[node] = self._find(node)

    def of(self, value: Any) -> Bounds:
        if isinstance(value, fx.Node):
            return self._known.get(value)
        return (value, value) if type(value) is int else None

    def _of_all(self, *values: Any) -> Bounds:
        """Returns bounds of all elements of `values`."""
        known = [self.of(value) for value in values]
        if not known or None in known:
            return None
        found = [bounds for bounds in known if bounds]
        return min(low for low, _ in found), max(high for _, high in found)

    def _find(self, node: fx.Node) -> Bounds:
        operator, args = support.packet(node), node.args
        if has_same_elements(node) or operator in _TAKEN:
            return self.of(args[0])
        if operator in (aten.amax, aten.amin):
            return self.of(args[0])
        if operator in (aten._to_copy, prims.convert_element_type):
            return self._of_cast(node)
        if operator is aten.cat:
            assert isinstance(args[0], (list, tuple))
            return self._of_all(*args[0])
        if node.target is aten.where.self:
            return self._of_all(*args[1:3])
        if node.target is aten.scatter.src:
            return self._of_all(args[0], args[3])
        if node.target is aten.clamp.default:
            return self._of_clamp(*(*args, None, None)[:3])
        return self._of_constant(node)

    def _of_cast(self, node: fx.Node) -> Bounds:
        bounds = self.of(node.args[0])
        limits = torch.iinfo(node.meta["val"].dtype)
        return (
            bounds
            if bounds and limits.min <= bounds[0] and bounds[1] <= limits.max
            else None
        )

    def _of_clamp(self, x: Any, least: Any, most: Any) -> Bounds:
        low, high = self.of(x) or (-math.inf, math.inf)
        # First `least` bounds an element, and then `most`.
        for limit, choose in ((least, max), (most, min)):
            if limit is None:
                continue
            if type(limit) is not int:
                return None
            low, high = choose(low, limit), choose(high, limit)
        if math.isinf(low) or math.isinf(high):
            return None
        return int(low), int(high)

    def _of_constant(self, node: fx.Node) -> Bounds:
        if node.meta["val"].numel() > _MOST_CONSTANT_ELEMENTS:
            return None
        value = self._constants.of(node)
        if value is None or not value.numel():
            return None
        with _disable_current_modes():  # modes would make it fake
            return int(value.min()), int(value.max())


def _decide(node: fx.Node, integers: _Integers) -> Optional[bool]:
    """Returns what all elements of a truth value are, if that is known."""
    while has_same_elements(node):
        node = node.all_input_nodes[0]
    if node.target not in _DECISIONS:
        return None
    x, y = node.args
    bounds = integers.of(x) if _is_integer(x) else None
    if bounds is None or type(y) is not int:
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
    integers = _Integers(module)
    for node in selections:
        condition, *choices = node.args
        decision = _decide(condition, integers)
        if decision is None:
            continue
        choice = choices[0 if decision else 1]
        if _is_like(choice, node):
            node.replace_all_uses_with(choice)
    module.graph.eliminate_dead_code()
    module.recompile()


REWRITE = Rewrite(apply=decide, after=("simplify",))
