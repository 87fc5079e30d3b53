"""Finds the partition that is wrong, if one is."""

from typing import Any, Callable, Sequence

import torch
from torch import fx

from .errors import MismatchError
from .partition import Partition

# Relative to a tensor's largest element: what rounding in another order does,
# with room.
_TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 8e-2, torch.float32: 1e-4,
              torch.float64: 1e-10}


def verified(partition: Partition, module: fx.GraphModule,
             names: Sequence[str]) -> Callable[..., Any]:
    """Runs a partition, and the module it was made of by PyTorch. Raises
    MismatchError if results differ; `names` are their nodes'."""

    updated = {output.in_place for output in partition.outputs}

    def run(*inputs: torch.Tensor) -> list[torch.Tensor]:
        before = [tensor.clone() if i in updated else tensor
                  for i, tensor in enumerate(inputs)]
        results = partition(*inputs)
        wanted = module.forward(*before)
        for name, result, right in zip(names, results, wanted):
            problem = _difference(result, right)
            if problem:
                raise MismatchError(
                    f"Grout's {name} differs from PyTorch's: {problem}; it is "
                    f"a result of\n{module.code}")
        return results

    return run


def _difference(result: torch.Tensor, right: torch.Tensor) -> str:
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
            (x - y).abs().max() <= 1e-6 * _TOLERANCE[result.dtype]):
        return ""
    return f"by {error:.2g} of its largest element"
