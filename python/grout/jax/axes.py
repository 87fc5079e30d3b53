"""Orders and merges the axes of arrays."""

import math
from typing import Any, Sequence

from jax import lax


def others(rank: int, *axes: Sequence[int]) -> list[int]:
    """Returns the axes of an array of this rank that are not in `axes`."""
    taken = {axis for kind in axes for axis in kind}
    return [axis for axis in range(rank) if axis not in taken]


def merge(x: Any, *kinds: Sequence[int]) -> Any:
    """Merges the axes of each kind into one. `kinds` have all axes of `x`."""
    order = [axis for kind in kinds for axis in kind]
    return lax.transpose(x, order).reshape(
        [math.prod(x.shape[axis] for axis in kind) for kind in kinds]
    )
