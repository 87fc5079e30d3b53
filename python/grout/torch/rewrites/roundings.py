"""Marks results of f16 and bf16 that must be rounded, or need not be.

With rounding="once", the compiler leaves out roundings between operators of one
kernel. But `x.to(torch.bfloat16).float()` asks for a rounding, so the compiler
must keep it. With rounding="eager", each operator rounds its result. An addmm
is one operator, although it is decomposed into two, so its GEMM need not be
rounded.
"""

from torch import fx

from ..decompositions.narrow import HALVES
from ..graph import support
from ..graph.support import aten, prims

CHOICES = ("once", "eager")

MARK = "grout_rounding"
"""Key in the metadata of nodes: KEPT or OPTIONAL."""

KEPT, OPTIONAL = "kept", "optional"

_CASTS = (aten._to_copy.default, prims.convert_element_type.default)


def mark(module: fx.GraphModule, rounding: str) -> None:
    """Marks each node whose rounding differs from the compiler's default for
    `rounding`."""
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
    """Returns the marks of a graph as text, for the key of an artifact."""
    return " ".join(
        f"{number} {node.meta[MARK]}"
        for number, node in enumerate(module.graph.nodes)
        if MARK in node.meta
    )


def _is_half(node: fx.Node) -> bool:
    return getattr(node.meta.get("val"), "dtype", None) in HALVES


def _is_written_cast(node: fx.Node) -> bool:
    """Whether a node is a cast that the program has, not a part of another
    operator."""
    return node.target in _CASTS and _origin_of(node) in ("", *map(str, _CASTS))


def _is_part_of_sum(node: fx.Node) -> bool:
    """Whether a node is the GEMM of an addmm or a baddbmm."""
    return support.is_matrix_product(node) and _origin_of(node) in (
        "aten.addmm.default",
        "aten.baddbmm.default",
    )


def _origin_of(node: fx.Node) -> str:
    """Returns the name of the operator from which a node was decomposed; "" if
    it is not known. Names are compared because copies of graphs have copies of
    operators, which are not equal."""
    return str(node.meta.get("original_aten") or "")
