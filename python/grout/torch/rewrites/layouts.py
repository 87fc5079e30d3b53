"""Images that have their channels first in memory, on GPUs, whose convolutions
take them with channels last."""

import contextlib
from typing import Any, Optional

import torch
from torch import fx
from torch._guards import detect_fake_mode

from ... import targets
from ..graph.nodes import UNIT, call
from . import convolutions
from .rewrite import Rewrite

aten = torch.ops.aten


def put_channels_last(module: fx.GraphModule, target: targets.Target) -> None:
    """Where weights keep convolutions from Grout, copies them, all at the
    beginning, so that one kernel does it. What follows from such a convolution
    has channels last, too, as PyTorch says; results of the graph are turned
    back. Nothing is done if these were as many as the convolutions: that is a
    forward pass which keeps all for the backward pass. There may be as many,
    but not more, if a convolution is made of one in another rank, for which
    no layout can be chosen in a model."""
    wanted = [
        node
        for node in _convolutions(module.graph)
        if convolutions.wants_channels_last(node, target)
    ]
    if not wanted:
        return
    change = _Change(module.graph, target)
    most = len(wanted) - (not any(UNIT in node.meta for node in wanted))
    if change.make() and change.restored <= most:
        module.graph = change.graph
        module.recompile()


def _convolutions(graph: fx.Graph) -> list[fx.Node]:
    """Those of images."""
    return [
        node
        for node in graph.find_nodes(
            op="call_function", target=aten.convolution.default
        )
        if node.args[1].meta["val"].dim() == 4
    ]


class _Change:
    """A copy of a graph, changed."""

    def __init__(self, original: fx.Graph, target: targets.Target):
        self._target = target
        self.graph = fx.Graph()
        self.restored = 0
        """Results that are turned back."""
        copies: dict[fx.Node, fx.Node] = {}
        output = self.graph.graph_copy(
            original, copies, return_output_node=True
        )
        assert output is not None
        value, end = output
        for node, copy in copies.items():
            # fx renames what is called as a function of Python is: `input`.
            copy.name = node.name
        self._end = self.graph.output(value)
        self._end.meta = dict(end.meta)
        # What was in memory before, of what now is in another order.
        self._before: dict[fx.Node, torch.Tensor] = {}

    def make(self) -> bool:
        """False if what needs a certain order of memory is not contiguous."""
        weights: dict[fx.Node, fx.Node] = {}
        begin = next(
            node for node in self.graph.nodes if node.op != "placeholder"
        )
        for node in _convolutions(self.graph):
            weight = node.args[1]
            if weight not in weights:
                inserted = begin if weight.op == "placeholder" else node
                with self.graph.inserting_before(inserted):
                    weights[weight] = _with_channels_last(self.graph, node)
                self._before[weights[weight]] = weight.meta["val"]
            node.replace_input_with(weight, weights[weight])
        for node in list(self.graph.nodes):
            if convolutions.wants_channels_last(
                node, self._target
            ) and not convolutions.takes_images(node):
                self._turn_images(node)
            if any(
                operand in self._before for operand in node.all_input_nodes
            ) and not self._follow(node):
                return False
        return True

    def _turn_images(self, convolution: fx.Node) -> None:
        images = convolution.args[0]
        assert isinstance(images, fx.Node)
        with self.graph.inserting_before(convolution):
            turned = call(
                self.graph,
                images,
                aten.clone.default,
                images,
                memory_format=torch.channels_last,
            )
        convolution.replace_input_with(images, turned)
        self._before[turned] = images.meta["val"]

    def _follow(self, node: fx.Node) -> bool:
        """Gives a node whose operands are in another order the value that it now
        has, or the operands as they were."""
        if node.op == "output":
            return self._restore(node)
        if node.op != "call_function":
            return False
        value = None if _reads_memory(node) else _value(node)
        if value is None:
            if not self._restore(node):
                return False
            value = _value(node)
            if value is None:
                return False
        self._set(node, value)
        return True

    def _set(self, node: fx.Node, value: Any) -> None:
        old = node.meta["val"]
        node.meta["val"] = value
        node.meta.pop("tensor_meta", None)  # which importers read
        if (
            isinstance(old, (tuple, list))
            or isinstance(old, torch.Tensor)
            and old.stride() != value.stride()
        ):
            self._before[node] = old

    def _restore(self, node: fx.Node) -> bool:
        for operand in node.all_input_nodes:
            before = self._before.get(operand)
            if before is None:
                continue
            if (
                not isinstance(before, torch.Tensor)
                or not before.is_contiguous()
            ):
                return False
            with self.graph.inserting_before(node):
                copy = call(
                    self.graph,
                    operand,
                    aten.clone.default,
                    operand,
                    memory_format=torch.contiguous_format,
                )
            node.replace_input_with(operand, copy)
            self.restored += node.op == "output"
        return True


def _with_channels_last(graph: fx.Graph, convolution: fx.Node) -> fx.Node:
    """Its weights, which are copied if need be."""
    weight = convolution.args[1]
    assert isinstance(weight, fx.Node)
    if convolutions.has_channels_last(convolutions.weights_of(convolution)):
        return weight
    steps: list[tuple[Any, Any, Any]] = [
        (aten.clone.default, (), {"memory_format": torch.channels_last})
    ]
    if convolutions.is_depthwise(convolution):
        steps.insert(0, (aten.transpose.int, (0, 1), {}))
        steps.append(steps[0])
    for target, args, kwargs in steps:
        weight = call(graph, weight, target, weight, *args, **kwargs)
        weight.meta = {"val": weight.meta["val"]}  # It is in no layer.
    return weight


def _reads_memory(node: fx.Node) -> bool:
    """Whether it depends on how its operand is laid out."""
    return node.target is aten.as_strided.default


def _value(node: fx.Node) -> Optional[object]:
    """What a node gives now; None where views are no longer possible."""
    values = fx.map_arg(
        (node.args, dict(node.kwargs)), lambda operand: operand.meta["val"]
    )
    args, kwargs = values
    assert callable(node.target)
    with detect_fake_mode(values) or contextlib.nullcontext():
        try:
            result: object = node.target(*args, **kwargs)
        except (RuntimeError, ValueError):
            return None
    return result


REWRITE = Rewrite(
    apply=lambda module, context: put_channels_last(module, context.target),
    after=("concatenations",),
)
