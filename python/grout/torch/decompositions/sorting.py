"""Sorting along an axis.

A short axis is sorted by counting: the position of an element is the number of
elements that come before it (Knuth, The Art of Computer Programming, volume 3,
5.2, "sorting by counting"). All pairs of elements are compared at once.

A long axis is cut into blocks, which are sorted by counting, and become runs.
Then up to 16 runs at a time are merged: binary searches find how many elements
of each other run come before an element. So each step is parallel, and there
are few steps. Of the few first elements of a long axis, each is among the first
elements of its block, so that only these are sorted.

Up to 8 first elements, such as the experts of a token, are found one after
another, each by two reductions.

Numbers pad the last block. They come last in any order, because equal elements
stay in their order.
"""

import itertools
import math
from typing import Any, Callable, Iterator, Optional

import torch

from .extents import are_known, is_any_zero
from .quotients import shifted_right

aten = torch.ops.aten

LONGEST = 1 << 20
"""The largest extent of an axis that is sorted here. A step takes memory for 16
numbers for each element."""

_BLOCK = 256
"""The largest extent of an axis that is sorted by counting. For longer axes, n
* n comparisons take too long."""

_MOST_RUNS = 16
"""The largest number of runs that are merged at once. With more runs, there are
fewer steps, but more searches."""

_FEW = 32
"""The largest number of elements that are looked for one by one, in the kernel
that counts."""

_NOT_COMPARED = {torch.uint8, torch.uint16, torch.uint32, torch.uint64}
"""Types whose elements Grout does not compare. PyTorch compares only the first,
but sorts them all."""

_MOST_ROUNDS = 8
"""The largest number of elements that are found in rounds. All rounds are in
one kernel, while this number is small."""

_ROUND = 4096
"""The largest extent of an axis that a round goes through. The threads of a
block keep as many elements in registers."""


def _is_less(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Whether `x` comes before `y`. NaN is larger than all numbers."""
    if not x.is_floating_point():
        return x < y
    return ~(x >= y) & (x == x)


def _comes_before(
    one: torch.Tensor,
    other: torch.Tensor,
    is_earlier: torch.Tensor,
    descending: bool,
) -> torch.Tensor:
    """Whether `one` comes before `other` in sorted order. Of equal elements,
    `one` does where `is_earlier` is true."""
    if descending:
        one, other = other, one
    return torch.where(is_earlier, ~_is_less(other, one), _is_less(one, other))


def _ranks(x: torch.Tensor, descending: bool) -> torch.Tensor:
    """Returns the position that each element has after the last axis is sorted.
    Equal elements stay in their order."""
    places = torch.arange(x.shape[-1], device=x.device)
    # [..., an element, one that may come before it]
    before = _comes_before(
        x.unsqueeze(-2),
        x.unsqueeze(-1),
        places < places.unsqueeze(-1),
        descending,
    )
    return before.to(torch.int32).sum(-1, dtype=torch.int32)


Sorted = tuple[torch.Tensor, torch.Tensor]
"""Elements of the last axis in sorted order, and the index of each."""


def _gathered(x: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Gathers along the last axis. The bounds are stated, so that they need no
    check."""
    return x.gather(-1, places.to(torch.int64).clamp(0, x.shape[-1] - 1))


def _taken(
    x: torch.Tensor, ranks: torch.Tensor, wanted: torch.Tensor
) -> Sorted:
    """Returns the elements along the last axis that have the `wanted` ranks,
    and their indices."""
    places = torch.arange(x.shape[-1], dtype=torch.int32, device=x.device)
    # [..., a rank, the element that has it]
    has_rank = ranks.unsqueeze(-2) == wanted.unsqueeze(-1)
    found = (
        torch.where(has_rank, places, 0)
        .sum(-1, dtype=torch.int32)
        .to(torch.int64)
    )
    return _gathered(x, found), found


def _placed(x: torch.Tensor, ranks: torch.Tensor) -> torch.Tensor:
    """Returns the elements of the last axis in the order of their ranks."""
    ranks = ranks.to(torch.int64).clamp(0, x.shape[-1] - 1)
    return torch.zeros(x.shape, dtype=x.dtype, device=x.device).scatter(
        -1, ranks, x
    )


def _first_of_short(x: torch.Tensor, count: int, descending: bool) -> Sorted:
    if 0 < count <= _MOST_ROUNDS:
        return _first_in_rounds(x, count, descending)
    ranks = _ranks(x, descending)
    if count <= _FEW:
        wanted = torch.arange(count, dtype=torch.int32, device=x.device)
        return _taken(x, ranks, wanted)
    places = torch.arange(x.shape[-1], device=x.device).expand(x.shape)
    values, places = _placed(x, ranks), _placed(places, ranks)
    return values.narrow(-1, 0, count), places.narrow(-1, 0, count)


def _first_in_rounds(x: torch.Tensor, count: int, descending: bool) -> Sorted:
    """Returns the first elements. Each round looks for the first element behind
    the element that the round before has found.

    Elements are compared by value, and then by place: element i has place 2 i,
    or 2 i + 1 if it is -0.0. NaN has the value of infinity, and places before or
    behind all infinities. So the place says what the value does not."""
    extent = x.shape[-1]
    places = 2 * torch.arange(extent, dtype=torch.int32, device=x.device)
    y, behind = x, 2 * extent
    if x.is_floating_point():
        is_nan = x != x
        y = torch.where(is_nan, math.inf, x)
        places = places + ((x == 0) & (1 / x < 0)).to(torch.int32)
        places = torch.where(
            is_nan, places - behind if descending else places + behind, places
        )
    # This takes the place of what earlier rounds have found. No element comes
    # behind it.
    last: Any = (
        (-math.inf if descending else math.inf)
        if x.is_floating_point()
        else (y.amin if descending else y.amax)(-1, keepdim=True)
    )
    values: list[torch.Tensor] = []
    found: list[torch.Tensor] = []
    for number in range(count):
        left = y
        if number:
            value, place = values[-1], found[-1]
            is_left = (y < value if descending else y > value) | (
                (y == value) & (places > place)
            )
            left = torch.where(is_left, y, last)
        value = (
            left.amax(-1, keepdim=True)
            if descending
            else left.amin(-1, keepdim=True)
        )
        is_found = y == value
        if number:
            is_found = is_found & is_left
        place = torch.where(is_found, places, 2 * behind).amin(-1, keepdim=True)
        values.append(value)
        found.append(place)
    value, place = torch.cat(values, -1), torch.cat(found, -1)
    if x.is_floating_point():
        is_nan = place < 0 if descending else place >= behind
        value = torch.where(value == 0, 0.0, value)
        value = torch.where((place & 1) == 1, -value, value)
        value = torch.where(is_nan, math.nan, value)
        place = torch.where(
            is_nan, place + behind if descending else place - behind, place
        )
    return value, shifted_right(place, 1).to(torch.int64)


def _in_blocks(x: torch.Tensor, count: int, descending: bool) -> torch.Tensor:
    """Cuts the last axis into `count` blocks of one size, each a row of the
    last axis. Numbers that come last pad the last block."""
    extent = x.shape[-1]
    size = -(-extent // count)
    if missing := size * count - extent:
        x = aten.constant_pad_nd(x, [0, missing], _last(x.dtype, descending))
    return x.unflatten(-1, (count, size))


def _last(dtype: torch.dtype, descending: bool) -> Any:
    """Returns a number that no number comes behind."""
    if dtype.is_floating_point:
        return -math.inf if descending else math.nan
    limits = torch.iinfo(dtype)
    return limits.min if descending else limits.max


def _first_of_blocks(x: torch.Tensor, count: int, descending: bool) -> Sorted:
    """Returns the few first elements of a long axis, which are the first of the
    first elements of its blocks."""
    if x.shape[-1] <= (_BLOCK if count > _MOST_ROUNDS else _ROUND):
        return _first_of_short(x, count, descending)
    blocks = _in_blocks(x, -(-x.shape[-1] // max(32, 4 * count)), descending)
    values, places = _first_of_short(blocks, count, descending)
    starts = torch.arange(blocks.shape[-2], device=x.device) * blocks.shape[-1]
    places = (places + starts.unsqueeze(-1)).flatten(-2)
    values, chosen = _first_of_blocks(values.flatten(-2), count, descending)
    return values, _gathered(places, chosen)


def _widths(extent: int) -> list[int]:
    """Returns how many runs each step merges, until a single run is left."""
    widths = []
    count = -(-extent // _BLOCK)
    while count > 1:
        steps = next(n for n in itertools.count(1) if _MOST_RUNS**n >= count)
        width = next(n for n in itertools.count(2) if n**steps >= count)
        widths.append(width)
        count = -(-count // width)
    return widths


def _first_of_runs(x: torch.Tensor, count: int, descending: bool) -> Sorted:
    """Returns the first elements of a long axis, by merging. No run is longer
    than `count`."""
    widths = _widths(x.shape[-1])
    keys = _in_blocks(x, math.prod(widths), descending)
    places = torch.arange(
        keys.shape[-2] * keys.shape[-1], dtype=torch.int32, device=x.device
    ).view(keys.shape[-2:])
    # [a run, its elements]
    parts = [one.flatten(0, -2) for one in (keys, places.expand(keys.shape))]
    ranks = _ranks(parts[0], descending)
    for width in widths:
        kept = min(count, ranks.shape[-1])
        parts = [
            _placed(one.reshape(ranks.shape), ranks).narrow(-1, 0, kept)
            for one in parts
        ]
        runs = parts[0].unflatten(0, (-1, width))
        ranks = _ranks_of_runs(runs, descending).flatten(1)
    places = _placed(parts[1].reshape(ranks.shape), ranks).narrow(-1, 0, count)
    places = places.reshape(*x.shape[:-1], count).to(torch.int64)
    return _gathered(x, places), places


def halves(extent: int) -> Iterator[int]:
    """Yields the steps of a binary search for the number of elements, of a
    sorted axis, that come before something. A step is made if the last element
    that it passes comes before."""
    while extent:
        half = (extent + 1) // 2
        yield half
        extent -= half


def _ranks_of_runs(runs: torch.Tensor, descending: bool) -> torch.Tensor:
    """Returns the position that each element has after the runs along the
    last-but-one axis are merged: its position in its own run, and how many
    elements of each other run come before it. Equal elements of earlier runs
    do."""
    count, extent = runs.shape[-2:]
    device = runs.device
    # [a merge, the run of an element, the element, a run that is searched]
    one = runs.unsqueeze(-1)
    run = torch.arange(count, device=device)
    own = run.view(-1, 1, 1)
    merge = torch.arange(runs.shape[0], device=device).view(-1, 1, 1, 1)
    found = torch.zeros((1, 1, 1, 1), dtype=torch.int64, device=device)
    for half in halves(extent):
        probe = (found + (half - 1)).clamp(0, extent - 1)
        is_before = _comes_before(
            runs[merge, run, probe], one, run < own, descending
        )
        found = found + torch.where(is_before, half, 0)
    places = torch.arange(extent, device=device).unsqueeze(-1)
    ranks = torch.where(run == own, places, found)
    return ranks.to(torch.int32).sum(-1, dtype=torch.int32)


def _keys(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.int32) if x.dtype == torch.bool else x


def first(x: torch.Tensor, count: int, descending: bool) -> Sorted:
    """Returns the first `count` elements of the sorted last axis, and their
    indices."""
    if is_any_zero(*x.shape):
        values = x.narrow(-1, 0, count).clone()
        return values, torch.zeros_like(values, dtype=torch.int64)
    method = (
        _first_of_short
        if x.shape[-1] <= _BLOCK
        else _first_of_blocks
        if count <= _FEW
        else _first_of_runs
    )
    values, places = method(_keys(x), count, descending)
    # The bounds are stated for what is done with the indices.
    return values.to(x.dtype), places.clamp(0, max(x.shape[-1] - 1, 0))


def find_problem(x: torch.Tensor, dim: int) -> str:
    """Returns why an axis is not sorted here, as a sentence without its full
    stop; "" if it is."""
    if x.dtype in _NOT_COMPARED or x.is_complex():
        return f"elements are {str(x.dtype).removeprefix('torch.')}"
    if x.device.type not in ("cpu", "cuda"):
        return f"a tensor is on {x.device}"
    if not x.dim():
        return ""
    if not are_known(x.shape[dim]) or (
        x.shape[dim] > _BLOCK and not are_known(*x.shape)
    ):
        return "a shape is not known"
    if x.shape[dim] > LONGEST:
        return f"Grout sorts at most {LONGEST:,} elements of an axis"
    return ""


def find_problem_of_ranks(x: torch.Tensor, dim: int) -> str:
    """Returns why elements of some ranks are not looked for here; "" if they
    are. PyTorch sorts truth values, but raises an error for their ranks."""
    return (
        "elements are truth values"
        if x.dtype == torch.bool
        else find_problem(x, dim)
    )


def _of_one(x: torch.Tensor) -> Sorted:
    """Returns the only element of a tensor without axes, and its index."""
    return x.clone(), torch.zeros_like(x, dtype=torch.int64)


def _first_along(
    x: torch.Tensor, count: int, dim: int, descending: bool
) -> Sorted:
    if not x.dim():
        return _of_one(x)
    values, places = first(x.movedim(dim, -1), count, descending)
    return values.movedim(-1, dim), places.movedim(-1, dim)


def _extent(x: torch.Tensor, dim: int) -> Any:
    return x.shape[dim] if x.dim() else 1


def _sort(x: torch.Tensor, dim: int = -1, descending: bool = False) -> Any:
    if find_problem(x, dim):
        return NotImplemented
    return _first_along(x, _extent(x, dim), dim, descending)


def _stable_sort(
    x: torch.Tensor,
    *,
    stable: Optional[bool],
    dim: int = -1,
    descending: bool = False,
) -> Any:
    return _sort(x, dim, descending)


def _topk(
    x: torch.Tensor,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
) -> Any:
    if find_problem_of_ranks(x, dim) or not 0 <= k <= _extent(x, dim):
        return NotImplemented
    return _first_along(x, k, dim, largest)


def _at_rank(
    x: torch.Tensor,
    rank: Callable[[torch.Tensor], torch.Tensor],
    dim: int,
    keepdim: bool,
) -> Any:
    """Returns the element along `dim` that has a rank, and its index. `rank`
    gets the tensor with that axis last."""
    if find_problem_of_ranks(x, dim) or not _extent(x, dim):
        return NotImplemented
    if not x.dim():
        return _of_one(x)
    x = x.movedim(dim, -1)
    wanted = rank(x)
    if x.shape[-1] <= _BLOCK:
        result = _taken(x, _ranks(_keys(x), False), wanted)
    else:
        wanted = wanted.expand(*x.shape[:-1], 1)
        values, places = first(x, x.shape[-1], False)
        result = _gathered(values, wanted), _gathered(places, wanted)
    values, places = (one.movedim(-1, dim) for one in result)
    return (
        (values, places)
        if keepdim
        else (values.squeeze(dim), places.squeeze(dim))
    )


def _constant(value: int, x: torch.Tensor) -> torch.Tensor:
    return torch.full((1,), value, dtype=torch.int32, device=x.device)


def _kthvalue(
    x: torch.Tensor, k: int, dim: int = -1, keepdim: bool = False
) -> Any:
    return _at_rank(x, lambda x: _constant(k - 1, x), dim, keepdim)


def _count_nan(x: torch.Tensor) -> torch.Tensor:
    return (x != x).to(torch.int32).sum(-1, keepdim=True, dtype=torch.int32)


def _median_rank(x: torch.Tensor) -> torch.Tensor:
    """Returns the rank of the median: the lower one of two middle elements. If
    an element is NaN, the last rank, which is NaN."""
    extent = x.shape[-1]
    middle = _constant((extent - 1) // 2, x)
    if not x.is_floating_point():
        return middle
    return torch.where(_count_nan(x) > 0, extent - 1, middle)


def _nanmedian_rank(x: torch.Tensor) -> torch.Tensor:
    """Returns the rank of the median of the elements that are not NaN, or 0 if
    all are NaN."""
    extent = x.shape[-1]
    if not x.is_floating_point():
        return _median_rank(x)
    last = (extent - 1 - _count_nan(x)).clamp(min=0)
    return torch.div(last, 2, rounding_mode="trunc")


def _middle(rank: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Any]:
    def decompose(x: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
        return _at_rank(x, rank, dim, keepdim)

    return decompose


def _middle_of_all(
    rank: Callable[[torch.Tensor], torch.Tensor],
) -> Callable[..., Any]:
    def decompose(x: torch.Tensor) -> Any:
        result = _at_rank(x.reshape(-1), rank, 0, False)
        return result if result is NotImplemented else result[0]

    return decompose


TABLE: dict[Any, Callable[..., Any]] = {
    aten.sort.default: _sort,
    aten.sort.stable: _stable_sort,
    aten.topk.default: _topk,
    aten.kthvalue.default: _kthvalue,
    aten.median.default: _middle_of_all(_median_rank),
    aten.median.dim: _middle(_median_rank),
    aten.nanmedian.default: _middle_of_all(_nanmedian_rank),
    aten.nanmedian.dim: _middle(_nanmedian_rank),
}
