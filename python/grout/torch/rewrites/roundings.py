"""Which results of f16 and bf16 are rounded for sure, and which need not be.

With rounding="once" the compiler leaves roundings out between operators of one
kernel. One is kept: `x.to(torch.bfloat16).float()` asks for nothing else. With
rounding="eager" each operator rounds; addmm is one, though it consists of two.
"""

from torch import fx

from ..decompositions.narrow import HALVES
from ..graph import support
from ..graph.support import aten, prims

CHOICES = ("once", "eager")

MARK = "grout_rounding"
"""In the metadata of nodes: KEPT or OPTIONAL."""

KEPT, OPTIONAL = "kept", "optional"

_CASTS = (aten._to_copy.default, prims.convert_element_type.default)


def mark(module: fx.GraphModule, rounding: str) -> None:
    """Of each node whose rounding is not what the compiler would do."""
    for node in module.graph.nodes:
        if not _is_half(node):
            continue
        if rounding == "eager":
            if _is_part_of_sum(node):
                node.meta[MARK] = OPTIONAL
        elif _is_written_cast(node) and any(
            _is_written_cast(reader) and not _is_half(reader)
            for reader in support.readers_of(node)
        ):
            node.meta[MARK] = KEPT


def describe(module: fx.GraphModule) -> str:
    """What `mark` has left, as a part of a key."""
    return " ".join(
        f"{number} {node.meta[MARK]}"
        for number, node in enumerate(module.graph.nodes)
        if MARK in node.meta
    )


def _is_half(node: fx.Node) -> bool:
    return getattr(node.meta.get("val"), "dtype", None) in HALVES


def _is_written_cast(node: fx.Node) -> bool:
    """Whether it is a cast of the program, and no part of an operator."""
    return node.target in _CASTS and _origin_of(node) in ("", *map(str, _CASTS))


def _is_part_of_sum(node: fx.Node) -> bool:
    """Whether it is the product of an addmm."""
    return support.is_matrix_product(node) and _origin_of(node) in (
        "aten.addmm.default",
        "aten.baddbmm.default",
    )


def _origin_of(node: fx.Node) -> str:
    """The name of the operator that a node is a part of; "" if that is not
    known. Copies of graphs have copies of operators, which are not equal."""
    return str(node.meta.get("original_aten") or "")
