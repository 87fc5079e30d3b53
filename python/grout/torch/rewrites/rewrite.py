"""A pass over graphs of ATen operators, and what such passes know.

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
    """What a rewrite knows beside the graph."""

    target: targets.Target
    """The processor for which the graph is compiled."""
    device: Optional[torch.device]
    """Where the graph's tensors are; None if they are on several GPUs."""
    excluded: frozenset[str]
    """Operators that are left to PyTorch, by the names of `excluded_ops`."""
    f32_products: Optional[str]
    """The option of this name."""
    unpadded: set[fx.Node] = dataclasses.field(default_factory=set)
    """Products that attention takes as they are, without padding."""


Apply = Callable[[fx.GraphModule, Context], None]
Refusal = Callable[[fx.Node, Context], Optional[str]]


@dataclasses.dataclass(frozen=True)
class Rewrite:
    """A pass: it changes a graph (`apply`), says why a node is left to PyTorch
    (`refusal`: a sentence without its end, or None), or both. It comes after
    the passes of the modules named in `after`."""

    apply: Optional[Apply] = None
    refusal: Optional[Refusal] = None
    after: tuple[str, ...] = ()
