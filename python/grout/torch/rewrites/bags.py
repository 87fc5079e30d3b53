"""Sums, means and maxima of bags of embeddings, where all bags have the same
number of indices: in terms of embeddings and reductions."""

import functools
import math
import operator
from typing import Any, Container, Optional

import torch
from torch import fx
from torch.nn import functional

from ..decompositions import tables
from ..graph import support
from ..graph.nodes import replace_by
from .constants import Constants
from .rewrite import Rewrite

aten = torch.ops.aten

_OPERATORS = (
    aten._embedding_bag.default,
    aten._embedding_bag_forward_only.default,
)

_SUM, _MEAN, _MAX = range(3)

_DEFAULTS = (False, _SUM, False, None, False, -1)
"""Defaults of the arguments after the offsets."""


def expand(module: fx.GraphModule, excluded: Container[str] = ()) -> None:
    """Decomposes the bags of which only the first result, the reductions, is
    used. Leaves operators in `excluded` as they are."""
    constants: Optional[Constants] = None
    module.graph.eliminate_dead_code()
    for target in _OPERATORS:
        for node in module.graph.find_nodes(op="call_function", target=target):
            if support.is_excluded(node, excluded):
                continue
            constants = constants or Constants(module)
            count = _count_of(node, constants)
            if count is not None and _gives_bags_alone(node):
                _expand(module.graph, node, count)
    module.graph.eliminate_dead_code()
    module.recompile()


def _count_of(node: fx.Node, constants: Constants) -> Optional[int]:
    """Returns the number of indices in each bag; None if it differs between
    bags, or is not known."""
    indices, offsets = node.args[1].meta["val"], constants.of(node.args[2])
    if offsets is None or not isinstance(indices.shape[0], int):
        return None
    begins, end = offsets.tolist(), indices.shape[0]
    if _options(node)[4]:  # The last offset is the end.
        *begins, last = begins
        end = last if last <= end else -1
    if not begins or end % len(begins):
        return None
    count = end // len(begins)
    is_even = begins == [i * count for i in range(len(begins))]
    return count if is_even and count > 0 and end == indices.shape[0] else None


def _options(node: fx.Node) -> tuple[Any, ...]:
    given = node.args[3:]
    return (*given, *_DEFAULTS[len(given) :])


def _gives_bags_alone(node: fx.Node) -> bool:
    return all(
        user.target is operator.getitem and user.args[1] == 0
        for user in node.users
    )


def _expand(graph: fx.Graph, node: fx.Node, count: int) -> None:
    _, mode, _, factors, _, padding = _options(node)
    operands = [node.args[0], node.args[1]]
    if factors is not None:
        operands.append(factors)
    for user in list(node.users):
        replace_by(
            graph,
            user,
            functools.partial(_reduce, count, mode, padding),
            operands,
            tables.for_gpu(),
        )
        graph.erase_node(user)
    graph.erase_node(node)


def _reduce(
    count: int,
    mode: int,
    padding: int,
    weight: torch.Tensor,
    indices: torch.Tensor,
    *factors: torch.Tensor,
) -> torch.Tensor:
    """Reduces bags of `count` indices, without indices that are `padding`. Sums
    and means are in f32 or better."""
    indices = indices.view(-1, count)
    rows = functional.embedding(indices, weight)
    if mode == _MAX:
        return _largest(rows, indices != padding)
    wide = torch.float64 if weight.dtype == torch.float64 else torch.float32
    rows = rows.to(wide)
    for factor in factors:
        rows = rows * factor.view(-1, count, 1).to(wide)
    is_kept = (indices != padding).unsqueeze(-1)
    total = torch.where(is_kept, rows, 0.0).sum(1)
    if mode == _MEAN:
        total = total / is_kept.sum(1).clamp(min=1)
    return total.to(weight.dtype)


def _largest(rows: torch.Tensor, is_kept: torch.Tensor) -> torch.Tensor:
    """Returns the maximum of the rows that are kept; 0 if no row is kept. As in
    eager, the maximum is NaN if the first row has NaN; elsewhere, NaN is passed
    over."""
    is_nan = rows.isnan()
    is_number = is_kept.unsqueeze(-1) & ~is_nan
    largest = torch.where(is_number, rows, -math.inf).amax(1)
    count = is_kept.shape[1]
    places = torch.arange(count, device=rows.device)
    first = torch.where(is_kept, places, count).amin(1, keepdim=True)
    is_first_nan = is_nan & (places == first).unsqueeze(-1)
    largest = torch.where(is_first_nan.any(1), math.nan, largest)
    return torch.where(is_kept.any(1, keepdim=True), largest, 0.0)


REWRITE = Rewrite(
    apply=lambda module, context: expand(module, context.excluded),
    after=("constants",),
)
