"""Attention on GPUs: decomposed into GEMMs and sums where Grout has a kernel
for it, and otherwise left whole to PyTorch.
"""

from typing import Any, Callable, Optional

import torch
from torch import fx

from ... import targets
from ..decompositions import tables
from ..graph import support
from ..graph.nodes import replace_by
from . import masks
from .rewrite import Rewrite

aten, prims = torch.ops.aten, torch.ops.prims

_CUDNN = aten._scaled_dot_product_cudnn_attention

_TYPES = (torch.float16, torch.bfloat16)


def expand(module: fx.GraphModule, target: targets.Target) -> None:
    """Decomposes attention for which `target` has a kernel. Only the first
    result of the attention may be used: the other results are for a backward
    pass, and then PyTorch computes both passes."""
    if not _has_kernels(target):
        return
    found = masks.Masks(module)
    for node in list(module.graph.nodes):
        if support.packet(node) in support.ATTENTION:
            arguments = _arguments(node)
            result = _first_result(node)
            if result is not None and not _find_problem(arguments, target):
                _replace(
                    module.graph,
                    result,
                    _simplify_mask(arguments, found),
                )
                _erase(module.graph, node)
    module.graph.eliminate_dead_code()
    module.recompile()


def _has_kernels(target: targets.Target) -> bool:
    return target.device_type != "cpu" and target.has_attention


def _arguments(node: fx.Node) -> dict[str, Any]:
    """Returns the arguments of attention by name, with defaults for arguments
    that are not given."""
    given = dict(
        zip(
            (argument.name for argument in node.target._schema.arguments),
            node.args,
        ),
        **node.kwargs,
    )
    mask = given.get("attn_mask", given.get("attn_bias"))
    if mask is not None and support.packet(node) is _CUDNN:
        mask = masks.as_condition(mask) or mask
    return {
        "query": given["query"],
        "key": given["key"],
        "value": given["value"],
        "mask": mask,
        "dropout_p": given.get("dropout_p", 0.0),
        "is_causal": given.get("is_causal", False),
        "scale": given.get("scale"),
    }


def _simplify_mask(
    arguments: dict[str, Any], found: masks.Masks
) -> dict[str, Any]:
    """Drops a mask of which nothing is left to read, and says by `is_causal`
    that it hides what comes behind a query's own position."""
    mask = arguments["mask"]
    if mask is None:
        return arguments
    queries, keys = (
        arguments[name].meta["val"].shape[-2] for name in ("query", "value")
    )
    effect = found.effect_of(mask, queries, keys)
    return {
        **arguments,
        "mask": mask if effect.changes_others else None,
        "is_causal": arguments["is_causal"] or effect.hides_future,
    }


def _first_result(node: fx.Node) -> Optional[fx.Node]:
    """Returns the node of the first result; None if other results are used, or
    if no result is used."""
    if not isinstance(node.meta["val"], (tuple, list)):
        return node
    used = [user for user in node.users if user.users]
    if len(used) == 1 and used[0].args[1] == 0:
        return used[0]
    return None


def refusal(node: fx.Node, target: targets.Target) -> Optional[str]:
    """Returns why attention is left whole, as a sentence without its full stop;
    None if a node is another operator."""
    if support.packet(node) not in support.ATTENTION:
        return None
    problem = (
        f"Grout has none for {target.name}"
        if not _has_kernels(target)
        else "a backward pass needs more of it"
        if _first_result(node) is None
        else _find_problem(_arguments(node), target)
    )
    return f"attention is left to PyTorch's kernels: {problem}"


def _find_problem(arguments: dict[str, Any], target: targets.Target) -> str:
    """Returns why there is no kernel; "" if there is one."""
    query, value = (arguments[name].meta["val"] for name in ("query", "value"))
    if query.dtype not in _TYPES:
        return f"it is in {str(query.dtype).removeprefix('torch.')}"
    if query.dim() != 4:
        return f"queries have {query.dim()} axes, not 4"
    if arguments["dropout_p"] != 0.0:
        return "it has dropout"
    if any(
        not isinstance(extent, int)
        for tensor in (query, value)
        for extent in tensor.shape
    ):
        return "a shape is not known"
    for size in (query.shape[-1], value.shape[-1]):
        if size % target.head_unit:
            return (
                f"its heads have {size} elements, no multiple of "
                f"{target.head_unit}"
            )
        most = target.max_head_elements
        if most and size > most:
            return f"its heads have {size} elements, more than {most}"
    return ""


def _replace(
    graph: fx.Graph, result: fx.Node, arguments: dict[str, Any]
) -> None:
    """Replaces `result` by the parts of attention."""
    operands = [
        node
        for name in ("query", "key", "value", "mask")
        if (node := arguments[name]) is not None
    ]

    def attend(*tensors: torch.Tensor) -> torch.Tensor:
        query, key, value, *masks = tensors
        return tables.attention(
            query,
            key,
            value,
            masks[0] if masks else None,
            arguments["is_causal"],
            arguments["scale"],
        )

    replace_by(graph, result, attend, operands, tables.for_gpu())


def _erase(graph: fx.Graph, node: fx.Node) -> None:
    """Erases attention, and the nodes that take its results. Some results are
    random numbers, for which PyTorch would keep the attention."""
    for user in list(node.users):
        graph.erase_node(user)
    graph.erase_node(node)


def find_products(
    module: fx.GraphModule, target: targets.Target
) -> set[fx.Node]:
    """Returns the GEMMs that may belong to attention for which `target` has a
    kernel: each GEMM that has a softmax before it, and the GEMMs before that
    softmax, which compute scores. The compiler finds out whether it is
    attention."""
    if not _has_kernels(target):
        return set()
    found: set[fx.Node] = set()
    for node in module.graph.nodes:
        if not _is_product(node) or node.meta["val"].dtype not in _TYPES:
            continue
        scores = {
            product
            for exponential in _find_behind(node, _is_softmax)
            for product in _find_behind(exponential, _is_product)
        }
        if scores:
            found |= {node, *scores}
    return found


def _is_product(node: fx.Node) -> bool:
    return node.op == "call_function" and support.is_matrix_product(node)


def _is_softmax(node: fx.Node) -> bool:
    """Whether a node computes exponentials that are summed somewhere."""
    return support.packet(node) in (aten.exp, aten.exp2) and _is_summed(node)


def _is_summed(node: fx.Node) -> bool:
    return any(
        support.packet(user) is aten.sum
        or support.packet(user) in (aten._to_copy, prims.convert_element_type)
        and _is_summed(user)
        for user in node.users
    )


def _find_behind(
    node: fx.Node, is_wanted: Callable[[fx.Node], bool]
) -> set[fx.Node]:
    """Returns the nearest wanted nodes from which `node` is computed, with no
    GEMM or convolution between."""
    found: set[fx.Node] = set()
    seen: set[fx.Node] = set()
    pending = list(node.all_input_nodes)
    while pending:
        operand = pending.pop()
        if operand in seen:
            continue
        seen.add(operand)
        if is_wanted(operand):
            found.add(operand)
        elif not support.is_product(operand):
            pending += operand.all_input_nodes
    return found


REWRITE = Rewrite(
    apply=lambda module, context: expand(module, context.target),
    refusal=lambda node, context: refusal(node, context.target),
    after=("views",),
)
