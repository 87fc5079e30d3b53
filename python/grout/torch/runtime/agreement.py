"""Decides whether two results are the same, except for rounding."""

import torch

# Relative to a tensor's largest element: the difference that rounding in
# another order makes, with some room.
_TOLERANCE = {
    torch.float16: 1e-2,
    torch.bfloat16: 8e-2,
    torch.float32: 1e-4,
    torch.float64: 1e-10,
}


def difference(result: torch.Tensor, right: torch.Tensor) -> str:
    """Describes how two tensors differ that were computed in different orders.
    Returns "" if rounding explains the difference."""
    if result.dtype not in _TOLERANCE:
        wrong = int((result != right).sum())
        return f"{wrong} of {right.numel()} elements" if wrong else ""
    if not torch.equal(result.isfinite(), right.isfinite()):
        return "other elements are finite"
    keep = right.isfinite()
    if not keep.any():
        return ""
    x, y = result[keep].double(), right[keep].double()
    error = float((x - y).abs().max() / y.abs().max().clamp(min=1e-30))
    if error <= _TOLERANCE[result.dtype] or bool(
        (x - y).abs().max() <= 1e-6 * _TOLERANCE[result.dtype]
    ):
        return ""
    return f"by {error:.2g} of its largest element"
