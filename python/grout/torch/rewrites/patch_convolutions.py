"""Convolutions on GPUs whose stride is the size of the filter, as where an
image is cut into patches. If they would be left to PyTorch, they become GEMMs.
For example, TMA cannot load the pixels of images of three colours."""

import functools
import math
from typing import Container, Optional, Sequence

import torch
from torch import fx

from ... import targets
from ..decompositions import tables
from ..graph import support
from ..graph.nodes import replace_by
from . import convolutions
from .rewrite import Rewrite

aten = torch.ops.aten


def expand(
    module: fx.GraphModule,
    target: targets.Target,
    excluded: Container[str] = (),
) -> None:
    """Replaces convolutions of patches if `target` has GEMMs, but not operators
    in `excluded`."""
    if not _multiplies(target):
        return
    for node in module.graph.find_nodes(
        op="call_function", target=aten.convolution.default
    ):
        if (
            not support.is_excluded(node, excluded)
            and convolutions.refusal(node, target)
            and _is_of_patches(node)
            and _has_rows(node, target)
        ):
            x, weight, bias = node.args[:3]
            operands = [x, weight] if bias is None else [x, weight, bias]
            replace_by(
                module.graph,
                node,
                functools.partial(_convolve, _is_last(node.meta["val"])),
                operands,
                tables.for_gpu(),
            )
            module.graph.erase_node(node)
    module.recompile()


def _multiplies(target: targets.Target) -> bool:
    return target.device_type != "cpu" and target.has_products


def refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Returns why a convolution of patches does not become a GEMM, but is left
    to PyTorch, as a sentence without its full stop; None if it is not left, or
    if the node is another operator."""
    if (
        not _multiplies(target)
        or not convolutions.refusal(node, target)
        or not _is_of_patches(node)
        or _has_rows(node, target)
    ):
        return None
    features, *sizes = node.args[1].meta["val"].shape
    unit = target.row_unit
    if features % unit:
        return f"its {features} features are no multiple of {unit}"
    return (
        f"its filters have {' x '.join(map(str, sizes))} = "
        f"{math.prod(sizes)} elements, no multiple of {unit}"
    )


def _is_of_patches(node: fx.Node) -> bool:
    x, weight = (operand.meta["val"] for operand in node.args[:2])
    _, _, _, stride, padding, dilation, transposed, _, groups = node.args
    size = weight.shape[2:]
    return (
        all(isinstance(extent, int) for extent in (*x.shape, *weight.shape))
        and x.dtype in convolutions.TYPES
        and groups == 1
        and not transposed
        and x.dim() == weight.dim()
        and list(stride) == list(size)
        and not any(padding)
        and all(one == 1 for one in dilation)
        and not any(extent % one for extent, one in zip(x.shape[2:], size))
        and all(
            tensor.is_contiguous() or _is_last(tensor)
            for tensor in (weight, node.meta["val"])
        )
    )


def _has_rows(node: fx.Node, target: targets.Target) -> bool:
    """Whether rows of the GEMM's operands and result begin at multiples of 16
    bytes."""
    features, *sizes = node.args[1].meta["val"].shape
    unit = target.row_unit
    return not (features % unit or math.prod(sizes) % unit)


def _is_last(x: torch.Tensor) -> bool:
    """Whether the channels, the second axis, are the innermost axis in
    memory."""
    return not x.is_contiguous() and x.movedim(1, -1).is_contiguous()


def _convolve(
    is_last: bool, x: torch.Tensor, weight: torch.Tensor, *bias: torch.Tensor
) -> torch.Tensor:
    """Convolves x [batch, channels, extents...] with weight [features,
    channels, sizes...], and adds bias [features]. The sizes divide the extents.
    The result has channels last in memory if `is_last`, and is contiguous
    otherwise."""
    size = weight.shape[2:]
    counts = [extent // one for extent, one in zip(x.shape[2:], size)]
    patches = _patches(
        x, size, counts
    )  # [batch, counts..., channels, sizes...]
    if _is_last(weight):
        weight = weight.movedim(1, -1)
        patches = patches.movedim(len(counts) + 1, -1)
    rows = patches.reshape(-1, math.prod(weight.shape[1:]))
    columns = weight.reshape(weight.shape[0], -1).t()
    result = (
        torch.addmm(bias[0], rows, columns) if bias else torch.mm(rows, columns)
    )
    batch, features = x.shape[0], weight.shape[0]
    if is_last:
        return result.view(batch, *counts, features).movedim(-1, 1)
    result = result.view(batch, math.prod(counts), features)
    return result.transpose(1, 2).contiguous().view(batch, features, *counts)


def _patches(
    x: torch.Tensor, size: Sequence[int], counts: Sequence[int]
) -> torch.Tensor:
    rank = len(size)
    pairs = [extent for pair in zip(counts, size) for extent in pair]
    x = x.reshape(*x.shape[:2], *pairs)
    of_counts = range(2, 2 + 2 * rank, 2)
    of_sizes = range(3, 3 + 2 * rank, 2)
    return x.permute(0, *of_counts, 1, *of_sizes)


REWRITE = Rewrite(
    apply=lambda module, context: expand(
        module, context.target, context.excluded
    ),
    refusal=lambda node, context: refusal(node, context.target),
    after=("adding", "bags"),
)
