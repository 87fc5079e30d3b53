"""Finds out what masks of attention do, as far as constants say it.

For example, a model of language hides from each query the keys behind its own
position. Kernels need not read such a mask, and skip the tiles that it hides.
If the mask also hides words that pad an input, kernels read it, but still skip
those tiles.
"""

import dataclasses
import math
from typing import Any, Iterator, Optional

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_map_only

from ..graph import support
from .constants import Constants

aten, prims = torch.ops.aten, torch.ops.prims

HIDDEN = -65504.0
"""The number that PyTorch adds to scores that a bool mask hides, if cuDNN
computes the attention."""

_MOST_ELEMENTS = 2**30
"""The largest mask whose elements are computed."""

_BLOCK = 2**22
"""The number of elements that are computed at once."""

_AND = (aten.bitwise_and, aten.logical_and)

_CONVERSIONS = (aten._to_copy, aten.clone, prims.convert_element_type)


@dataclasses.dataclass(frozen=True)
class Effect:
    """What is known about a mask. Query i and key j are at positions i and
    j."""

    hides_future: bool
    """It hides the keys with j > i from query i."""
    changes_others: bool
    """It hides other keys, or changes their scores."""


class Masks:
    """The masks of a graph of ATen operators."""

    def __init__(self, module: fx.GraphModule) -> None:
        self._constants = Constants(module)
        self._found: dict[tuple[fx.Node, int, int], Effect] = {}

    def effect_of(self, mask: fx.Node, queries: int, keys: int) -> Effect:
        """Returns the effect of a mask. The mask is bool and true where a score
        is kept, or is added to scores. Its axes broadcast to [..., queries,
        keys]."""
        key = _broadcast(mask), queries, keys
        if key not in self._found:
            with _disable_current_modes():  # modes would make tensors fake
                self._found[key] = (
                    self._effect_of(*key)
                    if queries * keys <= _MOST_ELEMENTS
                    else Effect(False, True)
                )
        return self._found[key]

    def _effect_of(self, mask: fx.Node, queries: int, keys: int) -> Effect:
        effect = self._effect_of_constant(mask, queries, keys)
        if effect is not None:
            return effect
        parts = [
            self._effect_of_constant(part, queries, keys)
            for part in _conjuncts(mask)
            if part is not mask
        ]
        return Effect(any(part and part.hides_future for part in parts), True)

    def _effect_of_constant(
        self, mask: fx.Node, queries: int, keys: int
    ) -> Optional[Effect]:
        """Returns the effect of a mask; None if the mask is not constant."""
        hides_future, hides_nothing, changes_past = True, True, False
        for rows in self._blocks(queries, keys):
            block = _Block(self._constants, rows).of(mask)
            if block is None:
                return None
            is_past = torch.arange(keys) <= torch.tensor(rows).unsqueeze(-1)
            is_bool = block.dtype == torch.bool
            kept = block if is_bool else block == 0
            hidden = ~block if is_bool else _is_hidden(block, kept & is_past)
            hides_future &= bool((hidden | is_past).all())
            hides_nothing &= bool(kept.all())
            changes_past |= not bool((kept | ~is_past).all())
            if not hides_future and not hides_nothing:
                return Effect(False, True)
        return Effect(not hides_nothing, changes_past)

    def _blocks(self, queries: int, keys: int) -> Iterator[range]:
        rows = max(_BLOCK // max(keys, 1), 1)
        for first in range(0, queries, rows):
            yield range(first, min(first + rows, queries))


class _Block:
    """Values of nodes in some rows, along the last but one axis."""

    def __init__(self, constants: Constants, rows: range) -> None:
        self._constants = constants
        self._rows = rows
        self._found: dict[fx.Node, Optional[torch.Tensor]] = {}

    def of(self, node: fx.Node) -> Optional[torch.Tensor]:
        """Returns a tensor that broadcasts to the rows, with as many axes as
        the node: operators promote types by axes. Returns None if the node is
        not constant."""
        source = _broadcast(node)
        if source not in self._found:
            self._found[source] = self._of(source)
        found = self._found[source]
        if found is None:
            return None
        missing = node.meta["val"].dim() - found.dim()
        return found.view([1] * missing + list(found.shape))

    def _of(self, node: fx.Node) -> Optional[torch.Tensor]:
        value = node.meta.get("val")
        if not isinstance(value, torch.Tensor):
            return None
        if not all(isinstance(extent, int) for extent in value.shape):
            return None
        if value.numel() <= _BLOCK:
            whole = self._constants.of(node)
            if whole is None or whole.dim() < 2 or whole.shape[-2] == 1:
                return whole
            return whole.narrow(-2, self._rows.start, len(self._rows))
        if node.target is aten.full.default:
            return torch.full((), node.args[1], dtype=value.dtype)
        return self._compute(node)

    def _compute(self, node: fx.Node) -> Optional[torch.Tensor]:
        """Computes an operator by its operands in the same rows."""
        if (
            not isinstance(node.target, torch._ops.OpOverload)
            or not (
                torch.Tag.pointwise in node.target.tags
                or support.packet(node) in _CONVERSIONS
            )
            or torch.Tag.nondeterministic_seeded in node.target.tags
            or node.target._schema.is_mutable
        ):
            return None
        operands = {one: self.of(one) for one in node.all_input_nodes}
        if any(operand is None for operand in operands.values()):
            return None
        args, kwargs = tree_map_only(
            torch.device,
            lambda _: torch.device("cpu"),
            fx.map_arg((node.args, dict(node.kwargs)), operands.__getitem__),
        )
        try:
            result: torch.Tensor = node.target(*args, **kwargs)
        except RuntimeError:
            return None  # Only GPUs have this operator.
        return result


def _is_hidden(added: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """Returns which keys a query does not see if `added` is added to its
    scores. PyTorch adds HIDDEN instead of -inf for cuDNN. That hides a key from
    a query that sees another key, one of those that are `kept`."""
    sees_one = kept.any(-1, keepdim=True)
    return (added == -math.inf) | ((added <= HIDDEN) & sees_one)


def as_condition(mask: fx.Node) -> Optional[fx.Node]:
    """Returns the bool mask of which PyTorch has made `mask`, which is added to
    scores, for cuDNN; None if it has not. In f16, a model itself may have added
    HIDDEN, which is the least number of this type."""
    made = _broadcast(mask)
    if (
        made.target is aten.where.self
        and made.meta["val"].dtype == torch.bfloat16
        and _is_filled(made.args[1], 0.0)
        and _is_filled(made.args[2], HIDDEN)
    ):
        condition: Any = made.args[0]
        return condition
    return None


def _broadcast(node: fx.Node) -> fx.Node:
    """Returns the tensor that is expanded to `node`."""
    while node.target is aten.expand.default:
        operand: Any = node.args[0]
        node = operand
    return node


def _conjuncts(mask: fx.Node) -> list[fx.Node]:
    """Returns masks that all let a score pass if `mask` does: of `where(a & b,
    0, -inf)`, a and b."""
    mask = _broadcast(mask)
    if support.packet(mask) in _CONVERSIONS and _is_bool(mask) == _is_bool(
        mask.args[0]
    ):
        return _conjuncts(mask.args[0])
    if mask.target is aten.where.self and _is_filled(mask.args[2], -math.inf):
        return _conjuncts(mask.args[0])
    if support.packet(mask) in _AND and all(map(_is_bool, mask.args)):
        return [part for one in mask.args for part in _conjuncts(one)]
    return [mask]


def _is_bool(value: Any) -> bool:
    return isinstance(value, fx.Node) and value.meta["val"].dtype == torch.bool


def _is_filled(node: Any, number: float) -> bool:
    """Whether all elements of a node are `number`."""
    return isinstance(node, fx.Node) and (
        node.target is aten.full.default
        and node.args[1] == number
        or node.target is aten.scalar_tensor.default
        and node.args[0] == number
    )
