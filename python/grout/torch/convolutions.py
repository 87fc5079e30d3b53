"""Which convolutions Grout is asked to compile."""

from typing import Optional

import torch
from torch import fx

from .. import targets
from . import support

aten = torch.ops.aten

TYPES = (torch.float16, torch.bfloat16)

# Of TMA, which loads pixels on Hopper: channels begin at multiples of 16 bytes;
# strides, and what a filter reaches beyond a pixel, have few bits.
UNIT = 8
_LARGEST_STRIDE, _LARGEST_REACH, _LARGEST_PADDING = 8, 128, 128


def refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Why a convolution is left to PyTorch, as a sentence without its end; None
    if it is not, or if it is none."""
    return _refusal(node, target) or (
        "its weights are not laid out with channels last, as "
        "model.to(memory_format=torch.channels_last) does"
        if wants_channels_last(node, target) else None)


def wants_channels_last(node: fx.Node, target: targets.Target) -> bool:
    """Whether a convolution would be Grout's, were its weights laid out so."""
    return (support.packet(node) is aten.convolution
            and target.device_type == "cuda"
            and not _refusal(node, target)
            and not has_channels_last(node.args[1].meta["val"]))


def has_channels_last(images: torch.Tensor) -> bool:
    return images.is_contiguous(memory_format=torch.channels_last)


def _refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """But for how weights are laid out."""
    if support.packet(node) is not aten.convolution:
        return None
    x, weight = (argument.meta["val"] for argument in node.args[:2])
    _, _, _, stride, padding, dilation, transposed, _, groups = node.args
    if transposed or x.dim() != 4:
        return "transposed convolutions, and those of no images, are PyTorch's"
    if groups != 1:
        return "convolutions of several groups are left to PyTorch"
    if target.device_type == "cpu":
        return None
    if not target.has_products:
        return "convolutions are left to PyTorch on this GPU"
    if x.dtype not in TYPES:
        return f"convolutions of {str(x.dtype).removeprefix('torch.')} " \
               "are PyTorch's on GPUs"
    if x.shape[1] % UNIT or weight.shape[0] % UNIT:
        return f"channels are no multiples of {UNIT}"
    reach = max((size - 1) * distance
                for size, distance in zip(weight.shape[2:], dilation))
    if (max(stride) > _LARGEST_STRIDE or reach > _LARGEST_REACH
            or max(padding) > _LARGEST_PADDING):
        return "its strides, padding or filter are large"
    return None
