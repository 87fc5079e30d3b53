"""Runs with PyTorch the parts of graphs that Grout does not run."""

import contextlib
import logging
from typing import Any, Callable, Iterator

import torch
from torch import fx
from torch._dynamo.convert_frame import compile_lock
from torch._subclasses.fake_tensor import unset_fake_temporarily

from ..compilation import higher_order
from ..errors import FallbackForbidden
from ..graph import support

Function = Callable[..., Any]


def _is_trivial(module: fx.GraphModule) -> bool:
    """Whether a graph computes nothing, because it has only views, empty
    tensors and checks."""
    return all(
        support.computes_nothing(node)
        for node in module.graph.nodes
        if node.op == "call_function"
    )


@contextlib.contextmanager
def _without_warnings_of_saving() -> Iterator[None]:
    """Hides a warning. standalone_compile always makes a result that could be
    saved, and warns if that is not possible, as for graphs that compute
    nothing. Grout does not save the result."""

    def is_of_others(record: logging.LogRecord) -> bool:
        return "cannot save" not in record.getMessage()

    log = logging.getLogger("torch._inductor.standalone_compile")
    log.addFilter(is_of_others)
    try:
        yield
    finally:
        log.removeFilter(is_of_others)


def _state_values(module: fx.GraphModule) -> None:
    """Adds the metadata from which standalone_compile takes a graph's symbols.
    PyTorch 2.11 looks for symbols only in the metadata that Dynamo writes on
    results, and if it finds none, makes a shape environment that knows no
    symbol."""
    for node in module.graph.find_nodes(op="output")[0].all_input_nodes:
        if "val" in node.meta:
            node.meta.setdefault("example_value", node.meta["val"])


def compile_fallback(
    module: fx.GraphModule, kind: str, reason: str
) -> Function:
    """Returns a function of the module's inputs. With `kind` "error", raises
    FallbackForbidden with `reason`, which says what is left to PyTorch, and
    why."""
    if _is_trivial(module):
        return module.forward
    if kind == "error":
        raise FallbackForbidden(reason)
    if higher_order.are_in(module):
        return higher_order.compile_apart(
            module, lambda part: compile_fallback(part, kind, reason)
        )
    if kind == "eager":
        return module.forward
    inputs: list[Any] = [
        node.meta["val"]
        for node in module.graph.nodes
        if node.op == "placeholder"
    ]
    _state_values(module)
    # Inductor traces graphs, and tracers have state that threads share. It copies
    # the module, whose tensors are real.
    with compile_lock, unset_fake_temporarily(), _without_warnings_of_saving():
        compiled: Function = torch._inductor.standalone_compile(
            module, inputs, dynamic_shapes="from_graph"
        )
    return compiled
