"""The backend of torch.compile."""

import copy
import functools
from typing import Any, Callable, Mapping, Optional, Sequence

import torch
from functorch.compile import min_cut_rematerialization_partition
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.compile_fx import get_static_input_idxs
from torch._inductor.utils import count_tangents, num_fw_fixed_arguments

from .. import targets
from .compilation.graphs import compile_graph
from .decompositions import composites, eager, tables
from .options import Options
from .rewrites import attention_operands, complex_numbers, constants
from .runtime import cuda_graphs


def backend(
    module: fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    mode: Optional[str] = None,
    options: Optional[Mapping[str, Any]] = None,
) -> Callable[..., Any]:
    """Compiles a graph for torch.compile(model, backend="grout", mode=...,
    options={...}); `options` are those of Options.

    Returns a function that takes the graph's inputs, and returns its outputs.
    Raises ValueError or TypeError for a wrong option, and FallbackForbidden
    with fallback="error".
    """
    chosen = Options.parse(mode, options)

    def compile_one(
        graph: fx.GraphModule,
        inputs: Sequence[Any],
        static: Sequence[int],
        is_backward: bool = False,
        is_inference: bool = False,
    ) -> Callable[..., Any]:
        constants.put_on_gpu(graph)
        original = copy.deepcopy(graph.graph)
        function = _boxed(compile_graph(graph, chosen))
        if not chosen.has_cuda_graphs:
            return function
        return cuda_graphs.replayed(
            function,
            fx.GraphModule(graph, original),
            inputs,
            static=static,
            is_backward=is_backward,
            is_inference=is_inference,
        )

    def compile_forward(
        graph: fx.GraphModule, inputs: Sequence[Any], is_inference: bool = False
    ) -> Callable[..., Any]:
        # The parameters, which keep their addresses.
        static = get_static_input_idxs(
            num_fw_fixed_arguments(len(example_inputs), len(inputs))
        )
        return compile_one(graph, inputs, static, is_inference=is_inference)

    def compile_backward(
        graph: fx.GraphModule, inputs: Sequence[Any]
    ) -> Callable[..., Any]:
        # The tensors that the forward pass kept come first.
        return compile_one(
            graph, inputs, range(count_tangents(graph)), is_backward=True
        )

    is_on_gpu = any(
        isinstance(tensor, torch.Tensor) and tensor.is_cuda
        for tensor in example_inputs
    )
    target = targets.get(chosen.target or "cpu")
    attention_operands.lay_out(module, is_on_gpu)
    compile_traced = aot_autograd(
        fw_compiler=compile_forward,
        bw_compiler=compile_backward,
        inference_compiler=functools.partial(
            compile_forward, is_inference=True
        ),
        partition_fn=_partition,
        keep_inference_input_mutations=True,
        decompositions=_decompositions(is_on_gpu, target.has_f32_products),
    )
    try:
        composites.make_as_eager(module)
        compiled: Callable[..., Any] = compile_traced(module, example_inputs)
    except eager.EagerError as found:
        return eager.raising(found.error)
    return compiled


@functools.cache
def _decompositions(
    is_on_gpu: bool, has_f32_products: bool
) -> dict[Any, eager.Rule]:
    """Returns the table of decompositions, of which AOTAutograd makes a copy
    for each graph. It has over a thousand rules, so it is made once."""
    return eager.as_eager(
        tables.for_gpu() if is_on_gpu else tables.for_cpu(has_f32_products)
    )


def _partition(
    joint: fx.GraphModule, inputs: Sequence[Any], **options: Any
) -> Any:
    """Divides the graph of a forward and a backward pass. No complex numbers
    are kept for the backward pass, because these would stay complex."""
    complex_numbers.split(joint)
    return min_cut_rematerialization_partition(joint, inputs, **options)


def _boxed(function: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    """Wraps a function: takes a list of its arguments and empties the list, so
    that the arguments can be freed."""

    def run(inputs: list[Any]) -> Any:
        given = tuple(inputs)
        inputs.clear()
        return function(*given)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run
