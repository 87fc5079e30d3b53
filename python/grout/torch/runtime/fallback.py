"""What Grout does not run, run by PyTorch."""

import contextlib
import logging
from typing import Any, Callable, Iterator

import torch
from torch import fx
from torch._subclasses.fake_tensor import unset_fake_temporarily

from ..compilation import higher_order
from ..errors import FallbackForbidden
from ..graph import support

Function = Callable[..., Any]


def _is_trivial(module: fx.GraphModule) -> bool:
    """Whether nothing is computed: views, empty tensors and checks only."""
    return all(
        support.computes_nothing(node)
        for node in module.graph.nodes
        if node.op == "call_function"
    )


@contextlib.contextmanager
def _without_warnings_of_saving() -> Iterator[None]:
    """standalone_compile always makes something that could be saved, and warns
    where it cannot, as for graphs that compute nothing. Nobody saves it."""

    def is_of_others(record: logging.LogRecord) -> bool:
        return "cannot save" not in record.getMessage()

    log = logging.getLogger("torch._inductor.standalone_compile")
    log.addFilter(is_of_others)
    try:
        yield
    finally:
        log.removeFilter(is_of_others)


def _state_values(module: fx.GraphModule) -> None:
    """standalone_compile takes the symbols of a graph from its results. PyTorch
    2.11 looks for these only where Dynamo states them, and makes a shape
    environment that knows no symbol where it finds none."""
    for node in module.graph.find_nodes(op="output")[0].all_input_nodes:
        if "val" in node.meta:
            node.meta.setdefault("example_value", node.meta["val"])


def compile_fallback(
    module: fx.GraphModule, kind: str, reason: str
) -> Function:
    """A function of the module's inputs. `reason` says what is in it, and why,
    as is raised with "error"."""
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
    # Inductor copies the module, and tensors in it are real.
    with unset_fake_temporarily(), _without_warnings_of_saving():
        compiled: Function = torch._inductor.standalone_compile(
            module, inputs, dynamic_shapes="from_graph"
        )
    return compiled
