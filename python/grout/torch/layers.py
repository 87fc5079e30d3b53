"""Where models repeat themselves."""

import re
from typing import Hashable, Optional

from torch import fx

_REPEATED = re.compile(r"(?:^|\.)[^.]*?(?:\.|\[')(\d+)(?:'\]|\.|$)")


def layer_of(node: fx.Node) -> Optional[Hashable]:
    """The outermost repeated module, such as `blocks.3`, in which a node was
    made; None if it was in none. Nodes of the backward pass have that of the
    forward pass."""
    stack = (node.meta.get("nn_module_stack")
             or node.meta.get("fwd_nn_module_stack"))
    if not stack:
        return None
    for path, _ in stack.values():
        found = _REPEATED.search(path)
        if found:
            return path[:found.end(1)]
    return None
