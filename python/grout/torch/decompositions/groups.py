"""Reductions of many elements at computed places.

The indices are sorted, so that the elements for each place, its group, are
neighbours. Then each 2, 4, 8, ... neighbours are combined. A group is a range,
which consists of at most two such combinations of each size. So the order of a
sum is fixed."""

import dataclasses
from typing import Any, Callable, Optional

import torch

from . import sorting

aten = torch.ops.aten

Combine = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


@dataclasses.dataclass(frozen=True)
class Groups:
    """The elements for each place. The first axis of all tensors has rows,
    which are independent."""

    order: torch.Tensor
    """The indices of the elements, group by group."""
    begin: torch.Tensor
    """For each place, the position in `order` at which its group begins."""
    end: torch.Tensor

    def reduce(
        self, source: torch.Tensor, combine: Combine, neutral: Any
    ) -> torch.Tensor:
        """Combines the elements [row, element, column] of each group. Returns
        [row, place, column]."""
        none = torch.full((), neutral, dtype=source.dtype, device=source.device)
        level = _elements(source, self.order)
        begin, end = self.begin, self.end
        total: Optional[torch.Tensor] = None
        while True:
            for place, is_odd in ((begin, begin % 2), (end - 1, end % 2)):
                is_alone = (begin < end) & (is_odd == 1)
                value = torch.where(
                    is_alone.unsqueeze(-1), _elements(level, place), none
                )
                total = value if total is None else combine(total, value)
            if level.shape[1] == 1:
                return total
            level = _pairs(level, combine, neutral)
            begin = torch.div(begin + 1, 2, rounding_mode="trunc")
            end = torch.div(end, 2, rounding_mode="trunc")


def find(index: torch.Tensor, extent: int) -> Groups:
    """Groups elements by their indices, [row, element]. An element with a
    negative index is in no group."""
    count = index.shape[-1]
    keys, order = sorting.first(index.to(torch.int32), count, False)
    places = torch.arange(extent + 1, dtype=torch.int32, device=index.device)
    row = torch.arange(index.shape[0], device=index.device).unsqueeze(-1)
    bounds: Any = torch.zeros(
        (index.shape[0], extent + 1), dtype=torch.int64, device=index.device
    )
    for half in sorting.halves(count):
        probe = (bounds + (half - 1)).clamp(0, count - 1)
        bounds = bounds + torch.where(keys[row, probe] < places, half, 0)
    return Groups(order, bounds[:, :-1], bounds[:, 1:])


def _elements(x: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Returns the elements [row, place, column]."""
    row = torch.arange(x.shape[0], device=x.device).unsqueeze(-1)
    return x[row, places.clamp(0, x.shape[1] - 1)]


def _pairs(x: torch.Tensor, combine: Combine, neutral: Any) -> torch.Tensor:
    """Combines each two neighbours."""
    if x.shape[1] % 2:
        x = aten.constant_pad_nd(x, [0, 0, 0, 1], neutral)
    pairs = x.unflatten(1, (-1, 2))
    return combine(pairs.select(2, 0), pairs.select(2, 1))
