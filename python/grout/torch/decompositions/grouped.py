"""Products of groups of rows, as `torch.nn.functional.grouped_mm` computes them.
Grout has the product of rows with a matrix for each group of rows,
`grout::grouped_rows` (see rewrites/grouping.py). The other forms are decomposed
to that product, or to batches of products.

PyTorch refuses biases, and results of another type than the operands. So such
products reach no backend."""

from typing import Any, Callable, Optional

import torch
from torch import fx

from ... import ops
from . import ragged
from .extents import are_known, is_any_zero

aten = torch.ops.aten

_TYPES = {
    "cpu": (torch.float16, torch.bfloat16, torch.float32),
    "cuda": (torch.float16, torch.bfloat16),
}


def _multiply_rows(
    x: torch.Tensor, matrices: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    """Multiplies rows x [M, K] by the matrix [G, K, N] of their group. Returns
    [M, N]. Kernels do not write rows that are in no group. Unlike
    aten._grouped_mm, takes rows of any length."""
    result = x.new_zeros((x.shape[0], matrices.shape[2]))
    begin = 0
    for matrix, end in zip(matrices, ends.tolist()):
        if end > begin:
            torch.mm(x[begin:end], matrix, out=result[begin:end])
            begin = end
    return result


def _new_rows(
    x: torch.Tensor, matrices: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    return x.new_empty((x.shape[0], matrices.shape[2]))


torch.library.custom_op(
    "grout::grouped_rows", _multiply_rows, mutates_args=()
).register_fake(_new_rows)
_ROWS = torch.ops.grout.grouped_rows.default


def is_grouped(node: fx.Node) -> bool:
    """Whether a node is a product whose operands are in groups."""
    return node.target in (aten._grouped_mm.default, _ROWS)


def refusal(node: fx.Node) -> Optional[str]:
    """Returns why a product of groups is left to PyTorch, as a sentence without
    its full stop; None if Grout compiles it."""
    x, matrices, ends, bias, out_dtype = _arguments(node)
    if bias is not None:
        return "it has a bias"
    if out_dtype not in (None, x.meta["val"].dtype):
        return "its result has another type than its operands"
    return find_problem(x, matrices, ends)


def find_problem(
    x: fx.Node, matrices: fx.Node, ends: Optional[fx.Node]
) -> Optional[str]:
    """Returns why Grout has no product of these operands, as a sentence without
    its full stop; None if it has one."""
    rows, rhs = x.meta["val"], matrices.meta["val"]
    if not _are_multiplied(rows, rhs):
        return "Grout multiplies no groups of elements of this type"
    if ends is None or rows.dim() != 2 or rhs.dim() != 3:
        return "it was not known when the graph was made"
    if ends.meta["val"].dtype != torch.int32:
        return "the ends of its groups are not int32"
    if rows.device.type == "cuda":
        # TMA loads rows of x, and of the matrices as they are stored.
        stored_row = rhs.shape[1 if stored(matrices)[1] else 2]
        for extent in (rows.shape[1], stored_row):
            if extent * rows.element_size() % 16:
                return "its rows are no multiple of 16 bytes"
    return None


def _are_multiplied(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Whether Grout multiplies groups of these types on this device."""
    return x.dtype == y.dtype and x.dtype in _TYPES.get(x.device.type, ())


def _arguments(node: fx.Node) -> list[Any]:
    names = [argument.name for argument in node.target._schema.arguments]
    given = dict(zip(names, node.args)) | dict(node.kwargs)
    return [*map(given.get, names), None, None][:5]


def operands_of(node: fx.Node) -> tuple[fx.Node, fx.Node, Any]:
    """Returns the rows, the matrices, and the ends of the groups."""
    x, matrices, ends, *_ = _arguments(node)
    return x, matrices, ends


def stored(matrices: fx.Node) -> tuple[fx.Node, bool]:
    """Returns matrices as they are stored, and whether each is stored
    transposed."""
    args: Any = matrices.args
    if matrices.target is aten.permute.default:
        is_transposed = [dim % 3 for dim in args[1]] == [0, 2, 1]
    elif matrices.target is aten.transpose.int:
        is_transposed = {dim % 3 for dim in args[1:]} == {1, 2}
    else:
        is_transposed = False
    return (args[0] if is_transposed else matrices), is_transposed


def _grouped_mm(
    x: torch.Tensor,
    y: torch.Tensor,
    offs: Optional[torch.Tensor] = None,
    bias: Optional[torch.Tensor] = None,
    out_dtype: Optional[torch.dtype] = None,
) -> Any:
    if bias is not None or out_dtype not in (None, x.dtype):
        return NotImplemented
    if x.dtype != y.dtype:
        return NotImplemented  # PyTorch's kernel raises an error
    if x.dim() == 3 and y.dim() == 3 and offs is None:
        return torch.bmm(x, y)
    if x.dim() == 3 and y.dim() == 2 and offs is not None:
        # The columns of y are in groups, with a matrix x each.
        return aten._grouped_mm.default(y.t(), x.transpose(1, 2), offs).t()
    if x.dim() == y.dim() == 2 and offs is not None:
        # The sums are in groups, with a matrix of results each.
        is_known = are_known(*x.shape, *y.shape, *offs.shape)
        if is_known and _are_multiplied(x, y):
            return ragged.product(x, y, offs)
    return NotImplemented


def rows_or_zeros(
    x: torch.Tensor, matrices: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    """Multiplies rows in groups. Returns zeros for rows in no group."""
    if is_any_zero(*matrices.shape):
        return x.new_zeros((x.shape[0], matrices.shape[2]))
    rows = torch.arange(x.shape[0], dtype=torch.int32, device=x.device)
    is_inside = (rows < ends.amax()).unsqueeze(-1)
    return torch.where(is_inside, _ROWS(x, matrices, ends), 0)


def _of_grout(x: torch.Tensor, y: torch.Tensor, ends: torch.Tensor) -> Any:
    """Decomposes grout::grouped_mm."""
    if not are_known(*y.shape, *ends.shape):
        return NotImplemented
    if y.dim() == 3:
        return rows_or_zeros(x, y, ends)
    return ragged.product(x, y, ends)


TABLE: dict[Any, Callable[..., Any]] = {
    aten._grouped_mm.default: _grouped_mm,
    torch.ops.grout.grouped_mm.default: _of_grout,
    torch.ops.grout.moe.default: ops.experts.of_parts,
}
