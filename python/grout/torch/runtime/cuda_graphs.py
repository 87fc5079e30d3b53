"""mode="reduce-overhead" and "max-autotune": runs compiled graphs as CUDA
graphs, in PyTorch's trees of CUDA graphs. So all graphs share memory, and
backward passes find the tensors that forward passes have kept."""

from typing import Any, Callable, Sequence

from torch import fx
from torch._dynamo.backends.cudagraphs import (
    check_for_skip,
    find_input_mutations,
    get_device_index,
    get_stack_traces,
)
from torch._inductor import cudagraph_trees
from torch._inductor.cudagraph_utils import get_placeholder_info

from ... import logs
from ..compilation.specialising import is_dynamic

log = logs.logger("refusals")

Function = Callable[..., Any]


def replayed(
    function: Function,
    graph: fx.GraphModule,
    inputs: Sequence[Any],
    *,
    static: Sequence[int],
    is_backward: bool,
    is_inference: bool,
) -> Function:
    """Returns a function, which takes a list of the graph's inputs, as a CUDA
    graph. The inputs whose numbers are in `static` keep their addresses.

    If this is not possible, the function is returned without a CUDA graph, and
    the log tells why: the graph is not entirely on one GPU, changes its inputs,
    or has shapes that change from call to call.
    """
    reason = (
        "its shapes change"
        if is_dynamic(graph)
        else check_for_skip(graph, len(static))
    )
    if reason:
        log.info("a graph is no CUDA graph: %s", reason)
        return _after_forward(function) if is_backward else function
    captured: Function = cudagraph_trees.cudagraphify_impl(
        function,
        list(inputs),
        static,
        device_index=get_device_index(graph),
        is_backward=is_backward,
        is_inference=is_inference,
        stack_traces=get_stack_traces(graph),
        placeholders=get_placeholder_info(graph.graph),
        mutated_input_idxs=find_input_mutations(graph.graph),
    )
    captured._boxed_call = True  # type: ignore[attr-defined]
    return captured


def _after_forward(function: Function) -> Function:
    """Wraps a backward pass that is no CUDA graph, although its forward pass
    may be one."""

    def run(inputs: list[Any]) -> Any:
        manager = cudagraph_trees.get_manager(0, create_if_none_exists=False)
        if manager is not None:
            manager.set_to_running_backward()
        return function(inputs)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run
