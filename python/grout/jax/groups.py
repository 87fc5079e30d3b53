"""Groups of consecutive rows, whose sizes are in an array."""

from typing import Any, NamedTuple

from jax import lax
from jax import numpy as jnp

_LARGEST = 2**31 - 1


class Groups(NamedTuple):
    """Group g of a batch has the rows from `starts[batch, g]` to
    `ends[batch, g]`, without the latter. Both are int32 [batches, groups], and
    neither falls along a batch."""

    starts: Any
    ends: Any


def from_sizes(sizes: Any, rows: int) -> Groups:
    """Returns the groups that have these sizes [batches, groups], in batches of
    `rows` rows. Groups end at the last row at the latest. A negative size
    counts as zero."""
    largest = min(rows, int(jnp.iinfo(sizes.dtype).max))
    sizes = jnp.clip(sizes, 0, largest).astype("int32")
    ends = jnp.cumsum(sizes, 1, dtype="int32")
    groups = Groups(ends - sizes, ends)
    if sizes.shape[1] * rows > _LARGEST:
        # A sum that wraps around has been beyond the last row before.
        groups = Groups(*(lax.cummax(limits, 1) for limits in groups))
    return Groups(*(jnp.minimum(limits, rows) for limits in groups))


def flatten(limits: Any, rows: int, factor: int) -> Any:
    """Returns starts or ends of groups [batches, groups] as [groups of all
    batches], if the rows of all batches follow one another. Each batch has
    `rows` rows, each of which becomes `factor` rows."""
    first = jnp.arange(limits.shape[0], dtype="int32")[:, None] * rows
    return ((first + limits) * factor).reshape(-1)
