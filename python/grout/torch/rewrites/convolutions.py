"""Which convolutions Grout is asked to compile."""

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
"""In the metadata of convolutions that Grout has no kernel for: why they are not
made of what it has."""

# Of TMA, which loads pixels on Hopper: channels begin at multiples of 16 bytes;
# strides, and what a filter reaches beyond a pixel, have few bits.
UNIT = 8
_LARGEST_STRIDE, LARGEST_REACH, _LARGEST_PADDING = 8, 128, 128

_TYPES_OF_ONE_CHANNEL = (*TYPES, torch.float32)


def refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Why a convolution is left to PyTorch, as a sentence without its end; None
    if it is not, or if it is none."""
    return refusal_of_shape(node, target) or (
        "its weights or images are not laid out with channels last, as "
        "model.to(memory_format=torch.channels_last) does"
        if wants_channels_last(node, target)
        else None
    )


def wants_channels_last(node: fx.Node, target: targets.Target) -> bool:
    """Whether a convolution would be Grout's, were its weights and images laid
    out so."""
    return (
        support.packet(node) is aten.convolution
        and target.device_type == "cuda"
        and not refusal_of_shape(node, target)
        and not (has_channels_last(weights_of(node)) and takes_images(node))
    )


def takes_images(node: fx.Node) -> bool:
    """Whether a convolution's images are laid out as kernels take them.
    Those that are products take any: what is before or behind turns them."""
    return not is_depthwise(node) or has_channels_last(node.args[0].meta["val"])


def has_channels_last(images: torch.Tensor) -> bool:
    return images.is_contiguous(memory_format=torch.channels_last)


def weights_of(node: fx.Node) -> torch.Tensor:
    """The weights of a convolution as they are with channels last: depthwise
    ones have one filter for each channel, which are then the channels."""
    weight: torch.Tensor = node.args[1].meta["val"]
    return weight.transpose(0, 1) if is_depthwise(node) else weight


def is_depthwise(node: fx.Node) -> bool:
    """Whether a node is a convolution of each channel alone."""
    if support.packet(node) is not aten.convolution:
        return False
    weight, groups = node.args[1].meta["val"], node.args[8]
    return groups > 1 and groups == weight.shape[0] and weight.shape[1] == 1


def refusal_of_shape(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Why a convolution is left to PyTorch, however it is laid out."""
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
    if x.shape[1] % UNIT:
        return f"its {x.shape[1]} channels are no multiple of {UNIT}"
    if weight.shape[0] % UNIT:
        return f"its {weight.shape[0]} features are no multiple of {UNIT}"
    reach = max(
        (size - 1) * distance
        for size, distance in zip(weight.shape[2:], dilation)
    )
    if (
        max(stride) > _LARGEST_STRIDE
        or reach > LARGEST_REACH
        or max(padding) > _LARGEST_PADDING
    ):
        return "its strides, padding or filter are large"
    return None


def refusal_of_type(
    dtype: torch.dtype, target: targets.Target
) -> Optional[str]:
    """Why a GPU does not convolve elements of a type as products."""
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
