"""Collectives of a process group, as Dynamo makes them of torch.distributed,
and DTensor of tensor and sequence parallelism.

The rewrite replaces

    begun = _c10d_functional.all_reduce(x, "sum", group_name)
    y = _c10d_functional.wait_tensor(begun)

by y = grout.all_reduce(x, ranks, group_name), and reduce-scatters, all-gathers
and all-to-alls likewise (see graph/collectives.py). joining.py imports them.
"""

import dataclasses
from typing import Any, Optional

import torch
from torch import fx

from ..graph import collectives, support
from ..graph.nodes import call
from ..runtime import places
from .rewrite import Context, Rewrite

aten = torch.ops.aten

MOST_RANKS = 8

_WAITING = "_c10d_functional.wait_tensor.default"

_SUMMED = (torch.float16, torch.bfloat16, torch.float32)
_BACKENDS = {"cpu": "gloo", "cuda": "nccl"}


@dataclasses.dataclass(frozen=True)
class _Begun:
    """What a node of PyTorch begins."""

    operator: Any
    """The operator of Grout that may do it."""
    x: fx.Node
    group_name: str
    operation: Optional[str]
    """The reduction, such as "sum"; None if nothing is reduced."""
    dims: tuple[int, ...]
    """The dimensions of the operator of Grout."""
    splits: tuple[Any, ...]
    """The sizes of the parts that ranks give and get; () if they are equal."""
    waits: bool
    """Whether the node itself returns the result."""

    @property
    def tensor(self) -> torch.Tensor:
        value: torch.Tensor = self.x.meta["val"]
        return value


def _begun_by(node: fx.Node) -> Optional[_Begun]:
    """Returns what a node begins; None for other nodes."""
    operator = collectives.begun_by(node)
    if operator is None:
        return None
    target: Any = node.target
    names = (argument.name for argument in target._schema.arguments)
    given: dict[str, Any] = {**dict(zip(names, node.args)), **node.kwargs}
    operation = given.get("reduce_op")
    x = given["input"]
    # shard_dim_alltoall of DTensor has dimensions, and waits for the result.
    waits = "shard_dim" in given
    dims = {
        collectives.ALL_REDUCE: (),
        collectives.ALL_TO_ALL: (
            given.get("shard_dim", 0) % max(x.meta["val"].dim(), 1),
            given.get("gather_dim", 0) % max(x.meta["val"].dim(), 1),
        ),
    }.get(operator, (0,))
    splits = (
        *given.get("output_split_sizes", ()),
        *given.get("input_split_sizes", ()),
    )
    return _Begun(
        operator,
        x,
        given["group_name"],
        operation and operation.lower(),
        dims,
        splits,
        waits,
    )


def replace(module: fx.GraphModule, context: Context) -> None:
    """Replaces the collectives that Grout computes."""
    for node in list(module.graph.nodes):
        begun = _begun_by(node)
        if begun and not _refusal(node, context):
            _replace(module.graph, node, begun)
    module.recompile()


def _replace(graph: fx.Graph, node: fx.Node, begun: _Begun) -> None:
    with graph.inserting_before(node):
        result = _insert(graph, node, begun)
    if begun.waits:
        node.replace_all_uses_with(result)
    for waiting in list(node.users):
        waiting.replace_all_uses_with(result)
        graph.erase_node(waiting)
    graph.erase_node(node)


def _insert(graph: fx.Graph, node: fx.Node, begun: _Begun) -> fx.Node:
    x, name = begun.x, begun.group_name
    ranks = places.resolve(name).size()
    if begun.operator is collectives.ALL_GATHER and not begun.tensor.dim():
        x = call(graph, node, aten.reshape.default, x, [1])
    if ranks == 1:
        return call(
            graph,
            node,
            aten.clone.default,
            x,
            memory_format=torch.contiguous_format,
        )
    if begun.operation == "avg":
        # As NCCL does, so that no sum overflows whose average does not.
        x = call(graph, node, aten.mul.Tensor, x, 1 / ranks)
    return call(graph, node, begun.operator, x, ranks, name, *begun.dims)


def _refusal(node: fx.Node, context: Context) -> Optional[str]:
    """Returns why the collective that a node begins is left to PyTorch. Returns
    None for other nodes, and if Grout computes it."""
    begun = _begun_by(node)
    if begun is None:
        return None
    assert context.device is not None
    if support.is_excluded(node, context.excluded):
        return "it is among excluded_ops"
    if context.is_packaged:
        return "packages leave collectives to torch.distributed"
    return (
        _refusal_of_operation(node, begun)
        or _refusal_of_tensor(begun, context.device)
        or _refusal_of_group(begun.group_name, context.device)
        or _refusal_of_parts(begun)
        or _refusal_of_graph(node.graph, begun.group_name)
    )


def _refusal_of_operation(node: fx.Node, begun: _Begun) -> Optional[str]:
    if begun.operation not in ("sum", "avg", None):
        return (
            "Grout computes sums and averages over ranks, not "
            f"{begun.operation}"
        )
    if begun.waits:
        return None
    if not node.users or any(
        support.name_of(user) != _WAITING for user in node.users
    ):
        return "its result is used before it is there"
    return None


def _refusal_of_tensor(begun: _Begun, device: torch.device) -> Optional[str]:
    x = begun.tensor
    if begun.operation and x.dtype not in _SUMMED:
        kind = str(x.dtype).removeprefix("torch.")
        return f"Grout sums f16, bf16 and f32 over ranks, not {kind}"
    return support.reason_of_value(x, device)


def _refusal_of_group(group_name: str, device: torch.device) -> Optional[str]:
    group = places.resolve(group_name)
    if group.size() == 1:
        return None
    if group.size() > MOST_RANKS:
        return (
            f"its group has {group.size()} ranks, and Grout has collectives of "
            f"at most {MOST_RANKS}"
        )
    wanted = _BACKENDS.get(device.type)
    backend = places.backend_of(group, device)
    if backend != wanted:
        return f"its group uses {backend}, and Grout goes with {wanted} here"
    return places.find_problem(group, device)


def _refusal_of_parts(begun: _Begun) -> Optional[str]:
    cutting = (collectives.REDUCE_SCATTER, collectives.ALL_TO_ALL)
    if begun.operator not in cutting:
        return None
    x, ranks = begun.tensor, places.resolve(begun.group_name).size()
    if not x.dim() or x.shape[begun.dims[0]] % ranks:
        return f"{ranks} ranks get no equal parts of {list(x.shape)}"
    if any(size != x.shape[0] // ranks for size in begun.splits):
        return "ranks give parts of different sizes"
    return None


def _refusal_of_graph(graph: fx.Graph, group_name: str) -> Optional[str]:
    others = collectives.of(graph)
    if others and others.group_name != group_name:
        return "the graph has collectives of another process group, too"
    return None


REWRITE = Rewrite(apply=replace, refusal=_refusal)
