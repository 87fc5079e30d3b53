"""Finds partitions that have wrong results."""

from typing import Any, Callable, Sequence

import torch
from torch import fx

from ..errors import MismatchError
from .agreement import difference
from .partition import Partition


def verified(
    partition: Partition, module: fx.GraphModule, names: Sequence[str]
) -> Callable[..., Any]:
    """Returns a function that runs a partition, and with PyTorch the module
    that it was made from. The function raises MismatchError if results differ;
    `names` are the names of the results' nodes."""

    updated = {output.in_place for output in partition.outputs}

    def run(*inputs: torch.Tensor) -> list[torch.Tensor]:
        before = [
            tensor.clone() if i in updated else tensor
            for i, tensor in enumerate(inputs)
        ]
        results = partition(*inputs)
        wanted = module.forward(*before)
        for name, result, right in zip(names, results, wanted):
            problem = difference(result, right)
            if problem:
                raise MismatchError(
                    f"Grout's {name} differs from PyTorch's: {problem}; it is "
                    f"a result of\n{module.code}"
                )
        return results

    return run
