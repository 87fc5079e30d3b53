"""Masks of attention: those that keep PyTorch from its kernels, and those that
need not be read."""

import enum
import math

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

_attention = torch.nn.functional.scaled_dot_product_attention
_PLACE = 3  # Of the mask, among operands.


def make_contiguous(module: fx.GraphModule) -> None:
    """Of Dynamo's graph. PyTorch has kernels for masks whose last stride is 1;
    attention with any other, as transformers makes them by `expand` and T5 by
    `permute`, becomes products in f32 before a backend sees it."""
    for part in module.modules():
        if isinstance(part, fx.GraphModule):
            for node in part.graph.find_nodes(op="call_function",
                                              target=_attention):
                _make_mask_contiguous(part.graph, node)
            part.recompile()


def _make_mask_contiguous(graph: fx.Graph, attention: fx.Node) -> None:
    mask = (attention.args[_PLACE] if len(attention.args) > _PLACE
            else attention.kwargs.get("attn_mask"))
    if not isinstance(mask, fx.Node):
        return
    value = mask.meta.get("example_value")
    if (not isinstance(value, torch.Tensor) or not value.dim()
            or value.stride(-1) == 1):
        return
    with graph.inserting_before(attention):
        copy = graph.call_method("contiguous", (mask,))
    copy.meta = {**mask.meta, "example_value": value.contiguous()}
    attention.replace_input_with(mask, copy)


class Kind(enum.Enum):
    """What a mask does to scores."""
    NEUTRAL = enum.auto()
    """It lets all take part, and changes none."""
    CAUSAL = enum.auto()
    """It lets each row see the columns up to its own."""
    OTHER = enum.auto()


def kind_of(mask: torch.Tensor, queries: int, keys: int) -> Kind:
    """Of truth values, or of what is added to scores. There may be one for
    several queries or keys."""
    with _disable_current_modes():
        causal = torch.ones(queries, keys, dtype=torch.bool).tril()
        if mask.dtype != torch.bool:
            causal = torch.where(causal, 0.0, -math.inf)
        is_neutral = mask.all() if mask.dtype == torch.bool else (
            mask == 0).all()
        return (Kind.NEUTRAL if is_neutral
                else Kind.CAUSAL if (mask == causal).all() else Kind.OTHER)
