"""1-D, 3-D and transposed convolutions, and those with odd numbers of channels,
decomposed into operators that Grout has, where Grout then compiles all of these
operators."""

import math
from typing import Any, Container, Optional

import torch
from torch import fx

from ... import targets
from ..decompositions import ranks, strides, tables, transposed
from ..decompositions.steps import MOST_PLACES, Steps
from ..graph import support
from ..graph.nodes import replace, trace
from . import convolutions
from .rewrite import Rewrite

aten = torch.ops.aten

_FLOATS = (torch.float16, torch.bfloat16, torch.float32)

_MOST_PADDED = 2
"""A 2-D convolution may have less than so many times as many products if zeros
pad its channels and features."""


def expand(
    module: fx.GraphModule,
    target: targets.Target,
    excluded: Container[str] = (),
) -> None:
    """Decomposes convolutions whose parts `target` compiles, but not operators
    in `excluded`. For other convolutions, notes the reason in their
    metadata."""
    for node in module.graph.find_nodes(
        op="call_function", target=aten.convolution.default
    ):
        if _is_plain(node, target) or support.is_excluded(node, excluded):
            continue
        reason = _refusal(node, target) or _expand(module.graph, node, target)
        if reason:
            node.meta[convolutions.REFUSAL] = reason
        else:
            module.graph.erase_node(node)
    module.recompile()


def _is_plain(node: fx.Node, target: targets.Target) -> bool:
    """Whether a convolution is 2-D, not transposed, and not to be padded: Grout
    compiles it whole, or leaves it to PyTorch."""
    return (
        node.args[0].meta["val"].dim() == 4
        and not node.args[6]
        and not _gains_by_padding(node, target)
    )


def _gains_by_padding(node: fx.Node, target: targets.Target) -> bool:
    """Whether a GPU's kernel cannot load the channels or features of a 2-D
    convolution, but could if few zeros padded them. For example, 18 channels
    become 24."""
    if target.device_type == "cpu" or node.args[8] != 1:
        return False
    features, channels = node.args[1].meta["val"].shape[:2]
    if not all(isinstance(extent, int) for extent in (features, channels)):
        return False
    unit = target.row_unit
    padded = [
        math.ceil(extent / unit) * unit for extent in (features, channels)
    ]
    return (
        features * channels
        < math.prod(padded)
        < features * channels * _MOST_PADDED
    )


def _is_alone(node: fx.Node) -> bool:
    """Whether a convolution is depthwise and its filter is small."""
    x, weight = (operand.meta["val"] for operand in node.args[:2])
    return bool(
        x.shape[1] == node.args[8] > 1
        and weight.shape[2:].numel() <= MOST_PLACES
    )


def _refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Returns why a convolution is not decomposed; None if it may be."""
    x, weight = (operand.meta["val"] for operand in node.args[:2])
    extents = [*x.shape, *weight.shape, *node.meta["val"].shape]
    if any(not isinstance(extent, int) for extent in extents):
        return "a shape is not known"
    if 0 in extents:
        return "a tensor is empty"
    if not _is_alone(node):
        if x.dtype not in _FLOATS:
            return (
                f"convolutions of {str(x.dtype).removeprefix('torch.')} in "
                "1-D and 3-D, and transposed ones, are PyTorch's"
            )
        if target.device_type != "cpu" and (
            reason := convolutions.refusal_of_type(x.dtype, target)
        ):
            return reason
    elif not x.dtype.is_floating_point:
        return "convolutions of integers are PyTorch's"
    return _refusal_of_transposed(node) if node.args[6] else None


def _refusal_of_transposed(node: fx.Node) -> Optional[str]:
    x, weight = (operand.meta["val"] for operand in node.args[:2])
    along = transposed.axes(x, weight, _steps(node), node.args[7])
    if any(axis.stride > 1 and axis.dilation > 1 for axis in along):
        return "it is transposed, with both stride and dilation"
    if any(axis.places > MOST_PLACES for axis in along):
        return (
            f"it is transposed, and more than {MOST_PLACES} places "
            "of its filter meet in an element"
        )
    return None


def _steps(node: fx.Node) -> Steps:
    _, _, _, stride, padding, dilation, _, _, groups = node.args
    return Steps(stride, padding, dilation, groups)


def _expand(
    graph: fx.Graph, node: fx.Node, target: targets.Target
) -> Optional[str]:
    """Replaces a convolution by its parts and returns None, or returns why
    `target` does not compile the parts."""
    operands = [operand for operand in node.args[:3] if operand is not None]
    parts = trace(_rule(node, target), operands, tables.for_gpu())
    for part in parts.nodes:
        if part.op == "call_function" and (
            reason := convolutions.refusal_of_shape(part, target)
        ):
            return reason
    replace(graph, node, parts, operands)
    return None


def _rule(node: fx.Node, target: targets.Target) -> Any:
    """Returns a function of images, filters and perhaps a bias, which is the
    decomposition of a convolution, with eager's strides."""
    steps, more, is_transposed = _steps(node), node.args[7], node.args[6]

    def convolve(
        x: torch.Tensor, weight: torch.Tensor, *bias: torch.Tensor
    ) -> torch.Tensor:
        given = bias[0] if bias else None
        if is_transposed:
            return transposed.convolve(x, weight, given, steps, more, target)
        return ranks.convolve(x, weight, given, steps, target)

    def as_eager(
        x: torch.Tensor, weight: torch.Tensor, *bias: torch.Tensor
    ) -> torch.Tensor:
        result: torch.Tensor = aten.convolution(
            x, weight, bias[0] if bias else None, *node.args[3:]
        )
        return result

    return strides.as_eager(as_eager, convolve)


REWRITE = Rewrite(
    apply=lambda module, context: expand(
        module, context.target, context.excluded
    ),
    after=("one_pixel_convolutions",),
)
