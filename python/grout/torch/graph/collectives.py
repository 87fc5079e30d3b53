"""Collectives: operators of the ranks of a process group.

A graph of PyTorch has two nodes for most of them: for example,
_c10d_functional.all_reduce begins a sum, and _c10d_functional.wait_tensor
returns the result. Grout's operators do both. For a group of four ranks, these
are

    y = torch.ops.grout.all_reduce(x, 4, group_name)
    y = torch.ops.grout.reduce_scatter(x, 4, group_name, 0)
    y = torch.ops.grout.all_gather(x, 4, group_name, 0)
    y = torch.ops.grout.all_to_all(x, 4, group_name, 1, 0)

The second one cuts the sum in dimension 0, and returns a part of it. The third
one concatenates the tensors of all ranks in dimension 0. The last one cuts x in
dimension 1, gives a part to each rank, and concatenates the parts that it gets
in dimension 0.
"""

import dataclasses
from typing import Any, Optional

import torch
from torch import fx


def _wait(begun: torch.Tensor) -> torch.Tensor:
    done: torch.Tensor = torch.ops._c10d_functional.wait_tensor(begun)
    return done


def _sum(x: torch.Tensor, ranks: int, group_name: str) -> torch.Tensor:
    """Sums tensors over the ranks of a group. The result is the same on all
    ranks. `ranks` is the size of the group."""
    return _wait(torch.ops._c10d_functional.all_reduce(x, "sum", group_name))


def _new_sum(x: torch.Tensor, ranks: int, group_name: str) -> torch.Tensor:
    return x.new_empty(x.shape)


def _scatter(
    x: torch.Tensor, ranks: int, group_name: str, dim: int
) -> torch.Tensor:
    """Sums tensors over the ranks of a group. Each rank gets one of equal parts
    of dimension `dim`, in the order of the ranks."""
    parts = torch.cat(x.chunk(ranks, dim))
    return _wait(
        torch.ops._c10d_functional.reduce_scatter_tensor(
            parts, "sum", ranks, group_name
        )
    )


def _new_part(
    x: torch.Tensor, ranks: int, group_name: str, dim: int
) -> torch.Tensor:
    return x.new_empty(_resized(x, dim, x.shape[dim] // ranks))


def _gather(
    x: torch.Tensor, ranks: int, group_name: str, dim: int
) -> torch.Tensor:
    """Concatenates the tensors of all ranks in dimension `dim`."""
    parts = _wait(
        torch.ops._c10d_functional.all_gather_into_tensor(
            x.contiguous(), ranks, group_name
        )
    )
    return torch.cat(parts.chunk(ranks), dim)


def _new_whole(
    x: torch.Tensor, ranks: int, group_name: str, dim: int
) -> torch.Tensor:
    return x.new_empty(_resized(x, dim, x.shape[dim] * ranks))


def _exchange(
    x: torch.Tensor,
    ranks: int,
    group_name: str,
    split_dim: int,
    concat_dim: int,
) -> torch.Tensor:
    """Gives each rank of a group one of equal parts of dimension `split_dim`,
    and concatenates the parts that this rank gets in dimension `concat_dim`."""
    given = torch.stack(x.chunk(ranks, split_dim))
    got = _wait(
        torch.ops._c10d_functional.all_to_all_single(
            given, [1] * ranks, [1] * ranks, group_name
        )
    )
    return torch.cat(got.unbind(), concat_dim)


def _new_exchanged(
    x: torch.Tensor,
    ranks: int,
    group_name: str,
    split_dim: int,
    concat_dim: int,
) -> torch.Tensor:
    shape = _resized(x, split_dim, x.shape[split_dim] // ranks)
    shape[concat_dim] *= ranks
    return x.new_empty(shape)


def _resized(x: torch.Tensor, dim: int, extent: int) -> list[int]:
    return [*x.shape[:dim], extent, *x.shape[dim + 1 :]]


def _define(name: str, function: Any, fake: Any) -> Any:
    torch.library.custom_op(
        f"grout::{name}", function, mutates_args=()
    ).register_fake(fake)
    return getattr(torch.ops.grout, name).default


ALL_REDUCE = _define("all_reduce", _sum, _new_sum)
REDUCE_SCATTER = _define("reduce_scatter", _scatter, _new_part)
ALL_GATHER = _define("all_gather", _gather, _new_whole)
ALL_TO_ALL = _define("all_to_all", _exchange, _new_exchanged)

OPERATORS = (ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL)

_BEGINNINGS = {
    "_c10d_functional.all_reduce.default": ALL_REDUCE,
    "_c10d_functional.reduce_scatter_tensor.default": REDUCE_SCATTER,
    "_c10d_functional.all_gather_into_tensor.default": ALL_GATHER,
    "_c10d_functional.all_to_all_single.default": ALL_TO_ALL,
    "_dtensor.shard_dim_alltoall.default": ALL_TO_ALL,
}


def begun_by(node: fx.Node) -> Any:
    """Returns the operator of Grout that does what a node begins. This may be
    for other reductions than sums. Returns None for other nodes."""
    return _BEGINNINGS.get(str(node.target))


def is_collective(node: fx.Node) -> bool:
    """Whether a node is one of Grout's collectives."""
    return node.op == "call_function" and node.target in OPERATORS


def operand_of(node: fx.Node) -> fx.Node:
    """Returns the tensor of this rank."""
    x = node.args[0]
    assert isinstance(x, fx.Node)
    return x


def ranks_of(node: fx.Node) -> int:
    ranks = node.args[1]
    assert isinstance(ranks, int)
    return ranks


def group_name_of(node: fx.Node) -> str:
    name = node.args[2]
    assert isinstance(name, str)
    return name


def dims_of(node: fx.Node) -> dict[str, int]:
    """Returns the dimensions that a node cuts or concatenates, by the name of
    the argument; none for sums that all ranks get."""
    target: Any = node.target
    names = [argument.name for argument in target._schema.arguments]
    dims: Any = node.args[3:]
    return dict(zip(names[3:], dims, strict=True))


def name_of(node: fx.Node) -> str:
    """Returns the name of a node's operator, such as "all_reduce"."""
    return str(node.target).split(".")[1]


@dataclasses.dataclass(frozen=True)
class Collectives:
    """The collectives of a graph."""

    group_name: str
    """The name of the process group, which is the same for all of them."""
    calls: tuple[str, ...]
    """The operators and their operands, such as "all_reduce of float32[4, 8]",
    in the order of the graph."""


def of(graph: fx.Graph) -> Optional[Collectives]:
    """Returns the collectives of a graph; None if there are none."""
    nodes = list(filter(is_collective, graph.nodes))
    if not nodes:
        return None
    return Collectives(group_name_of(nodes[0]), tuple(map(_describe, nodes)))


def _describe(node: fx.Node) -> str:
    x = operand_of(node).meta["val"]
    kind = str(x.dtype).removeprefix("torch.")
    dims = " and ".join(f"{name} {dim}" for name, dim in dims_of(node).items())
    return f"{name_of(node)} of {kind}{list(x.shape)}" + (
        f" with {dims}" if dims else ""
    )
