"""New nodes of graphs."""

import contextlib
from typing import Any, Callable, Mapping, Sequence

import torch
from torch import fx
from torch._dynamo.convert_frame import compile_lock
from torch._guards import detect_fake_mode
from torch.fx.experimental.proxy_tensor import make_fx

UNIT = "grout_unit"
"""Of metadata: the same for nodes that are better in one segment."""

_INHERITED = ("nn_module_stack", "fwd_nn_module_stack", "stack_trace")


def call(
    graph: fx.Graph, near: fx.Node, target: Any, *args: Any, **kwargs: Any
) -> fx.Node:
    """Adds a call of an operator, with the value that it has, near to `near`
    and its value; says of itself what that does."""
    node = graph.call_function(target, args, kwargs)
    node.meta = {
        name: near.meta[name] for name in _INHERITED if name in near.meta
    }
    values = fx.map_arg(args, lambda one: one.meta["val"])
    with detect_fake_mode(near.meta["val"]) or contextlib.nullcontext():
        node.meta["val"] = target(*values, **kwargs)
    return node


def trace(
    function: Callable[..., torch.Tensor],
    operands: Sequence[fx.Node],
    table: Mapping[Any, Callable[..., Any]],
) -> fx.Graph:
    """The operators of which a function of `operands` consists, decomposed as
    the table says."""
    values = [operand.meta["val"] for operand in operands]
    with detect_fake_mode(values) or contextlib.nullcontext():
        # Tracers have state that threads share.
        with compile_lock:
            return make_fx(function, decomposition_table=table)(*values).graph


def _copy(
    graph: fx.Graph,
    parts: fx.Graph,
    operands: Sequence[fx.Node],
    meta: Mapping[str, Any],
) -> fx.Node:
    """Adds what `trace` gave, and returns its result. Nodes have their own
    metadata, and else `meta`."""
    copies: dict[fx.Node, fx.Node] = dict(
        zip(parts.find_nodes(op="placeholder"), operands)
    )
    for part in parts.nodes:
        if part.op == "output":
            return copies[part.args[0]]
        if part.op != "placeholder":
            copies[part] = graph.node_copy(part, copies.__getitem__)
            copies[part].meta = {**meta, **part.meta}
    raise AssertionError("a graph without results")


def insert(
    graph: fx.Graph,
    function: Callable[..., torch.Tensor],
    operands: Sequence[fx.Node],
    table: Mapping[Any, Callable[..., Any]],
    meta: Mapping[str, Any],
) -> fx.Node:
    """Adds the operators of which a function consists, decomposed as the table
    says, and returns its result. They have their own metadata, and else
    `meta`."""
    return _copy(graph, trace(function, operands, table), operands, meta)


def replace(
    graph: fx.Graph, node: fx.Node, parts: fx.Graph, operands: Sequence[fx.Node]
) -> None:
    """Puts what `trace` gave before `node`, and uses its result for it. `node`
    itself stays. The new nodes are marked as one unit (see UNIT)."""
    with graph.inserting_before(node):
        result = _copy(graph, parts, operands, {**node.meta, UNIT: node.name})
    node.replace_all_uses_with(result)


def replace_by(
    graph: fx.Graph,
    node: fx.Node,
    function: Callable[..., torch.Tensor],
    operands: Sequence[fx.Node],
    table: Mapping[Any, Callable[..., Any]],
) -> None:
    """Does what `replace` does, with the operators of which a function
    consists, decomposed as the table says."""
    replace(graph, node, trace(function, operands, table), operands)
