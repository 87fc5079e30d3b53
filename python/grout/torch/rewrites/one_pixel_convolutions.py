"""Convolutions of images of one pixel on GPUs, as in squeeze-and-excitation. If
GEMM kernels cannot load their channels, they become multiplications and
sums."""

from typing import Container

import torch
from torch import fx

from ... import targets
from ..decompositions import tables
from ..graph import support
from ..graph.nodes import replace_by
from . import convolutions
from .rewrite import Rewrite

aten = torch.ops.aten

_MOST_PRODUCTS = 2**20
"""The largest number of multiplications. Threads compute them without matrix
instructions."""


def expand(
    module: fx.GraphModule,
    target: targets.Target,
    excluded: Container[str] = (),
) -> None:
    """Replaces convolutions of one pixel that would be left to PyTorch
    otherwise, but not operators in `excluded`."""
    if target.device_type == "cpu":
        return
    for node in module.graph.find_nodes(
        op="call_function", target=aten.convolution.default
    ):
        if (
            not support.is_excluded(node, excluded)
            and convolutions.refusal(node, target)
            and _is_of_pixels(node)
        ):
            operands = [
                operand for operand in node.args[:3] if operand is not None
            ]
            replace_by(
                module.graph, node, _convolve, operands, tables.for_gpu()
            )
            module.graph.erase_node(node)
    module.recompile()


def _is_of_pixels(node: fx.Node) -> bool:
    x, weight = (operand.meta["val"] for operand in node.args[:2])
    padding, transposed, groups = node.args[4], node.args[6], node.args[8]
    return (
        x.dtype in convolutions.TYPES
        and x.dim() == weight.dim() == 4
        and groups == 1
        and not transposed
        and not any(padding)
        and all(
            extent == 1 for tensor in (x, weight) for extent in tensor.shape[2:]
        )
        and isinstance(x.shape[0], int)
        and x.shape[0] * weight.numel() <= _MOST_PRODUCTS
    )


def _convolve(
    x: torch.Tensor, weight: torch.Tensor, *bias: torch.Tensor
) -> torch.Tensor:
    """Multiplies x [batch, channels, 1, 1] by weight [features, channels, 1,
    1], and adds bias [features]."""
    batch, channels = x.shape[:2]
    products = x.reshape(batch, 1, channels).to(torch.float32) * weight.reshape(
        1, -1, channels
    ).to(torch.float32)
    result = products.sum(-1)
    for one in bias:
        result = result + one.to(torch.float32)
    return result.to(x.dtype).view(batch, -1, 1, 1)


REWRITE = Rewrite(
    apply=lambda module, context: expand(
        module, context.target, context.excluded
    ),
    after=("patch_convolutions",),
)
