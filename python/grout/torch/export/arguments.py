"""What models are called with."""

from typing import Any, Iterable

import torch
from torch.utils import _pytree as pytree


class _Name(str):
    """Without quotes, where a container is shown."""

    def __repr__(self) -> str:
        return str(self)


def show_call(names: Iterable[str], spec: pytree.TreeSpec) -> str:
    """A call as people write it, with names of what is in its arguments:
    "(x, (y, z), mask=m)"."""
    args, kwargs = pytree.tree_unflatten(map(_Name, names), spec)
    shown = [
        *map(repr, args),
        *(f"{name}={value!r}" for name, value in kwargs.items()),
    ]
    return f"({', '.join(shown)})"


def require_several(args: Any, name: str) -> None:
    """Raises TypeError for a tensor, whose rows would be taken for
    arguments."""
    if isinstance(args, torch.Tensor):
        raise TypeError(
            f"{name} takes the model's arguments as a tuple, not "
            "a tensor alone; of one tensor that is (x,)"
        )
