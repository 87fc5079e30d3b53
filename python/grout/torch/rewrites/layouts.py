"""Changes images and weights on GPUs to channels last, which convolutions there
need."""

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
    """Copies weights to channels last if Grout could not compile convolutions
    otherwise. The copies of weights that are arguments are at the beginning of
    the graph, so that one kernel makes them all. The nodes behind such a
    convolution get the strides that PyTorch then gives them. Results of the
    graph are copied back to their old strides.

    If as many results as convolutions, or more, need such a copy, the graph
    does not change: it is a forward pass that keeps all intermediates for the
    backward pass. If convolutions were made from others (see `convolving`), the
    numbers may be equal: a model cannot choose a layout for a convolution of
    another rank."""
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
    """Returns the 2-D convolutions of a graph."""
    return [
        node
        for node in graph.find_nodes(
            op="call_function", target=aten.convolution.default
        )
        if node.args[1].meta["val"].dim() == 4
    ]


class _Change:
    """A copy of a graph in which convolutions get channels last."""

    def __init__(self, original: fx.Graph, target: targets.Target):
        self._target = target
        self.graph = fx.Graph()
        self.restored = 0
        """The number of results that are copied back to their old strides."""
        copies: dict[fx.Node, fx.Node] = {}
        output = self.graph.graph_copy(
            original, copies, return_output_node=True
        )
        assert output is not None
        value, end = output
        for node, copy in copies.items():
            # fx renames nodes that have the name of a Python function: `input`.
            copy.name = node.name
        self._end = self.graph.output(value)
        self._end.meta = dict(end.meta)
        # The old values of nodes whose strides have changed.
        self._before: dict[fx.Node, torch.Tensor] = {}

    def make(self) -> bool:
        """Changes the copy. Returns False if a node needs its operands' old
        strides, and these are not contiguous."""
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
        """Updates the value of a node whose operands have new strides, or gives
        the node operands with the old strides. Returns False if neither is
        possible."""
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
        node.meta.pop("tensor_meta", None)  # outdated; importers read it
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
    """Returns the weights of a convolution with channels last. Copies them if
    necessary."""
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
        weight.meta = {"val": weight.meta["val"]}  # The copy is in no layer.
    return weight


def _reads_memory(node: fx.Node) -> bool:
    """Whether the result of a node depends on its operand's layout in
    memory."""
    return node.target is aten.as_strided.default


def _value(node: fx.Node) -> Optional[object]:
    """Returns the value that a node has with its new operands; None if it is a
    view that is no longer possible."""
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
