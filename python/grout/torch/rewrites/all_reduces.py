"""Sums over the ranks of a process group, as Dynamo makes them of
torch.distributed.all_reduce, and DTensor of row-parallel layers.

The rewrite replaces

    begun = _c10d_functional.all_reduce(x, "sum", group_name)
    y = _c10d_functional.wait_tensor(begun)

by y = grout.all_reduce(x, ranks, group_name). A graph is cut there before it is
imported, because importers do not know the operator, and joined by
collective.all_reduce.
"""

import itertools
from typing import Any, Optional, Sequence

import torch
from torch import fx

from ..graph import collectives, support
from ..graph.nodes import call
from ..runtime import places
from . import cutting
from .rewrite import Context, Rewrite

aten = torch.ops.aten

MOST_RANKS = 8

_WAITING = "_c10d_functional.wait_tensor.default"

_TYPES = (torch.float16, torch.bfloat16, torch.float32)
_BACKENDS = {"cpu": "gloo", "cuda": "nccl"}


def cut(
    module: fx.GraphModule,
) -> tuple[fx.GraphModule, Optional[cutting.Cuts]]:
    return cutting.cut(
        module,
        collectives.is_all_reduce,
        lambda node: [collectives.operand_of(node)],
    )


def join(module: Any, cuts: Optional[cutting.Cuts]) -> None:
    channels = itertools.count()

    def build(
        node: fx.Node, operands: Sequence[Any], result: Any, end: Any
    ) -> Any:
        from torch_mlir import ir

        number = ir.IntegerType.get_signless(64)
        ranks = ir.IntegerAttr.get(number, collectives.ranks_of(node))
        return ir.Operation.create(
            "collective.all_reduce",
            results=[result],
            operands=operands,
            # Sums of equal tensors may be sums of other tensors on other ranks.
            attributes={
                "ranks": ranks,
                "channel": ir.IntegerAttr.get(number, next(channels)),
            },
            ip=ir.InsertionPoint(end),
        )

    module.context.allow_unregistered_dialects = True
    cutting.join(module, cuts, build)


def replace(module: fx.GraphModule, context: Context) -> None:
    """Replaces the sums over ranks that Grout computes."""
    for node in list(module.graph.nodes):
        if collectives.is_begun(node) and not _refusal(node, context):
            _replace(module.graph, node)
    module.recompile()


def _replace(graph: fx.Graph, begun: fx.Node) -> None:
    x, operation, group_name = _arguments(begun)
    ranks = places.resolve(group_name).size()
    with graph.inserting_before(begun):
        if operation == "avg":
            # As NCCL does, so that no sum overflows whose average does not.
            x = call(graph, begun, aten.mul.Tensor, x, 1 / ranks)
        result = (
            call(
                graph,
                begun,
                aten.clone.default,
                x,
                memory_format=torch.contiguous_format,
            )
            if ranks == 1
            else call(
                graph, begun, collectives.ALL_REDUCE, x, ranks, group_name
            )
        )
    for waiting in list(begun.users):
        waiting.replace_all_uses_with(result)
        graph.erase_node(waiting)
    graph.erase_node(begun)


def _arguments(begun: fx.Node) -> tuple[fx.Node, str, str]:
    """Returns the tensor, the operation such as "sum", and the name of the
    group."""
    names = ("input", "reduce_op", "group_name")
    given = {**dict(zip(names, begun.args)), **begun.kwargs}
    x, operation, group_name = (given[name] for name in names)
    return x, operation.lower(), group_name


def _refusal(node: fx.Node, context: Context) -> Optional[str]:
    """Returns why the sum that a node begins is left to PyTorch. Returns None
    for other nodes, and if Grout computes the sum."""
    if not collectives.is_begun(node):
        return None
    if support.is_excluded(node, context.excluded):
        return "it is among excluded_ops"
    if context.is_packaged:
        return "packages leave collectives to torch.distributed"
    x, operation, group_name = _arguments(node)
    return (
        _refusal_of_operation(node, operation)
        or _refusal_of_type(x.meta["val"], context.device)
        or _refusal_of_group(group_name, context.device)
        or _refusal_of_graph(node.graph, group_name)
    )


def _refusal_of_operation(node: fx.Node, operation: str) -> Optional[str]:
    if operation not in ("sum", "avg"):
        return f"Grout computes sums and averages over ranks, not {operation}"
    if not node.users or any(
        support.name_of(user) != _WAITING for user in node.users
    ):
        return "its result is used before it is there"
    return None


def _refusal_of_type(
    x: torch.Tensor, device: Optional[torch.device]
) -> Optional[str]:
    if x.dtype not in _TYPES:
        kind = str(x.dtype).removeprefix("torch.")
        return f"Grout sums f16, bf16 and f32 over ranks, not {kind}"
    if x.device != device:
        return f"a tensor is on {x.device}, others are on {device}"
    return None


def _refusal_of_group(
    group_name: str, device: Optional[torch.device]
) -> Optional[str]:
    assert device is not None
    group = places.resolve(group_name)
    if group.size() == 1:
        return None
    if group.size() > MOST_RANKS:
        return (
            f"its group has {group.size()} ranks, and Grout sums over at most "
            f"{MOST_RANKS}"
        )
    wanted = _BACKENDS.get(device.type)
    backend = places.backend_of(group, device)
    if backend != wanted:
        return f"its group uses {backend}, and Grout goes with {wanted} here"
    return places.find_problem(group, device)


def _refusal_of_graph(graph: fx.Graph, group_name: str) -> Optional[str]:
    others = collectives.sums_of(graph)
    if others and others.group_name != group_name:
        return "the graph has sums over another process group, too"
    return None


REWRITE = Rewrite(apply=replace, refusal=_refusal)
