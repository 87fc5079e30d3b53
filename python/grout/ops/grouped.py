"""The operator grout::grouped_mm."""

from typing import Any

import torch

from . import kernels


def grouped_mm(
    x: torch.Tensor, y: torch.Tensor, ends: torch.Tensor
) -> torch.Tensor:
    """Multiplies matrices in groups. `ends` [G], int32, has the ends of the
    groups: an element is in the first group whose end is beyond it, and
    elements from the last end on are in no group.

    - x [M, K], y [G, K, N]: the groups divide the rows of x, and each row is
      multiplied by the matrix of its group. Returns [M, N]. Rows in no group
      give zeros.
    - x [M, K], y [K, N]: the groups divide K. Returns [G, M, N]: for each group,
      the product of its columns of x with its rows of y.

    x and y are f16 or bf16, or f32 on the CPU. The result has their type; sums
    are in f32. y may be a transposed view, which is not copied. The operator has
    gradients for x and y.

    Raises ValueError for shapes, and TypeError for types, that do not suit.
    Raises grout.torch.FallbackForbidden for operands that Grout has no kernel
    for: on a GPU, f32, and rows that are no multiples of 16 bytes.
    """
    return torch.ops.grout.grouped_mm(x, y, ends)


def _check(x: torch.Tensor, y: torch.Tensor, ends: torch.Tensor) -> None:
    if x.dim() != 2 or y.dim() not in (2, 3) or ends.dim() != 1:
        raise ValueError(
            "grouped_mm: x is [M, K], y is [G, K, N] or [K, N], and ends is "
            f"[G]; they have {x.dim()}, {y.dim()} and {ends.dim()} axes"
        )
    if x.shape[1] != y.shape[-2]:
        raise ValueError(
            f"grouped_mm: x has {x.shape[1]} columns, and y has {y.shape[-2]} "
            "rows"
        )
    if y.dim() == 3 and y.shape[0] != ends.shape[0]:
        raise ValueError(
            f"grouped_mm: y has {y.shape[0]} matrices for {ends.shape[0]} "
            "groups"
        )
    if x.dtype != y.dtype or not x.is_floating_point():
        raise TypeError(
            "grouped_mm: x and y have one floating-point type, not "
            f"{x.dtype} and {y.dtype}"
        )
    if ends.dtype != torch.int32:
        raise TypeError(f"grouped_mm: ends are int32, not {ends.dtype}")


def _run(x: torch.Tensor, y: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    result = _new(x, y, ends)
    if 0 in (*x.shape, *y.shape, *ends.shape):
        return result.zero_()
    if y.dim() == 2:
        operands = (kernels.pad(x, 1), kernels.pad(y, 0), ends)
        return kernels.run("grouped_mm", operands)
    padded = kernels.run("grouped_mm", (kernels.pad(x, 0), y, ends))
    return padded.narrow(0, 0, x.shape[0])


def _new(x: torch.Tensor, y: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    _check(x, y, ends)
    shape = (x.shape[0], y.shape[-1])
    return x.new_empty(shape if y.dim() == 3 else (ends.shape[0], *shape))


def _save(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)


def _gradients(ctx: Any, gradient: torch.Tensor) -> Any:
    """Returns the gradients, which are products in groups, too."""
    x, y, ends = ctx.saved_tensors
    of_x = of_y = None
    if ctx.needs_input_grad[0]:
        of_x = (
            grouped_mm(gradient, y.transpose(1, 2), ends)
            if y.dim() == 3
            else grouped_mm(y, gradient.transpose(1, 2), ends).t()
        )
    if ctx.needs_input_grad[1]:
        of_y = grouped_mm(x.t(), gradient, ends)
    return of_x, of_y, None


_operator = torch.library.custom_op("grout::grouped_mm", _run, mutates_args=())
_operator.register_fake(_new)
_operator.register_autograd(_gradients, setup_context=_save)
