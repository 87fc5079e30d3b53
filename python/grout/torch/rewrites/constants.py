"""Constants: tensors that do not depend on a graph's inputs. This module finds
them, and puts them on the GPU that reads them."""

import contextlib
from typing import Optional

import torch
from torch import fx
from torch._guards import detect_fake_mode
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_map_only

from ..graph import support
from .rewrite import Rewrite

aten, prims = torch.ops.aten, torch.ops.prims

BOUNDS = "grout_bounds"
"""Key in the metadata of nodes: the least and the greatest of the integers that
the node gives, where these are known."""

_MOST_ELEMENTS = 2**24


_UNDEFINED = {
    aten.empty,
    aten.empty_like,
    aten.empty_permuted,
    aten.empty_strided,
    aten.new_empty,
    aten.new_empty_strided,
}
"""Operators whose results have any elements."""


class Constants:
    """Computes values of nodes in a graph of ATen operators, where they do not
    depend on the graph's inputs."""

    def __init__(self, module: fx.GraphModule) -> None:
        self._module = module
        self._found: dict[fx.Node, Optional[torch.Tensor]] = {}

    def of(self, node: fx.Node) -> Optional[torch.Tensor]:
        """Returns the value of a node, on the CPU. Returns None if the value
        depends on an input, on random numbers or on a tensor that is too large,
        or if the CPU cannot compute it."""
        with _disable_current_modes():  # modes would make it fake
            return self._of(node)

    def _of(self, node: fx.Node) -> Optional[torch.Tensor]:
        pending = [node]
        while pending:
            one = pending[-1]
            wanted = (
                []
                if not may_be_constant(one)
                else [
                    operand
                    for operand in one.all_input_nodes
                    if operand not in self._found
                ]
            )
            if wanted:
                pending.extend(wanted)
                continue
            pending.pop()
            if one not in self._found:
                self._found[one] = self._evaluate(one)
        return self._found[node]

    def _evaluate(self, node: fx.Node) -> Optional[torch.Tensor]:
        if node.op == "get_attr":
            value = attribute(self._module, node)
            return value if _is_on_cpu(value) else None
        if not may_be_constant(node) or any(
            self._found[operand] is None for operand in node.all_input_nodes
        ):
            return None
        operands = fx.map_arg(
            (node.args, dict(node.kwargs)), self._found.__getitem__
        )
        args, kwargs = tree_map_only(
            torch.device, lambda _: torch.device("cpu"), operands
        )
        assert callable(node.target)
        try:
            result: torch.Tensor = node.target(*args, **kwargs)
        except RuntimeError:
            return None  # Only GPUs have this operator.
        return result


def _is_on_cpu(value: object) -> bool:
    """Whether a value is an ordinary dense tensor on the CPU."""
    return (
        type(value) is torch.Tensor
        and value.device.type == "cpu"
        and value.layout == torch.strided
        and not value.is_quantized
    )


def attribute(module: fx.GraphModule, node: fx.Node) -> object:
    """Returns the value of a get_attr node."""
    value: object = module
    assert isinstance(node.target, str)
    for name in node.target.split("."):
        value = getattr(value, name)
    return value


def may_be_constant(node: fx.Node) -> bool:
    """Whether a node is constant if all its operands are constant."""
    value = node.meta.get("val")
    return (
        node.op == "call_function"
        and isinstance(node.target, torch._ops.OpOverload)
        and isinstance(value, torch.Tensor)
        and all(isinstance(extent, int) for extent in value.shape)
        and value.numel() <= _MOST_ELEMENTS
        and not node.target._schema.is_mutable
        and torch.Tag.nondeterministic_seeded not in node.target.tags
        and support.packet(node) not in _UNDEFINED
        and not node.is_impure()
    )


def put_on_gpu(module: fx.GraphModule) -> None:
    """Replaces constants that are computed on the CPU, and used by operators on
    the one GPU of a graph, by attributes of the module. These attributes are
    still on the CPU. `move` moves them, on a machine that has a GPU."""
    device = support.device_of(module)
    if device is None or device.type != "cuda":
        return
    readers = [
        node
        for node in module.graph.nodes
        if node.op == "call_function"
        and _is_on(node, device)
        and any(
            _is_on(operand, torch.device("cpu"))
            for operand in node.all_input_nodes
        )
    ]
    if not readers:
        return
    change = _Change(module, device)
    for node in readers:
        change.read_on_gpu(node)
    module.graph.eliminate_dead_code()
    module.recompile()


def note_bounds(module: fx.GraphModule) -> None:
    """Notes the bounds of indices that are constants, on any device."""
    constants = Constants(module)
    for node in module.graph.nodes:
        if (
            support.is_indexed(node)
            or support.is_scatter(node)
            or support.is_adding(node)
        ):
            for operand in node.all_input_nodes:
                value = constants.of(operand)
                if value is not None:
                    _note(operand, value)


def _note(node: fx.Node, value: torch.Tensor) -> None:
    if value.numel() and value.dtype in (torch.int32, torch.int64):
        with _disable_current_modes():
            node.meta[BOUNDS] = int(value.min()), int(value.max())


def move(module: fx.GraphModule) -> None:
    """Moves attributes to the devices that the graph says."""
    for node in module.graph.find_nodes(op="get_attr"):
        value, wanted = attribute(module, node), node.meta.get("val")
        if (
            isinstance(value, torch.Tensor)
            and _is_on_cpu(value)
            and isinstance(wanted, torch.Tensor)
            and wanted.device.type != "cpu"
        ):
            with _disable_current_modes():
                setattr(module, node.target, value.to(wanted.device))


def _is_on(node: fx.Node, device: torch.device) -> bool:
    return any(
        isinstance(value, torch.Tensor) and value.device == device
        for value in support.values_of(node)
    )


def _copy_within(reader: fx.Node, constant: fx.Node) -> None:
    """Makes `reader`, if it copied the constant to the GPU, a copy within the
    GPU."""
    if reader.target is aten._to_copy.default:
        reader.kwargs = {
            name: value
            for name, value in reader.kwargs.items()
            if name not in ("device", "non_blocking")
        }
    elif reader.target is prims.device_put.default:
        reader.target, reader.args = aten.clone.default, (constant,)
        reader.kwargs = {}
    else:
        return
    if (
        BOUNDS in constant.meta
        and reader.meta["val"].dtype == constant.meta["val"].dtype
    ):
        reader.meta[BOUNDS] = constant.meta[BOUNDS]


class _Change:
    def __init__(self, module: fx.GraphModule, device: torch.device):
        self._module = module
        self._device = device
        self._constants = Constants(module)
        self._begin = next(
            node for node in module.graph.nodes if node.op != "placeholder"
        )
        self._nodes: dict[object, fx.Node] = {}
        """Nodes by content, so that equal constants of layers become one
        node."""

    def read_on_gpu(self, reader: fx.Node) -> None:
        for operand in reader.all_input_nodes:
            if (
                _is_on(operand, torch.device("cpu"))
                and (node := self._on_gpu(operand)) is not None
            ):
                reader.replace_input_with(operand, node)
                _copy_within(reader, node)

    def _on_gpu(self, node: fx.Node) -> Optional[fx.Node]:
        value = self._constants.of(node)
        if value is None:
            return None
        with _disable_current_modes():
            value = value.detach().contiguous()
            content = (
                value.dtype,
                value.shape,
                bytes(value.reshape(-1).view(torch.uint8).numpy()),
            )
            if content not in self._nodes:
                self._nodes[content] = self._add(node, value)
            return self._nodes[content]

    def _add(self, near: fx.Node, value: torch.Tensor) -> fx.Node:
        name = f"grout_constant_{len(self._nodes)}"
        self._module.register_buffer(name, value, persistent=False)
        graph = self._module.graph
        with graph.inserting_before(self._begin):
            node = graph.get_attr(name)
        with detect_fake_mode(near.meta["val"]) or contextlib.nullcontext():
            node.meta["val"] = torch.empty(
                value.shape, dtype=value.dtype, device=self._device
            )
        _note(node, value)
        return node


REWRITE = Rewrite(
    apply=lambda module, context: put_on_gpu(module), after=("sinks",)
)
