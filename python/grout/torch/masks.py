"""Masks of attention: those that keep PyTorch from its kernels, and those that
are the same for all inputs."""

import enum
import math
from typing import Optional

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_map_only

_attention = torch.nn.functional.scaled_dot_product_attention
_PLACE = 3  # Of the mask, among operands.

_MOST_ELEMENTS = 2 ** 24


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


class Constants:
    """What nodes of a graph of ATen operators give, whatever its inputs are."""

    def __init__(self) -> None:
        self._found: dict[fx.Node, Optional[torch.Tensor]] = {}

    def of(self, node: fx.Node) -> Optional[torch.Tensor]:
        """On the CPU; None if it depends on an input, on chance, or on too many
        numbers."""
        with _disable_current_modes():  # which would make it a tensor's shape
            return self._of(node)

    def _of(self, node: fx.Node) -> Optional[torch.Tensor]:
        pending = [node]
        while pending:
            one = pending[-1]
            wanted = ([] if not _may_be_constant(one) else
                      [operand for operand in one.all_input_nodes
                       if operand not in self._found])
            if wanted:
                pending.extend(wanted)
                continue
            pending.pop()
            if one not in self._found:
                self._found[one] = self._evaluate(one)
        return self._found[node]

    def _evaluate(self, node: fx.Node) -> Optional[torch.Tensor]:
        if not _may_be_constant(node) or any(
                self._found[operand] is None
                for operand in node.all_input_nodes):
            return None
        operands = fx.map_arg((node.args, dict(node.kwargs)),
                              self._found.__getitem__)
        args, kwargs = tree_map_only(
            torch.device, lambda _: torch.device("cpu"), operands)
        assert callable(node.target)
        result: torch.Tensor = node.target(*args, **kwargs)
        return result


def _may_be_constant(node: fx.Node) -> bool:
    """Whether it is, if its operands are."""
    value = node.meta.get("val")
    return (node.op == "call_function"
            and isinstance(node.target, torch._ops.OpOverload)
            and isinstance(value, torch.Tensor)
            and all(isinstance(extent, int) for extent in value.shape)
            and value.numel() <= _MOST_ELEMENTS
            and not node.target._schema.is_mutable
            and torch.Tag.nondeterministic_seeded not in node.target.tags
            and not node.is_impure())


class Kind(enum.Enum):
    """What a mask does to scores."""
    NEUTRAL = enum.auto()
    """It lets all take part, and changes none."""
    CAUSAL = enum.auto()
    """It lets each row see the columns up to its own."""
    OTHER = enum.auto()


def kind_of(mask: torch.Tensor) -> Kind:
    """Of truth values, or of what is added to scores."""
    with _disable_current_modes():
        rows, columns = mask.shape[-2:]
        causal = torch.ones(rows, columns, dtype=torch.bool).tril()
        if mask.dtype != torch.bool:
            causal = torch.where(causal, 0.0, -math.inf)
        is_neutral = mask.all() if mask.dtype == torch.bool else (
            mask == 0).all()
        return (Kind.NEUTRAL if is_neutral
                else Kind.CAUSAL if (mask == causal).all() else Kind.OTHER)
