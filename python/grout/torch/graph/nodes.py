"""Adds nodes to graphs."""

import contextlib
from typing import Any, Callable, Mapping, Sequence

import torch
from torch import fx
from torch._dynamo.convert_frame import compile_lock
from torch._guards import detect_fake_mode
from torch.fx.experimental.proxy_tensor import make_fx

UNIT = "grout_unit"
"""Key in the metadata of nodes: the same value for nodes that should be in one
segment."""

_INHERITED = ("nn_module_stack", "fwd_nn_module_stack", "stack_trace")


def call(
    graph: fx.Graph, near: fx.Node, target: Any, *args: Any, **kwargs: Any
) -> fx.Node:
    """Adds a call of an operator to a graph and returns it. The fake value of
    the new node is computed from its arguments. Its module and its stack trace
    are those of `near`."""
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
    """Returns a graph of the operators that a function of `operands` calls,
    decomposed by `table`."""
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
    """Adds the nodes of a graph from `trace`, and returns the result. The new
    nodes have their own metadata, and `meta` where they have none."""
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
    """Adds the operators that a function of `operands` calls, decomposed by
    `table`, and returns the result. The new nodes have their own metadata, and
    `meta` where they have none."""
    return _copy(graph, trace(function, operands, table), operands, meta)


def replace(
    graph: fx.Graph, node: fx.Node, parts: fx.Graph, operands: Sequence[fx.Node]
) -> None:
    """Adds the nodes of a graph from `trace` before `node`, and replaces all
    uses of `node` by their result. `node` itself stays. The new nodes are
    marked as one unit (see UNIT)."""
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
    """Replaces all uses of `node`, as `replace` does, by the operators that a
    function of `operands` calls, decomposed by `table`."""
    replace(graph, node, trace(function, operands, table), operands)
