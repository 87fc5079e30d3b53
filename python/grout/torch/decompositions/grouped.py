"""Products of groups of rows, as `torch.nn.functional.grouped_mm` computes them.
Grout has the product of rows with a matrix for each group of rows (see
rewrites/grouping.py). The other forms are decomposed to that product, or to
batches of products."""

from typing import Any, Optional

import torch
from torch import fx

aten = torch.ops.aten

_TYPES = {"cpu": (torch.float16, torch.bfloat16, torch.float32)}
_GPU_TYPES = (torch.float16, torch.bfloat16)


def is_grouped(node: fx.Node) -> bool:
    """Whether a node multiplies rows by the matrix of their group."""
    return node.op == "call_function" and node.target in (
        aten._grouped_mm.default,
    )


def find_problem(node: fx.Node) -> Optional[str]:
    """Returns why a product is left to PyTorch, as a sentence without its full
    stop; None if Grout compiles it."""
    x, matrices, ends = _operands(node)
    if ends is None or x.dim() != 2 or matrices.dim() != 3:
        return "its groups divide the sums, not the rows"
    types = _TYPES.get(x.device.type, _GPU_TYPES)
    if x.dtype not in types or matrices.dtype != x.dtype:
        return "Grout multiplies no groups of elements of this type"
    if node.meta["val"].dtype != x.dtype:
        return "its result has another type than its operands"
    if ends.dtype != torch.int32:
        return "the ends of its groups are not int32"
    if x.device.type == "cuda":
        row = matrices.shape[1 if stored(node)[1] else 2]
        for extent in (x.shape[1], row):
            if extent * x.element_size() % 16:
                return "its rows are no multiple of 16 bytes"
    return None


def _operands(node: fx.Node) -> tuple[Any, Any, Any]:
    values = [
        None if value is None else value.meta["val"] for value in node.args[:3]
    ]
    values += [None] * (3 - len(values))
    ends = node.kwargs.get("offs")
    return (
        values[0],
        values[1],
        ends.meta["val"] if isinstance(ends, fx.Node) else values[2],
    )


def ends_of(node: fx.Node) -> Any:
    return node.args[2] if len(node.args) > 2 else node.kwargs["offs"]


def stored(node: fx.Node) -> tuple[fx.Node, bool]:
    """Returns the matrices of a product as they are stored, and whether each is
    stored transposed."""
    matrices = node.args[1]
    assert isinstance(matrices, fx.Node)
    if matrices.target is aten.permute.default:
        order = [int(dim) % 3 for dim in matrices.args[1]]
        is_transposed = order == [0, 2, 1]
    else:
        is_transposed = matrices.target is aten.transpose.int and {
            int(dim) % 3 for dim in matrices.args[1:3]
        } == {1, 2}
    source = matrices.args[0] if is_transposed else matrices
    assert isinstance(source, fx.Node)
    return source, is_transposed


def _grouped_mm(
    x: torch.Tensor,
    y: torch.Tensor,
    offs: Optional[torch.Tensor] = None,
    bias: Optional[torch.Tensor] = None,
    out_dtype: Optional[torch.dtype] = None,
) -> Any:
    if bias is not None or out_dtype not in (None, x.dtype):
        return NotImplemented
    if x.dim() == 3 and y.dim() == 3 and offs is None:
        return torch.bmm(x, y)
    if x.dim() == 3 and y.dim() == 2 and offs is not None:
        # The columns of y are in groups, with a matrix x each.
        return aten._grouped_mm.default(y.t(), x.transpose(1, 2), offs).t()
    return NotImplemented


TABLE = {aten._grouped_mm.default: _grouped_mm}
