"""Sums over the ranks of a process group.

A graph of PyTorch has two nodes for such a sum: _c10d_functional.all_reduce
begins it, and _c10d_functional.wait_tensor returns the result. Grout's operator
grout::all_reduce does both, for example

    y = torch.ops.grout.all_reduce(x, 4, group_name)

for a group of four ranks.
"""

import dataclasses
from typing import Optional

import torch
from torch import fx


def _sum(x: torch.Tensor, ranks: int, group_name: str) -> torch.Tensor:
    """Sums tensors over the ranks of a group. The result is the same on all
    ranks. `ranks` is the size of the group."""
    begun = torch.ops._c10d_functional.all_reduce(x, "sum", group_name)
    return torch.ops._c10d_functional.wait_tensor(begun)


def _new(x: torch.Tensor, ranks: int, group_name: str) -> torch.Tensor:
    return x.new_empty(x.shape)


torch.library.custom_op(
    "grout::all_reduce", _sum, mutates_args=()
).register_fake(_new)
ALL_REDUCE = torch.ops.grout.all_reduce.default


def is_begun(node: fx.Node) -> bool:
    """Whether a node begins a sum, or another reduction, over ranks."""
    return str(node.target) == "_c10d_functional.all_reduce.default"


def is_all_reduce(node: fx.Node) -> bool:
    """Whether a node is Grout's sum over ranks."""
    return node.target is ALL_REDUCE


def ranks_of(node: fx.Node) -> int:
    """Returns the number of ranks over which a node sums."""
    _, ranks, _ = node.args
    assert isinstance(ranks, int)
    return ranks


def operand_of(node: fx.Node) -> fx.Node:
    """Returns the tensor that a node sums."""
    x, _, _ = node.args
    assert isinstance(x, fx.Node)
    return x


@dataclasses.dataclass(frozen=True)
class Sums:
    """The sums over ranks of a graph."""

    group_name: str
    """The name of the process group, which is the same for all of them."""
    tensors: tuple[str, ...]
    """The types and shapes of the tensors, such as "float32[4, 8]", in the
    order of the graph."""


def sums_of(graph: fx.Graph) -> Optional[Sums]:
    """Returns the sums over ranks of a graph; None if there are none."""
    nodes = graph.find_nodes(op="call_function", target=ALL_REDUCE)
    if not nodes:
        return None
    group_name: str = nodes[0].args[2]
    return Sums(
        group_name, tuple(_describe(node.meta["val"]) for node in nodes)
    )


def _describe(x: torch.Tensor) -> str:
    return f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}"
