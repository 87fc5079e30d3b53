"""Collectives: operators of the ranks of a process group.

A graph of PyTorch has two nodes for each: for example,
_c10d_functional.all_reduce begins a sum, and _c10d_functional.wait_tensor
returns the result. Grout's operators do both. For a group of four ranks, these
are

    y = torch.ops.grout.all_reduce(x, 4, group_name)
    y = torch.ops.grout.reduce_scatter(x, 4, group_name, 0)
    y = torch.ops.grout.all_gather(x, 4, group_name, 0)

The second one cuts the sum in dimension 0, and returns a part of it. The third
one concatenates the tensors of all ranks in dimension 0.
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

OPERATORS = (ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER)

_BEGINNINGS = {
    "_c10d_functional.all_reduce.default": ALL_REDUCE,
    "_c10d_functional.reduce_scatter_tensor.default": REDUCE_SCATTER,
    "_c10d_functional.all_gather_into_tensor.default": ALL_GATHER,
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


def dim_of(node: fx.Node) -> Optional[int]:
    """Returns the dimension that a node cuts or concatenates; None for sums
    that all ranks get."""
    dim = node.args[3] if len(node.args) == 4 else None
    assert dim is None or isinstance(dim, int)
    return dim


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
    dim = dim_of(node)
    where = "" if dim is None else f" in dimension {dim}"
    return f"{name_of(node)} of {kind}{list(x.shape)}{where}"
