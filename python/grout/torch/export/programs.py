"""Encodes graphs of ATen operators as JSON, and decodes them."""

import contextlib
import importlib
import operator
from typing import Any, Mapping, Optional, Sequence

import torch
from torch import fx

from ...errors import Error
from ..graph import support

_LIBRARIES = {
    "torchvision": "torchvision",
    "transformers": "transformers.integrations.moe",
}
"""For operators that are not PyTorch's: the module that registers them."""

_OF_PYTORCH = ("aten", "prims", "_c10d_functional", "quantized", "rngprims")

_MODULES = {
    "dtype": torch.dtype,
    "layout": torch.layout,
    "memory_format": torch.memory_format,
}


def _encode(argument: Any) -> Any:
    if isinstance(argument, fx.Node):
        return {"node": argument.name}
    if argument is None or isinstance(argument, (bool, int, float, str)):
        return argument
    if isinstance(argument, (list, tuple)):
        return [_encode(item) for item in argument]
    if isinstance(argument, complex):
        return {"complex": [argument.real, argument.imag]}
    if isinstance(argument, torch.device):
        return {"device": None}  # a package has one device
    for name, kind in _MODULES.items():
        if isinstance(argument, kind):
            return {name: str(argument).removeprefix("torch.")}
    raise Error(f"{argument!r} cannot be put into a package")


def encode_constant(value: Any) -> Any:
    """Encodes a value that is no tensor. Raises Error if JSON cannot hold
    it."""
    return _encode(value)


def decode_constant(value: Any, device: torch.device) -> Any:
    return _decode(value, {}, device)


def encode(nodes: Sequence[fx.Node]) -> list[dict[str, Any]]:
    """Encodes calls of operators. Raises Error for other nodes."""
    calls = []
    for node in nodes:
        if node.target is operator.getitem:
            target = "getitem"
        elif isinstance(node.target, torch._ops.OpOverload):
            target = support.name_of(node)
        else:
            raise Error(
                f"{node.target} cannot be put into a package: it is "
                "not an operator of PyTorch"
            )
        try:
            calls.append(
                {
                    "name": node.name,
                    "target": target,
                    "args": _encode(node.args),
                    "kwargs": {
                        name: _encode(value)
                        for name, value in node.kwargs.items()
                    },
                }
            )
        except Error as error:
            raise Error(f"{target}: {error}") from None
    return calls


def _decode(
    argument: Any, nodes: Mapping[str, fx.Node], device: torch.device
) -> Any:
    if isinstance(argument, list):
        return [_decode(item, nodes, device) for item in argument]
    if not isinstance(argument, dict):
        return argument
    ((kind, value),) = argument.items()
    if kind == "node":
        return nodes[value]
    if kind == "device":
        return device
    if kind == "complex":
        return complex(*value)
    found = getattr(torch, value)
    if not isinstance(found, _MODULES[kind]):
        raise ValueError(f"{value} is no {kind}")
    return found


def _operator(name: str) -> Any:
    if name == "getitem":
        return operator.getitem
    # The strides of an operator's result may differ from those when the package
    # was made. A view may then fail, but a reshape takes any strides.
    if name == "aten.view.default":
        return torch.ops.aten.reshape.default
    library, packet, overload = name.split(".")
    if library in _LIBRARIES:
        with contextlib.suppress(Exception):  # a library may raise anything
            importlib.import_module(_LIBRARIES[library])
    try:
        return getattr(getattr(getattr(torch.ops, library), packet), overload)
    except AttributeError:
        pass
    if library_of(name) is None:
        raise Error(f"this PyTorch has no operator {name}")
    raise Error(
        f"there is no operator {name}: import the library that has "
        "it, before the package is loaded"
    )


def library_of(name: str) -> Optional[str]:
    """Returns the library of an operator that is not PyTorch's, such as
    "torchvision", or None."""
    library, point, _ = name.partition(".")
    return library if point and library not in _OF_PYTORCH else None


def decode(
    calls: Sequence[Mapping[str, Any]],
    inputs: Sequence[str],
    outputs: Sequence[str],
    device: torch.device,
) -> fx.GraphModule:
    """Returns a module that takes `inputs` and returns a tuple of `outputs`.
    Raises Error if an operator is not available."""
    graph = fx.Graph()
    nodes = {name: graph.placeholder(name) for name in inputs}
    for call in calls:
        nodes[call["name"]] = graph.call_function(
            _operator(call["target"]),
            tuple(_decode(call["args"], nodes, device)),
            {
                name: _decode(value, nodes, device)
                for name, value in call["kwargs"].items()
            },
        )
    graph.output(tuple(nodes[name] for name in outputs))
    return fx.GraphModule({}, graph)
