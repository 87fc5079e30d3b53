"""The backend of torch.compile."""

from typing import Any, Callable, Mapping, Optional, Sequence

import torch
from functorch.compile import (make_boxed_func,
                               min_cut_rematerialization_partition)
from torch import fx
from torch._dynamo.backends.common import aot_autograd

from . import decompositions
from .graphs import compile_graph
from .options import Options


def backend(module: fx.GraphModule, example_inputs: Sequence[Any], *,
            mode: Optional[str] = None,
            options: Optional[Mapping[str, Any]] = None) -> Callable[..., Any]:
    """torch.compile(model, backend="grout", mode=..., options={...}); Options
    says what there is."""
    chosen = Options.parse(mode, options)

    def compile_one(graph: fx.GraphModule, inputs: Sequence[Any]
                    ) -> Callable[..., Any]:
        function: Callable[..., Any] = make_boxed_func(
            compile_graph(graph, chosen))
        return function

    is_on_gpu = any(isinstance(tensor, torch.Tensor) and tensor.is_cuda
                    for tensor in example_inputs)
    compiled: Callable[..., Any] = aot_autograd(
        fw_compiler=compile_one, bw_compiler=compile_one,
        partition_fn=min_cut_rematerialization_partition,
        decompositions=(decompositions.for_gpu() if is_on_gpu
                        else decompositions.for_cpu()))(module, example_inputs)
    return compiled
