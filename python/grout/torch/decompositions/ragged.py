"""Products whose groups divide the reduction: matrix g of the result is the
product of the columns of x in group g with the rows of y in group g. Gradients
of weights of experts are such products.

The sizes of the groups are known only when the product runs. So elements of
groups are filled up with zeros to batches of products. For example, 512
elements in 8 groups become 8 products of the first 128 elements of each group.
At most three groups are longer: their next 256 elements are three more
products. At most one group is longer than 384: its last 128 elements are one
more product. These products multiply 3.75 times as much as the groups need. A
batch in which each group has room for all 512 elements would multiply 8 times
as much. For G groups, the factor is about 1 + log2(G)."""

import dataclasses
from typing import Iterator

import torch

from ... import targets
from . import narrow
from .extents import is_any_zero


@dataclasses.dataclass(frozen=True)
class Batch:
    """Products of one size."""

    start: int
    """How many elements of each group earlier batches multiply."""
    count: int
    """How many groups have more elements, at most."""
    size: int
    """How many of these further elements are multiplied."""


def batches(extent: int, groups: int) -> Iterator[Batch]:
    """Yields the batches for `extent` elements in `groups` groups."""
    start, size = 0, 2 * -(-extent // groups)
    while start < extent:
        size = _round_up(min(size, extent - start))
        count = min(groups, extent // (start + 1)) if start else groups
        yield Batch(start, count, size)
        start += size
        size *= 2


def _round_up(size: int) -> int:
    """Rounds up to a number of elements whose rows all targets can load."""
    unit = targets.row_unit()
    return -(-size // unit) * unit


def ranges(
    ends: torch.Tensor, extent: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the begin and the end of each group as int64. Groups share no
    elements, whatever `ends` are: an element is in the first group whose end is
    beyond it."""
    ends = ends.to(torch.int64).clamp(0, extent)
    group = torch.arange(ends.shape[0], device=ends.device)
    is_before = group < group.unsqueeze(-1)
    begins = torch.where(is_before, ends, 0).amax(-1)
    return begins, torch.maximum(begins, ends)


def product(
    x: torch.Tensor, y: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    """Multiplies x [M, K] by y [K, N] in groups of K, which `ends` [G] end.
    Returns [G, M, N], with zeros for groups without elements. Sums are in f32
    or better."""
    extent = min(x.shape[1], y.shape[0])
    if is_any_zero(extent, *ends.shape):
        return x.new_zeros((ends.shape[0], x.shape[0], y.shape[1]))
    begins, ends = ranges(ends, extent)
    first, *longer = batches(extent, ends.shape[0])
    factors = _Factors(x.t(), y, is_wide=bool(longer))
    total = factors.multiply(begins, ends, first.size)
    for batch in longer:
        total = total + _of_longer(factors, begins, ends, batch)
    return total.to(x.dtype)


@dataclasses.dataclass(frozen=True)
class _Factors:
    """The matrices x [K, M] and y [K, N]."""

    x: torch.Tensor
    y: torch.Tensor
    is_wide: bool
    """Whether products are in f32 at least, because they will be added."""

    def multiply(
        self, begins: torch.Tensor, ends: torch.Tensor, size: int
    ) -> torch.Tensor:
        """Multiplies at most `size` elements from each begin on. Returns [B, M,
        N]."""
        places = torch.arange(size, device=begins.device)
        places = begins.unsqueeze(-1) + places
        is_inside = (places < ends.unsqueeze(-1)).unsqueeze(-1)
        x, y = (
            self._widened(
                torch.where(
                    is_inside, one[places.clamp(0, one.shape[0] - 1)], 0
                )
            )
            for one in (self.x, self.y)
        )
        return torch.bmm(x.transpose(1, 2), y)

    def _widened(self, x: torch.Tensor) -> torch.Tensor:
        return x.float() if self.is_wide and x.dtype in narrow.HALVES else x


def _of_longer(
    factors: _Factors, begins: torch.Tensor, ends: torch.Tensor, batch: Batch
) -> torch.Tensor:
    """Multiplies elements of the groups that have more than `batch.start`.
    Returns [G, M, N], with zeros for other groups."""
    is_longer = ends - begins > batch.start
    # The number of each longer group among the longer groups.
    number = is_longer.to(torch.int64).cumsum(0) - 1
    wanted = torch.arange(batch.count, device=ends.device).unsqueeze(-1)
    is_wanted = is_longer & (number == wanted)
    first, last = (
        torch.where(is_wanted, one, 0).sum(-1)
        for one in (begins + batch.start, ends)
    )
    products = factors.multiply(first, last, batch.size)
    return torch.where(
        is_longer.view(-1, 1, 1), products[number.clamp(0, batch.count - 1)], 0
    )
