"""Operators that call others, such as torch.cond and flex attention.

Each of them runs apart from the operators around it, so that these are
compiled, whatever happens to it. Inductor always runs flex attention: its
kernel keeps no scores in memory, while eager keeps all of them. Eager runs the
others.
"""

import operator
from typing import Any, Callable

import torch
from torch import fx
from torch._dynamo.convert_frame import compile_lock
from torch._guards import TracingContext, detect_fake_mode, tracing

from ..graph import support
from . import segments

Function = Callable[..., Any]

_FLEX = (
    torch.ops.higher_order.flex_attention,
    torch.ops.higher_order.flex_attention_backward,
)


def are_in(module: fx.GraphModule) -> bool:
    """Whether a graph has such operators."""
    return any(map(support.is_higher_order, module.graph.nodes))


def compile_apart(
    module: fx.GraphModule, compile_others: Callable[[fx.GraphModule], Function]
) -> Function:
    """Returns a function of the graph's inputs. `compile_others` compiles the
    parts before, between and after the operators that call others."""
    parts = _cut(module.graph)
    extracted = [segments.extract(module, part) for part in parts]
    functions = [
        _compile_alone(part.nodes[0], segment.module)
        if support.is_higher_order(part.nodes[0])
        else compile_others(segment.module)
        for part, segment in zip(parts, extracted)
    ]
    return segments.assemble(module, extracted, functions).forward


def _cut(graph: fx.Graph) -> list[segments.Segment]:
    """Returns the parts of a graph: each operator that calls others, with the
    nodes that take one of its results, and the nodes between two of them. A
    part with flex attention has no other nodes, because Inductor's kernel for
    the CPU fuses nothing behind it."""
    parts: list[list[fx.Node]] = [[]]
    for node in graph.nodes:
        if support.is_higher_order(node):
            parts += [[node, *filter(_is_result, node.users)], []]
        elif node.op == "call_function" and not (
            _is_result(node)
            and support.is_higher_order(node.all_input_nodes[0])
        ):
            parts[-1].append(node)
    return [segments.Segment(False, nodes) for nodes in parts if nodes]


def _is_result(node: fx.Node) -> bool:
    return node.target is operator.getitem


def _compile_alone(node: fx.Node, module: fx.GraphModule) -> Function:
    """Compiles a module that has only one such operator."""
    return (
        _compile_by_inductor(module) if node.target in _FLEX else module.forward
    )


def _compile_by_inductor(module: fx.GraphModule) -> Function:
    """Compiles as Inductor compiles its own graphs, whose operators are lowered
    already."""
    from torch._inductor.compile_fx import compile_fx_inner

    inputs = [
        node.meta["val"] for node in module.graph.find_nodes(op="placeholder")
    ]
    output = next(iter(module.graph.find_nodes(op="output")))
    # The results keep their strides.
    output.meta["user_visible_output_idxs"] = list(range(len(output.args[0])))
    # Inductor notes the strides of a graph's results in the current context, so
    # this graph gets a context of its own. Its tracers have state that threads
    # share.
    with compile_lock, tracing(TracingContext(detect_fake_mode(inputs))):
        compiled = compile_fx_inner(module, inputs)
    return lambda *arguments: compiled(list(arguments))
