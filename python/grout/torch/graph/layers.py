"""Where models repeat themselves."""

import re
from typing import Any, Hashable, Optional

from torch import fx

_REPEATED = re.compile(r"(?:^|\.|\[')(\d+)(?:'\]|\.|$)")


def layer_of(node: fx.Node) -> Optional[Hashable]:
    """The outermost repeated module, such as `blocks.3`, in which a node was
    made; None if it was in none. The operators of PyTorch, such as a Linear in
    a Sequential, are no layers. Nodes of the backward pass have the layer of
    the forward pass."""
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
    """Whether a module's class, or its name, is PyTorch's, and holds none."""
    name = (
        kind
        if isinstance(kind, str)
        else f"{kind.__module__}.{kind.__qualname__}"
    )
    return name.startswith("torch.nn.modules.") and not name.startswith(
        "torch.nn.modules.container."
    )
