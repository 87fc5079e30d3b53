"""Products whose sums are in groups: the rows of each group are cut into blocks
of the same size, and a batch of products multiplies the blocks."""

from typing import Any, NamedTuple

from jax import lax
from jax import numpy as jnp


class _Blocks(NamedTuple):
    groups: Any
    """[blocks]: the group of a block, or the number of groups if the block is
    not needed"""
    rows: Any
    """[blocks, size]: the rows of a block, or -1. The last block of a group may
    not be full."""


def multiply(x: Any, y: Any, starts: Any, ends: Any) -> Any:
    """Returns [groups, k, n] in f32: for each group, the product of the
    transposed rows of `x` [rows, k] with the rows of `y` [rows, n]. A group has
    the rows from `starts` to `ends`, which are int32 [groups]. The groups are
    one behind the other."""
    blocks = _cut(x.shape[0], starts, ends)
    products = lax.dot_general(
        _take(x, blocks.rows),
        _take(y, blocks.rows),
        (((1,), (1,)), ((0,), (0,))),
        preferred_element_type=jnp.float32,
    )
    longest = -(-x.shape[0] // blocks.rows.shape[1])
    sums = _sum_in_groups(products, blocks.groups, longest)
    groups = jnp.arange(starts.shape[0], dtype="int32")
    last = (blocks.groups <= groups[:, None]).sum(1, dtype="int32") - 1
    totals = jnp.take(sums, jnp.maximum(last, 0), 0, mode="clip")
    return jnp.where((ends > starts)[:, None, None], totals, 0)


def _sum_in_groups(x: Any, groups: Any, longest: int) -> Any:
    """Returns, for each element of `x` along its first axis, the sum of the
    elements of its group up to this one. `groups` do not fall, and have at most
    `longest` elements. Each step doubles the number of elements that are summed
    (Hillis and Steele, "Data parallel algorithms", 1986)."""
    distance = 1
    while distance < longest:
        shift = ((distance, -distance, 0), *[(0, 0, 0)] * (x.ndim - 1))
        before = lax.pad(groups, jnp.int32(-1), shift[:1])
        is_of_group = lax.expand_dims(before == groups, range(1, x.ndim))
        x = x + jnp.where(is_of_group, lax.pad(x, x.dtype.type(0), shift), 0)
        distance *= 2
    return x


def _take(x: Any, rows: Any) -> Any:
    """Returns [blocks, size, columns]. Rows that are -1 become zeros, so that
    what is in no group reaches no sum."""
    taken = jnp.take(x, jnp.maximum(rows, 0), 0, mode="clip")
    return jnp.where((rows >= 0)[:, :, None], taken, 0)


def _cut(rows: int, starts: Any, ends: Any) -> _Blocks:
    """Makes at most about twice as many blocks as groups. Fewer and larger
    blocks would have more rows that are not filled, and more blocks would take
    more memory."""
    groups = starts.shape[0]
    size = 8 * -(-rows // (8 * groups))
    used = min(groups, rows)
    # Each group that has rows may end in a block that is not full.
    blocks = used + (rows - used) // size

    counts = (ends - starts + (size - 1)) // size
    block_ends = jnp.cumsum(counts, dtype="int32")
    block = jnp.arange(blocks, dtype="int32")
    group = (block_ends <= block[:, None]).sum(1, dtype="int32")

    def of_group(values: Any) -> Any:
        return jnp.take(values, group, mode="clip")

    first = of_group(starts) + size * (block - of_group(block_ends - counts))
    row = first[:, None] + jnp.arange(size, dtype="int32")
    last = jnp.where(group < groups, of_group(ends), 0)
    return _Blocks(group, jnp.where(row < last[:, None], row, -1))
