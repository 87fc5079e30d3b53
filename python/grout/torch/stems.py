"""Convolutions of images of few channels on GPUs, as of three colours, whose
pixels TMA cannot load: a row for each window, and a product. Filters that lie side
by side are `patches`; these overlap."""

import functools
import math
from typing import Any, Container, Sequence

import torch
from torch import fx

from .. import targets
from . import convolutions, decompositions, patches, support
from .nodes import replace_by

aten = torch.ops.aten

_LEAST_ELEMENTS = 128
"""Of a filter: 7 x 7 of three colours. With fewer, as of 3 x 3, writing the rows
takes longer than PyTorch's convolution does."""
_MOST_ELEMENTS = 2 ** 23
"""Of all rows, which are written and read again. The caches of a GPU hold so
many; beyond them PyTorch's convolution, which has no rows, is faster."""


def expand(module: fx.GraphModule, target: targets.Target,
           excluded: Container[str] = ()) -> None:
    """Replaces what `target` multiplies, but for operators `excluded`."""
    if target.device_type == "cpu" or not target.has_products:
        return
    for node in module.graph.find_nodes(op="call_function",
                                        target=aten.convolution.default):
        if (not support.is_excluded(node, excluded)
                and convolutions.refusal(node, target) and _is_stem(node)):
            x, weight, bias, stride, padding = node.args[:5]
            operands = [x, weight] if bias is None else [x, weight, bias]
            function = functools.partial(
                _convolve, patches.is_last(node.meta["val"]), stride, padding)
            replace_by(module.graph, node, function, operands, _table())
            module.graph.erase_node(node)
    module.recompile()


def _table() -> dict[Any, Any]:
    """Windows stay one operator, which MLIR reads by its indices."""
    return {operator: decomposition for operator, decomposition
            in decompositions.for_gpu().items()
            if operator is not aten.unfold.default}


def _is_stem(node: fx.Node) -> bool:
    x, weight = (operand.meta["val"] for operand in node.args[:2])
    _, _, _, _, _, dilation, transposed, _, groups = node.args
    result = node.meta["val"]
    elements = math.prod(weight.shape[1:])
    rows = result.shape[0] * result.shape[2:].numel()
    return (x.dtype in convolutions.TYPES and x.dim() == weight.dim() == 4
            and groups == 1 and not transposed
            and all(one == 1 for one in dilation)
            and all(isinstance(extent, int) for extent in x.shape)
            and x.shape[1] % convolutions.UNIT != 0
            and weight.shape[0] % convolutions.UNIT == 0
            and elements >= _LEAST_ELEMENTS
            and rows * elements <= _MOST_ELEMENTS
            and all(tensor.is_contiguous() or patches.is_last(tensor)
                    for tensor in (weight, result)))


def _convolve(has_channels_last: bool, stride: Sequence[int], padding: Sequence[int],
              x: torch.Tensor, weight: torch.Tensor, *bias: torch.Tensor
              ) -> torch.Tensor:
    """x [batch, channels, height, width] times weight [features, channels,
    sizes...], and bias [features]; the result has its channels last in memory,
    or is contiguous."""
    above, left = padding
    x = aten.constant_pad_nd(x, [left, left, above, above])
    for dim, (size, step) in enumerate(zip(weight.shape[2:], stride), start=2):
        x = x.unfold(dim, size, step)
    order = [0, 2, 3, 1, 4, 5]  # [batch, counts..., channels, sizes...]
    if patches.is_last(weight):
        weight = weight.movedim(1, -1)
        order = [0, 2, 3, 4, 5, 1]
    counts = x.shape[2:4]
    rows = x.permute(order).reshape(-1, math.prod(weight.shape[1:]))
    return patches.multiply(has_channels_last, x.shape[0], counts, rows,
                            weight.reshape(weight.shape[0], -1), *bias)
