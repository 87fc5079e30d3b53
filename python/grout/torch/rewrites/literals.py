"""Literals: tensors whose elements are all the same constant number.

Importers fold operators whose operands are literals. They fold some operators
wrongly, such as comparisons of floats with integers. Therefore this pass folds
the operators before: PyTorch computes one element, and the result is a filled
tensor.
"""

from typing import Any, Iterable, Optional, Sequence

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from ..graph import support
from ..graph.nodes import call
from .rewrite import Rewrite

aten = torch.ops.aten

_LAYOUTS = ("device", "layout", "memory_format", "non_blocking", "pin_memory")

_MOST_FOLDED = 16
"""The largest number of elements of a literal that importers make from several
different numbers."""


def fold(module: fx.GraphModule) -> None:
    """Replaces nodes that are computed from filled tensors by filled tensors.
    Importers then see only views of filled tensors, and operators that also
    have other operands."""
    elements: dict[fx.Node, torch.Tensor] = {}
    for node in list(module.graph.nodes):
        with _disable_current_modes():  # modes would make it fake
            element = _element(node, elements)
            number = None if element is None else element.item()
        if element is not None and number is not None:
            elements[node] = element
            if not support.is_private_view(node):
                _fill(module.graph, node, number)
        elif _is_joined(node, elements):
            _hide_first(module.graph, node)
    module.graph.eliminate_dead_code()
    module.recompile()


def _element(
    node: fx.Node, elements: dict[fx.Node, torch.Tensor]
) -> Optional[torch.Tensor]:
    """Returns the number that all elements of a node's value are, as a tensor
    of one element with the same number of axes. Returns None if the elements
    differ, or if they are not known."""
    value = node.meta.get("val")
    if not _has_elements(node, value) or not (
        support.is_fill(node)  # whatever it is shaped like
        or all(operand in elements for operand in node.all_input_nodes)
    ):
        return None
    assert isinstance(value, torch.Tensor)
    try:
        found = _computed(node, elements)
    except (RuntimeError, TypeError, ValueError):
        return None  # The same error appears when the graph runs.
    if found is None or found.numel() != 1:
        return None
    return found.to(value.dtype).reshape([1] * value.dim())


def _has_elements(node: fx.Node, value: object) -> bool:
    return (
        node.op == "call_function"
        and isinstance(node.target, torch._ops.OpOverload)
        and isinstance(value, torch.Tensor)
        and value.layout == torch.strided
        and not value.is_complex()
        and all(isinstance(extent, int) and extent for extent in value.shape)
    )


def _computed(
    node: fx.Node, elements: dict[fx.Node, torch.Tensor]
) -> Optional[torch.Tensor]:
    if support.is_fill(node):
        return _filled(node)
    if support.is_rearranged(node):
        return _common(
            [elements[operand] for operand in node.all_input_nodes],
            node.meta["val"].dtype,
        )
    return _evaluated(node, elements) if support.is_pointwise(node) else None


def _filled(node: fx.Node) -> torch.Tensor:
    packet, value = support.packet(node), node.meta["val"]
    number = (
        0
        if packet is aten.zeros
        else 1
        if packet is aten.ones
        else node.args[0]
        if packet is aten.scalar_tensor
        else node.args[1]
    )
    assert isinstance(number, (bool, int, float))
    return torch.full([1] * value.dim(), number, dtype=value.dtype)


def _common(
    operands: Sequence[torch.Tensor], dtype: torch.dtype
) -> Optional[torch.Tensor]:
    """Returns the element that all operands have in common, bit by bit; None if
    they differ."""
    first, *others = (operand.to(dtype).reshape(1) for operand in operands)
    return (
        first if all(_bits(other) == _bits(first) for other in others) else None
    )


def _bits(x: torch.Tensor) -> list[int]:
    numbers: list[int] = x.view(torch.uint8).tolist()
    return numbers


def _evaluated(
    node: fx.Node, elements: dict[fx.Node, torch.Tensor]
) -> torch.Tensor:
    args, options = fx.map_arg(
        (
            node.args,
            {
                name: value
                for name, value in node.kwargs.items()
                if name not in _LAYOUTS
            },
        ),
        elements.__getitem__,
    )
    assert callable(node.target)
    result: torch.Tensor = node.target(*args, **options)
    return result


def _fill(graph: fx.Graph, node: fx.Node, number: Any) -> None:
    """Changes a node into one that fills a tensor of the same type and strides
    with a number."""
    value = node.meta["val"]
    options = {"dtype": value.dtype, "device": value.device}
    if value.is_contiguous():
        node.target, node.kwargs = aten.full.default, options
        node.args = (list(value.shape), number)
        return
    order = sorted(range(value.dim()), key=lambda dim: -value.stride(dim))
    with graph.inserting_before(node):
        filled = call(
            graph,
            node,
            aten.full.default,
            [value.shape[dim] for dim in order],
            number,
            **options,
        )
    node.target, node.kwargs = aten.permute.default, {}
    node.args = (filled, sorted(range(len(order)), key=order.__getitem__))


def _is_joined(node: fx.Node, elements: Iterable[fx.Node]) -> bool:
    """Whether a node concatenates literals to a small tensor, which importers
    would fold to a literal of several numbers."""
    return (
        support.packet(node) is aten.cat
        and all(operand in elements for operand in node.all_input_nodes)
        and node.meta["val"].numel() <= _MOST_FOLDED
    )


def _hide_first(graph: fx.Graph, node: fx.Node) -> None:
    """Makes the first tensor of a concatenation depend on an arange, which is
    no literal."""
    (first, *others), *rest = node.args
    value = first.meta["val"]
    with graph.inserting_before(node):
        count = call(
            graph, node, aten.arange.default, value.numel(), device=value.device
        )
        is_one = call(graph, node, aten.ge.Scalar, count, 0)
        is_one = call(graph, node, aten.view.default, is_one, list(value.shape))
        zero = call(
            graph,
            node,
            aten.full.default,
            [],
            0,
            dtype=value.dtype,
            device=value.device,
        )
        first = call(graph, node, aten.where.self, is_one, first, zero)
    node.args = ([first, *others], *rest)


REWRITE = Rewrite(
    apply=lambda module, context: fold(module), after=("empties",)
)
