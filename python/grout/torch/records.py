"""Records what became of each operator, and tells all listeners."""

import contextlib
import dataclasses
from typing import Any, Iterable, Iterator, Optional

import torch
from torch import fx

from ..errors import Error
from ..module import Module
from .graph import flops, sources, support


@dataclasses.dataclass(frozen=True)
class Operator:
    """A node of a graph that was compiled, and whether Grout runs it."""

    name: str
    """The name of the node, such as "mm_3"."""
    operator: str
    """The name of the operator, such as "aten.mm.default"."""
    shape: str
    """The types and shapes of the results, such as "f32[4, 8]"."""
    module: str
    """The place in the model, such as "blocks.0.mlp", or ""."""
    line: str
    """The place in the model's text, such as "model.py:12", or ""."""
    graph: int
    """The number of the graph. Graphs are numbered as they are compiled; a
    model that is interrupted, or trained, has several."""
    partition: Optional[int]
    """The number of the partition in the graph, or None if Grout does not run
    the operator."""
    reason: str
    """Why Grout does not run the operator, or ""."""
    flops: Optional[int]
    """The floating-point operations of a GEMM, a convolution or attention; 0
    for other operators; None if the number is not known."""
    workspace_bytes: int = 0
    """The size of its partition's intermediates, during a call."""
    symmetric_bytes: int = 0
    """The size of its partition's symmetric memory on each rank."""
    ranks: int = 1
    """The number of ranks that run its partition together."""

    @property
    def is_view(self) -> bool:
        """Whether the operator computes nothing: it is a view, has no elements,
        or is PyTorch's check of a truth value."""
        return self.reason in (VIEW, EMPTY, CHECK)


VIEW = "it is a view, which computes nothing"
EMPTY = "it is empty, so nothing is computed"
CHECK = "it is a check, which PyTorch makes of what is computed"

_listeners: list[list[Operator]] = []


@contextlib.contextmanager
def listen() -> Iterator[list[Operator]]:
    """Yields a list that gets the operators of all graphs that are compiled
    meanwhile, by any thread. Backward passes are graphs of their own."""
    found: list[Operator] = []
    _listeners.append(found)
    try:
        yield found
    finally:
        _listeners.remove(found)


def tell(operators: list[Operator]) -> None:
    for listener in _listeners:
        first = 1 + max((operator.graph for operator in listener), default=-1)
        listener.extend(
            dataclasses.replace(operator, graph=first) for operator in operators
        )


def describe(
    node: fx.Node,
    partition: Optional[int],
    reason: str,
    module: Optional[Module] = None,
) -> Operator:
    """Describes the operator of a node. `module` is its partition's."""
    return Operator(
        name=node.name,
        operator=support.name_of(node),
        shape=", ".join(map(_shape, support.values_of(node))),
        module=sources.module_of(node),
        line=sources.line_of(node),
        graph=0,
        partition=partition,
        reason=reason,
        flops=flops.count(node),
        workspace_bytes=module.workspace_bytes if module else 0,
        symmetric_bytes=module.symmetric_bytes if module else 0,
        ranks=module.ranks if module else 1,
    )


def refusals(operators: Iterable[Operator]) -> list[tuple[int, str]]:
    """Returns the kinds of operators that Grout does not run, the most frequent
    first: for each its count, and a text with its name, the reason, and the
    place of the first."""
    kinds: dict[tuple[str, str], list[Operator]] = {}
    for one in operators:
        if one.partition is None and not one.is_view:
            kinds.setdefault((one.operator, one.reason), []).append(one)
    return [
        (
            len(alike),
            f"{operator}: {reason}"
            + sources.place(alike[0].line, alike[0].module, len(alike)),
        )
        for (operator, reason), alike in sorted(
            kinds.items(), key=lambda kind: -len(kind[1])
        )
    ]


_TYPES = {
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.bool: "i1",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "ui8",
    torch.uint16: "ui16",
    torch.uint32: "ui32",
    torch.uint64: "ui64",
}

_DTYPES = {name: dtype for dtype, name in _TYPES.items()}


def type_name(dtype: torch.dtype) -> str:
    """Returns the name of a type: as MLIR spells it, such as "f32" or "i64", or
    else as PyTorch does, such as "float8_e4m3fn"."""
    return _TYPES.get(dtype) or str(dtype).removeprefix("torch.")


def dtype_of(name: str) -> torch.dtype:
    """The inverse of `type_name`. Raises Error for a type that PyTorch does not
    have."""
    found = _DTYPES.get(name) or getattr(torch, name, None)
    if not isinstance(found, torch.dtype):
        raise Error(f"this PyTorch has no type {name}")
    return found


def _shape(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        return type(value).__name__
    return f"{type_name(value.dtype)}[{', '.join(map(str, value.shape))}]"
