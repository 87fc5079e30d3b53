"""Rewrites: passes over graphs of ATen operators.

For example, a module `reshapes.py` of this folder that ends with

    REWRITE = Rewrite(apply=lambda module, context: merge(module),
                      after=("views",))

is a pass that runs after that of `views.py`. No other file names it: `registry`
finds the modules of the folder."""

import dataclasses
from typing import Callable, Optional

import torch
from torch import fx

from ... import targets


@dataclasses.dataclass
class Context:
    """The information that a rewrite has besides the graph."""

    target: targets.Target
    """The processor for which the graph is compiled."""
    device: Optional[torch.device]
    """The device of the graph's tensors; None if they are on several GPUs."""
    excluded: frozenset[str]
    """The names of operators that are left to PyTorch, from the option
    `excluded_ops`."""
    f32_products: Optional[str]
    """The option `f32_products`."""
    unpadded: set[fx.Node] = dataclasses.field(default_factory=set)
    """GEMMs that are not padded, because they may belong to attention."""
    is_packaged: bool = False
    """Whether the graph is compiled for a package, which other processes
    load."""


Apply = Callable[[fx.GraphModule, Context], None]
Refusal = Callable[[fx.Node, Context], Optional[str]]


@dataclasses.dataclass(frozen=True)
class Rewrite:
    """A pass that changes a graph (`apply`), says why a node is left to PyTorch
    (`refusal`, which returns a sentence without its full stop, or None), or
    does both. The pass runs after the passes of the modules that `after`
    names."""

    apply: Optional[Apply] = None
    refusal: Optional[Refusal] = None
    after: tuple[str, ...] = ()
