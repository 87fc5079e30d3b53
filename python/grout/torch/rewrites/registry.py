"""The rewrites of this folder, in their order."""

import functools
import graphlib
import importlib
import pkgutil
from typing import Optional

from torch import fx

from .rewrite import Context, Rewrite


@functools.cache
def find() -> dict[str, Rewrite]:
    """Returns the rewrites by the names of their modules, in an order that
    obeys `after` of each rewrite. Where `after` leaves the order open, it is
    the order of the names. Raises ValueError for a name in `after` that no
    rewrite has, and for a cycle."""
    package = importlib.import_module(__package__)
    found: dict[str, Rewrite] = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{__package__}.{info.name}")
        rewrite = getattr(module, "REWRITE", None)
        if isinstance(rewrite, Rewrite):
            found[info.name] = rewrite
    for name, rewrite in found.items():
        for other in rewrite.after:
            if other not in found:
                raise ValueError(
                    f"rewrite {name} comes after {other}, which is no rewrite"
                )
    sorter = graphlib.TopologicalSorter(
        {name: rewrite.after for name, rewrite in found.items()}
    )
    sorter.prepare()
    order: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order += ready
        sorter.done(*ready)
    return {name: found[name] for name in order}


def apply(module: fx.GraphModule, context: Context) -> None:
    """Runs all rewrites on a graph."""
    for rewrite in find().values():
        if rewrite.apply is not None:
            rewrite.apply(module, context)


def refusal(node: fx.Node, context: Context) -> Optional[str]:
    """Returns why a node is left to PyTorch: the reason of the first rewrite
    that has one. Returns None if Grout compiles the node."""
    for rewrite in find().values():
        if rewrite.refusal is not None:
            reason = rewrite.refusal(node, context)
            if reason:
                return reason
    return None
