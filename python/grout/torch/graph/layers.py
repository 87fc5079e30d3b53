"""Finds the repeated layers of a model."""

import re
from typing import Any, Hashable, Optional

from torch import fx

_REPEATED = re.compile(r"(?:^|\.|\[')(\d+)(?:'\]|\.|$)")


def layer_of(node: fx.Node) -> Optional[Hashable]:
    """Returns the outermost repeated module in which a node was made, such as
    `blocks.3`; None if there is no such module. PyTorch's own modules, such as
    a Linear in a Sequential, are not layers. Nodes of the backward pass have
    the layer of their forward pass."""
    stack = node.meta.get("nn_module_stack") or node.meta.get(
        "fwd_nn_module_stack"
    )
    if not stack:
        return None
    for path, kind in stack.values():
        found = _REPEATED.search(path)
        if found and not _is_operator(kind):
            return path[: found.end(1)]
    return None


def _is_operator(kind: Any) -> bool:
    """Whether `kind`, the class of a module or its name, is a class of PyTorch
    that is not a container."""
    name = (
        kind
        if isinstance(kind, str)
        else f"{kind.__module__}.{kind.__qualname__}"
    )
    return name.startswith("torch.nn.modules.") and not name.startswith(
        "torch.nn.modules.container."
    )
