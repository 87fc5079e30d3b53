"""Bounds of the integers that a graph computes. For example, the elements of
`x.clamp(0, 7) >> 2` are from 0 to 1."""

import math
from typing import Any, Optional

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from ..graph import support
from .constants import Constants

aten, prims = torch.ops.aten, torch.ops.prims

Bounds = Optional[tuple[int, int]]
"""The least and the greatest of some integers, or numbers below and above
them; None if they are not known."""

_TAKEN = {aten.gather, aten.index, aten.index_select, aten.embedding}
"""Operators that take elements of their first operand."""

_MOST_CONSTANT_ELEMENTS = 1 << 16

_SAME_ELEMENTS = {
    aten.clone,
    aten.expand,
    aten.permute,
    aten.select,
    aten.slice,
    aten.squeeze,
    aten.transpose,
    aten.unsqueeze,
    aten.view,
    aten._unsafe_view,
    aten.reshape,
}


def has_same_elements(node: fx.Node) -> bool:
    """Whether all elements of a node's value are elements of its first
    operand."""
    return (
        node.op == "call_function"
        and support.packet(node) in _SAME_ELEMENTS
        and node.target is not aten.view.dtype
    )


def is_integer(node: Any) -> bool:
    """Whether a value is a tensor of integers, and not of truth values."""
    value = node.meta.get("val") if isinstance(node, fx.Node) else None
    return (
        isinstance(value, torch.Tensor)
        and not value.dtype.is_floating_point
        and not value.dtype.is_complex
        and value.dtype != torch.bool
    )


def has_number(node: fx.Node, number: int) -> bool:
    """Whether the type of a node's integers has `number`. PyTorch computes with
    other numbers as if they wrapped around."""
    limits = torch.iinfo(node.meta["val"].dtype)
    return limits.min <= number <= limits.max


def _converted(bounds: Bounds, node: fx.Node) -> Bounds:
    """Returns the bounds of integers that are converted to the type of `node`;
    None if they may wrap around."""
    fits = bounds and all(has_number(node, number) for number in bounds)
    return bounds if fits else None


class Integers:
    """The bounds of the integers in a graph of ATen operators."""

    def __init__(self, module: fx.GraphModule) -> None:
        self._constants = Constants(module)
        self._known: dict[fx.Node, Bounds] = {}
        for node in module.graph.nodes:
            if node.op == "call_function" and is_integer(node):
                self._known[node] = self._find(node)

    def of(self, value: Any) -> Bounds:
        """Returns bounds of a number, or of all elements of a node's value;
        None if there are none."""
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
            return _converted(self.of(args[0]), node)
        if operator is aten.cat:
            assert isinstance(args[0], (list, tuple))
            return _converted(self._of_all(*args[0]), node)
        if node.target is aten.where.self:
            return _converted(self._of_all(*args[1:3]), node)
        if node.target in (aten.scatter.src, aten.scatter.value):
            return _converted(self._of_all(args[0], args[3]), node)
        if node.target is aten.index_put.default and args[3:] in ((), (False,)):
            return self._of_all(args[0], args[2])
        if node.target is aten.bitwise_right_shift.Tensor:
            return self._of_shift(node)
        if node.target is aten.clamp.default:
            return self._of_clamp(node, *(*args, None, None)[:3])
        return self._of_constant(node)

    def _of_clamp(self, node: fx.Node, x: Any, least: Any, most: Any) -> Bounds:
        low, high = self.of(x) or (-math.inf, math.inf)
        # First `least` bounds an element, and then `most`.
        for limit, choose in ((least, max), (most, min)):
            if limit is None:
                continue
            if type(limit) is not int or not has_number(node, limit):
                return None
            low, high = choose(low, limit), choose(high, limit)
        if math.isinf(low) or math.isinf(high):
            return None
        return int(low), int(high)

    def _of_shift(self, node: fx.Node) -> Bounds:
        bounds, by = map(self.of, node.args)
        bounds = _converted(bounds, node)
        if not bounds or not by or by[0] != by[1]:
            return None
        if not 0 <= by[0] < torch.iinfo(node.meta["val"].dtype).bits:
            return None
        return bounds[0] >> by[0], bounds[1] >> by[0]

    def _of_constant(self, node: fx.Node) -> Bounds:
        if node.meta["val"].numel() > _MOST_CONSTANT_ELEMENTS:
            return None
        value = self._constants.of(node)
        if value is None or not value.numel():
            return None
        with _disable_current_modes():  # modes would make it fake
            return int(value.min()), int(value.max())
