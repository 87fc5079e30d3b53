"""mode="reduce-overhead" and "max-autotune": compiled graphs as CUDA graphs, in
the trees that PyTorch keeps of them, so that all share memory, and backward
passes find what forward passes have kept."""

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
    """A function of a list of the graph's inputs, of which those numbered
    `static` stay where they are, as a CUDA graph; or as it is, and the log says
    why: what is not all on one GPU, changes its inputs, or has other shapes from
    call to call."""
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
    """A backward pass that is no CUDA graph, though its forward pass may be."""

    def run(inputs: list[Any]) -> Any:
        manager = cudagraph_trees.get_manager(0, create_if_none_exists=False)
        if manager is not None:
            manager.set_to_running_backward()
        return function(inputs)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run
