"""Questions that decompositions may ask about extents."""

from typing import Any


def are_known(*extents: Any) -> bool:
    """Whether all extents are numbers. A decomposition must not compare
    symbols, because that would fix a symbol, or add a guard for the answer.
    Instead, the operator stays whole until its graph is specialised."""
    return all(isinstance(extent, int) for extent in extents)


def is_any_zero(*extents: Any) -> bool:
    """Whether an extent is known to be 0."""
    return any(isinstance(extent, int) and not extent for extent in extents)
