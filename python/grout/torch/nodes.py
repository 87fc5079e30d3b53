"""New nodes of graphs."""

import contextlib
from typing import Any

from torch import fx
from torch._guards import detect_fake_mode

_INHERITED = ("nn_module_stack", "fwd_nn_module_stack", "stack_trace")


def call(graph: fx.Graph, near: fx.Node, target: Any, *args: Any,
         **kwargs: Any) -> fx.Node:
    """Adds a call of an operator, with the value that it has, near to `near`
    and its value; says of itself what that does."""
    node = graph.call_function(target, args, kwargs)
    node.meta = {name: near.meta[name] for name in _INHERITED
                 if name in near.meta}
    values = fx.map_arg(args, lambda one: one.meta["val"])
    with detect_fake_mode(near.meta["val"]) or contextlib.nullcontext():
        node.meta["val"] = target(*values, **kwargs)
    return node
