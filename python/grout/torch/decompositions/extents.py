"""What decompositions may ask of extents."""

from typing import Any


def are_known(*extents: Any) -> bool:
    """Whether they are numbers. Of symbols nothing may be asked, which would fix
    them, or guard the answer: an operator then stays whole until its graph is
    specialised."""
    return all(isinstance(extent, int) for extent in extents)
