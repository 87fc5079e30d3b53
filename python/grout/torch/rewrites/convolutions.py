"""Decides which convolutions Grout compiles."""

from typing import Optional

import torch
from torch import fx

from ... import targets
from ..decompositions.steps import MOST_PLACES
from ..graph import support
from .rewrite import Rewrite

aten = torch.ops.aten

TYPES = (torch.float16, torch.bfloat16)

REFUSAL = "grout_refusal"
"""Key in the metadata of convolutions for which Grout has no kernel: why they
are not decomposed into operators that it has."""

_TYPES_OF_ONE_CHANNEL = (*TYPES, torch.float32)


def refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Returns why a convolution is left to PyTorch, as a sentence without its
    full stop; None if Grout compiles it, or if the node is another operator."""
    return refusal_of_shape(node, target) or (
        "its weights or images are not laid out with channels last, as "
        "model.to(memory_format=torch.channels_last) does"
        if wants_channels_last(node, target)
        else None
    )


def wants_channels_last(node: fx.Node, target: targets.Target) -> bool:
    """Whether Grout would compile a convolution if its weights and images had
    channels last."""
    return (
        support.packet(node) is aten.convolution
        and target.device_type == "cuda"
        and not refusal_of_shape(node, target)
        and not (has_channels_last(weights_of(node)) and takes_images(node))
    )


def takes_images(node: fx.Node) -> bool:
    """Whether kernels can read a convolution's images as they are in memory.
    Depthwise kernels want channels last. Other convolutions take any layout,
    because operators before or behind them change it."""
    return not is_depthwise(node) or has_channels_last(node.args[0].meta["val"])


def has_channels_last(images: torch.Tensor) -> bool:
    return images.is_contiguous(memory_format=torch.channels_last)


def weights_of(node: fx.Node) -> torch.Tensor:
    """Returns the weights of a convolution for a test whether they have
    channels last. Depthwise weights have one filter for each channel; here, the
    filters become the channels."""
    weight: torch.Tensor = node.args[1].meta["val"]
    return weight.transpose(0, 1) if is_depthwise(node) else weight


def is_depthwise(node: fx.Node) -> bool:
    """Whether a node is a depthwise convolution: each channel is a group of its
    own, with one feature."""
    if support.packet(node) is not aten.convolution:
        return False
    weight, groups = node.args[1].meta["val"], node.args[8]
    return groups > 1 and groups == weight.shape[0] and weight.shape[1] == 1


def refusal_of_shape(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Returns why a convolution is left to PyTorch, whatever its layout in
    memory; None if it is not, or if the node is another operator."""
    if support.packet(node) is not aten.convolution:
        return None
    x, weight = (argument.meta["val"] for argument in node.args[:2])
    _, _, _, stride, padding, dilation, transposed, _, _ = node.args
    if REFUSAL in node.meta:
        return str(node.meta[REFUSAL])
    if transposed or x.dim() != 4:
        return "it is no convolution of images"
    if is_depthwise(node):
        return _refusal_of_depthwise(node, target)
    if target.device_type == "cpu":
        return None
    if reason := refusal_of_type(x.dtype, target):
        return reason
    unit = target.row_unit
    if x.shape[1] % unit:
        return f"its {x.shape[1]} channels are no multiple of {unit}"
    if weight.shape[0] % unit:
        return f"its {weight.shape[0]} features are no multiple of {unit}"
    if not all(
        target.has_filters(step, pad, (size - 1) * distance)
        for step, pad, size, distance in zip(
            stride, padding, weight.shape[2:], dilation
        )
    ):
        return "its strides, padding or filter are large"
    return None


def refusal_of_type(
    dtype: torch.dtype, target: targets.Target
) -> Optional[str]:
    """Returns why a GPU has no implicit GEMM for elements of a type; None if it
    has one."""
    if not target.has_products:
        return "convolutions are left to PyTorch on this GPU"
    if dtype not in TYPES:
        return (
            f"convolutions of {str(dtype).removeprefix('torch.')} "
            "are PyTorch's on GPUs"
        )
    return None


def _refusal_of_depthwise(
    node: fx.Node, target: targets.Target
) -> Optional[str]:
    weight = node.args[1].meta["val"]
    if target.device_type == "cpu":
        return (
            "convolutions of images, each channel alone, are PyTorch's on "
            "the CPU"
        )
    if weight.dtype not in _TYPES_OF_ONE_CHANNEL:
        return (
            f"convolutions of {str(weight.dtype).removeprefix('torch.')} "
            "are PyTorch's on GPUs"
        )
    if weight.shape[2:].numel() > MOST_PLACES:
        return f"its filter has more than {MOST_PLACES} places"
    return None


REWRITE = Rewrite(
    refusal=lambda node, context: refusal(node, context.target),
    after=("patch_convolutions",),
)
