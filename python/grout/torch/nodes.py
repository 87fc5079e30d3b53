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


def replace_by(graph: fx.Graph, node: fx.Node,
               function: Callable[..., torch.Tensor],
               operands: Sequence[fx.Node],
               table: Mapping[Any, Callable[..., Any]]) -> None:
    """Puts the operators of which a function consists, decomposed as the table
    says, before `node`, and uses their result for it. `node` itself stays. They
    are marked as one unit (see UNIT)."""
    replace(graph, node, trace(function, operands, table), operands)


def trace(function: Callable[..., torch.Tensor], operands: Sequence[fx.Node],
          table: Mapping[Any, Callable[..., Any]]) -> fx.Graph:
    """The operators of which a function of `operands` consists."""
    values = [operand.meta["val"] for operand in operands]
    with detect_fake_mode(values) or contextlib.nullcontext():
        # Tracers have state that threads share.
        with compile_lock:
            return make_fx(function, decomposition_table=table)(*values).graph


def replace(graph: fx.Graph, node: fx.Node, parts: fx.Graph,
            operands: Sequence[fx.Node]) -> None:
    """Does what `replace_by` does, with a graph of `trace`."""
    copies: dict[fx.Node, fx.Node] = dict(zip(
        parts.find_nodes(op="placeholder"), operands))
    with graph.inserting_before(node):
        for part in parts.nodes:
            if part.op == "output":
                node.replace_all_uses_with(copies[part.args[0]])
            elif part.op != "placeholder":
                copies[part] = graph.node_copy(part, copies.__getitem__)
                copies[part].meta = {**node.meta, **part.meta,
                                     UNIT: node.name}
