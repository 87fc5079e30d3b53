"""Simplifies graphs, so that importers and the compiler see fewer kinds of
nodes."""

from typing import Any

import torch
from torch import fx

from ..decompositions.extents import are_known
from ..graph import support
from .rewrite import Rewrite

aten, prims = torch.ops.aten, torch.ops.prims


def simplify(module: fx.GraphModule) -> None:
    """Simplifies a graph as follows.

    - Removes empty operands of concatenations, such as a cache that is empty at
      first, and nodes that are then unused.
    - Replaces comparisons of a tensor with itself, which importers fold to
      true, by a test whether elements are not NaN.
    - Replaces scalar tensors by filled tensors, which importers know on every
      device.
    - Bypasses as_strided where it only changes strides of axes of extent 1, as
      in averages of images with channels last.
    - Replaces as_strided by a view where it gives all elements another shape,
      as in group norms.
    - Gives each user of a view a view of its own, which can be where the user
      is."""
    for node in list(module.graph.nodes):
        if node.op == "call_function" and support.packet(node) is aten.cat:
            _drop_empty(node)
        elif node.target in _REFLEXIVE and _is_of_one(node):
            _ask_for_number(module.graph, node)
        elif node.target is aten.scalar_tensor.default:
            node.target, node.args = aten.full.default, ([], node.args[0])
        elif node.target is aten.as_strided.default and _has_elements_in_place(
            node
        ):
            _pass_by(node)
        elif node.target is aten.as_strided.default and _is_reshape(node):
            node.target, node.args = aten.view.default, node.args[:2]
    module.graph.eliminate_dead_code()
    for node in reversed(module.graph.nodes):
        if support.is_private_view(node):
            _give_each_user_its_own(module.graph, node)
    module.recompile()


def _give_each_user_its_own(graph: fx.Graph, view: fx.Node) -> None:
    for user in list(view.users)[1:]:
        with graph.inserting_before(user):
            copy = graph.node_copy(view)
        user.replace_input_with(view, copy)


_REFLEXIVE = (aten.eq.Tensor, aten.ge.Tensor, aten.le.Tensor)


_UNCHANGING = {
    aten.alias,
    aten.clone,
    aten.detach,
    aten.expand,
    aten.reshape,
    aten.slice,
    aten.view,
    aten._to_copy,
    aten._unsafe_view,
    prims.convert_element_type,
}


def _is_of_one(node: fx.Node) -> bool:
    """Whether a comparison compares a tensor with itself, or with a copy of
    itself."""
    left, right = map(_origin, node.args[:2])
    return left is right


def _origin(node: Any) -> Any:
    """Returns the earliest node with the same elements at the same
    positions."""
    while (
        isinstance(node, fx.Node)
        and support.packet(node) in _UNCHANGING
        and _is_alike(node.meta["val"], node.args[0].meta["val"])
    ):
        node = node.args[0]
    return node


def _is_alike(x: torch.Tensor, y: torch.Tensor) -> bool:
    return x.dtype == y.dtype and list(x.shape) == list(y.shape)


def _ask_for_number(graph: fx.Graph, node: fx.Node) -> None:
    with graph.inserting_before(node):
        is_none = graph.call_function(aten.isnan.default, (node.args[0],))
    is_none.meta = dict(node.meta)
    node.target, node.args = aten.logical_not.default, (is_none,)


def _has_elements_in_place(node: fx.Node) -> bool:
    """Whether an as_strided keeps the address of each element."""
    source, shape, stride, *_ = node.args
    assert isinstance(source, fx.Node) and isinstance(shape, (list, tuple))
    assert isinstance(stride, (list, tuple))
    value = source.meta["val"]
    return (
        list(value.shape) == list(shape)
        and all(
            one == other or extent == 1
            for one, other, extent in zip(value.stride(), stride, shape)
        )
        and not _has_offset(node)
    )


def _is_reshape(node: fx.Node) -> bool:
    """Whether an as_strided gives all elements of a contiguous tensor, in
    order."""
    source, result = node.args[0].meta["val"], node.meta["val"]
    return (
        are_known(*source.shape, *result.shape)
        and source.numel() == result.numel()
        and source.is_contiguous()
        and result.is_contiguous()
        and not _has_offset(node)
    )


def _has_offset(node: fx.Node) -> bool:
    return any(
        one is not None for one in (*node.args[3:], *node.kwargs.values())
    )


def _pass_by(view: fx.Node) -> None:
    """Replaces a view by its operand, except in the output of the graph, which
    must have the strides of the view."""
    for user in list(view.users):
        if user.op != "output":
            user.replace_input_with(view, view.args[0])


def _drop_empty(node: fx.Node) -> None:
    tensors, *rest = node.args
    assert isinstance(tensors, (list, tuple))
    kept = [tensor for tensor in tensors if not support.is_empty(tensor)]
    if 0 < len(kept) < len(tensors):
        node.args = (kept, *rest)


REWRITE = Rewrite(
    apply=lambda module, context: simplify(module), after=("operand_types",)
)
