"""Shows and checks the arguments of models."""

from typing import Any, Iterable

import torch
from torch.utils import _pytree as pytree


class _Name(str):
    """A name, which a container shows without quotes."""

    def __repr__(self) -> str:
        return str(self)


def show_call(names: Iterable[str], spec: pytree.TreeSpec) -> str:
    """Returns a call as people write it, "(x, (y, z), mask=m)", with `names`
    for the leaves of its arguments."""
    args, kwargs = pytree.tree_unflatten(map(_Name, names), spec)
    shown = [
        *map(repr, args),
        *(f"{name}={value!r}" for name, value in kwargs.items()),
    ]
    return f"({', '.join(shown)})"


def require_several(args: Any, name: str) -> None:
    """Raises TypeError if `args` is a tensor, whose rows would be taken for
    arguments."""
    if isinstance(args, torch.Tensor):
        raise TypeError(
            f"{name} takes the model's arguments as a tuple, not "
            "a tensor alone; of one tensor that is (x,)"
        )
