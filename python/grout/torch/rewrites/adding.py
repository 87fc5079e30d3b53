"""Operators that combine elements at computed indices, such as scatter_add.

Each element of the result is a reduction over all sources: it compares their
indices with its own. So the order of a sum is fixed, on GPUs, too, and no
kernel writes to a computed address. Because each source is compared with each
element, this is done only where both are few.
"""

import math
from typing import Any, Callable, Optional, Sequence, Union

import torch
from torch import fx
from torch.nn import functional as F

from ..graph import support
from ..graph.nodes import insert
from .rewrite import Context, Rewrite

aten = torch.ops.aten

_MOST = {"cpu": 1 << 20, "cuda": 1 << 26}
"""The largest number of comparisons. Above it, PyTorch's kernels, which write
to computed addresses, are much faster."""


def refusal(node: fx.Node, device: torch.device) -> Optional[str]:
    """Returns why a node that combines elements is left to PyTorch; None if it
    is not left, or is another operator."""
    if not support.is_adding(node):
        return None
    if not len(_shape_of(node)):
        return "what it adds to has no axes"
    if node.meta["val"].dtype == torch.bool:
        return "it combines truth values"
    if reason := _reason_of_operands(node):
        return reason
    most = _MOST[device.type]
    count = _count(node)
    if count > most:
        return (
            f"it would compare {count:,} places, more than {most:,}, for "
            "which PyTorch's kernel is faster"
        )
    return None


def _shape_of(node: fx.Node) -> torch.Size:
    return node.meta["val"].shape


def _reason_of_operands(node: fx.Node) -> Optional[str]:
    if support.packet(node) is aten.embedding_dense_backward:
        return (
            "gradients are scaled by how often a place is there"
            if node.args[4]
            else None
        )
    places, source = _places_and_source(node)
    if not places or any(
        place.meta["val"].dtype not in (torch.int32, torch.int64)
        for place in places
    ):
        return "places are truth values, or numbers of few bits"
    if support.packet(node) is not aten.index_put and (
        places[0].meta["val"].dim() == 0
    ):
        return "a place alone, without axes"
    if isinstance(source, fx.Node) and (
        source.meta["val"].dtype != node.meta["val"].dtype
    ):
        return "what it adds is of another type"
    return None


def _places_and_source(node: fx.Node) -> tuple[list[fx.Node], Any]:
    if support.packet(node) is aten.index_put:
        given, source = node.args[1:3]
        assert isinstance(given, (list, tuple))
        return [place for place in given if isinstance(place, fx.Node)], source
    place = node.args[2]
    assert isinstance(place, fx.Node)
    return [place], node.args[3]


def _count(node: fx.Node) -> int:
    """Returns the number of comparisons: sources times elements that each
    source may be meant for."""
    shape, operator = _shape_of(node), support.packet(node)
    if operator is aten.embedding_dense_backward:
        return node.args[0].meta["val"].numel() * shape[0]
    places, source = _places_and_source(node)
    if operator is aten.index_put:
        axes = _axes(node.args[1])
        rest = math.prod(
            extent for axis, extent in enumerate(shape) if axis not in axes
        )
        sources = torch.broadcast_shapes(
            *(place.meta["val"].shape for place in places)
        ).numel()
        return sources * rest * math.prod(shape[axis] for axis in axes)
    dim = node.args[1]
    assert isinstance(dim, int)
    elements = (
        source.meta["val"].numel()
        if operator is aten.index_reduce
        else places[0].meta["val"].numel()
    )
    return int(elements * shape[dim])


def _axes(places: Any) -> list[int]:
    return [axis for axis, place in enumerate(places) if place is not None]


def lower(
    graph: fx.Graph, node: fx.Node, args: Sequence[Any], table: Any
) -> fx.Node:
    """Adds the operators that compute `node` to `graph`, where the arguments of
    the node are `args`. Returns their result."""
    operator = support.packet(node)
    function, operands = _RULES[operator](node, *args)
    return insert(graph, function, operands, table, node.meta)


Lowered = tuple[Callable[..., torch.Tensor], list[fx.Node]]
"""A function of tensors, and the nodes that are its arguments."""


def _scatter_add(
    node: fx.Node, x: fx.Node, dim: int, index: fx.Node, source: fx.Node
) -> Lowered:
    return _scattered(x, dim, index, source, "sum", True)


def _scatter_reduce(
    node: fx.Node,
    x: fx.Node,
    dim: int,
    index: fx.Node,
    source: fx.Node,
    reduce: str,
) -> Lowered:
    return _scattered(
        x, dim, index, source, reduce, node.kwargs.get("include_self", True)
    )


def _scatter(
    node: fx.Node, x: fx.Node, dim: int, index: fx.Node, source: Any
) -> Lowered:
    kinds = {"add": "sum", "multiply": "prod"}
    return _scattered(
        x, dim, index, source, kinds[str(node.kwargs["reduce"])], True
    )


def _scattered(
    x: fx.Node,
    dim: int,
    index: fx.Node,
    source: Union[fx.Node, int, float],
    reduce: str,
    includes_self: Any,
) -> Lowered:
    def function(
        x: torch.Tensor, index: torch.Tensor, *sources: torch.Tensor
    ) -> torch.Tensor:
        if sources:
            part = sources[0][tuple(map(slice, index.shape))]
        else:
            part = torch.full_like(index, source, dtype=x.dtype)
        return _combined(x, dim, index, part, reduce, bool(includes_self))

    return function, [
        x,
        index,
        *([source] if isinstance(source, fx.Node) else []),
    ]


def _index_reduce(
    node: fx.Node,
    x: fx.Node,
    dim: int,
    index: fx.Node,
    source: fx.Node,
    reduce: str,
) -> Lowered:
    includes_self = bool(node.kwargs.get("include_self", True))

    def function(
        x: torch.Tensor, index: torch.Tensor, source: torch.Tensor
    ) -> torch.Tensor:
        shape = [1] * x.dim()
        shape[dim] = -1
        return _combined(
            x, dim, index.view(shape), source, reduce, includes_self
        )

    return function, [x, index, source]


def _index_put(
    node: fx.Node,
    x: fx.Node,
    given: Sequence[Optional[fx.Node]],
    values: fx.Node,
    accumulate: bool = False,
) -> Lowered:
    axes = _axes(given)

    def function(
        x: torch.Tensor, values: torch.Tensor, *places: torch.Tensor
    ) -> torch.Tensor:
        return _added(x, values, axes, places)

    return function, [
        x,
        values,
        *(place for place in given if place is not None),
    ]


def _added(
    x: torch.Tensor,
    values: torch.Tensor,
    axes: list[int],
    places: Sequence[torch.Tensor],
) -> torch.Tensor:
    """Adds `values` to `x` at indices `places`. The axes with indices become
    one axis, the first."""
    rest = [axis for axis in range(x.dim()) if axis not in axes]
    extents = [x.shape[axis] for axis in rest]
    number: Any = 0
    for axis, place in zip(axes, places):
        extent = x.shape[axis]
        number = torch.where(place < 0, place + extent, place) + number * extent
    # The axes of the indices are at the first axis that has indices, if such
    # axes are neighbours, and otherwise in front.
    begin = axes[0] if axes == list(range(axes[0], axes[0] + len(axes))) else 0
    rank = number.dim()
    values = values.expand([*extents[:begin], *number.shape, *extents[begin:]])
    values = values.permute(
        [
            *range(begin, begin + rank),
            *range(begin),
            *range(begin + rank, values.dim()),
        ]
    )
    order = [*axes, *rest]
    turned = x.permute(order)
    result = _combined(
        turned.reshape(-1, *extents),
        0,
        number.reshape(-1, *[1] * len(rest)),
        values.reshape(-1, *extents),
        "sum",
        True,
    )
    return result.reshape(turned.shape).permute(
        [order.index(axis) for axis in range(x.dim())]
    )


def _embedding_dense_backward(
    node: fx.Node,
    grad: fx.Node,
    index: fx.Node,
    count: int,
    padding: int,
    *rest: Any,
) -> Lowered:
    def function(grad: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        size = grad.shape[-1]
        index = index.reshape(-1, 1)
        if padding >= 0:
            index = torch.where(
                index == padding,
                torch.full((), -1, dtype=index.dtype, device=index.device),
                index,
            )
        x = torch.zeros(count, size, dtype=grad.dtype, device=grad.device)
        return _combined(x, 0, index, grad.reshape(-1, size), "sum", True)

    return function, [grad, index]


_RULES: dict[Any, Callable[..., Lowered]] = {
    aten.scatter_add: _scatter_add,
    aten.scatter_reduce: _scatter_reduce,
    aten.scatter: _scatter,
    aten.index_reduce: _index_reduce,
    aten.index_put: _index_put,
    aten.embedding_dense_backward: _embedding_dense_backward,
}


def _combined(
    x: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    reduce: str,
    includes_self: bool,
) -> torch.Tensor:
    """Combines `x` with the elements of `source` along `dim`. `index` has the
    rank of `x`, and broadcasts to `source`. The extents of `source` other than
    `dim` are at most those of `x`. Halves are summed in f32."""
    dim %= x.dim()
    shape = [1] * (x.dim() + 1)
    shape[dim] = x.shape[dim]
    # [..., element of the result, source, ...]
    is_meant = index.unsqueeze(dim) == torch.arange(
        x.shape[dim], device=x.device
    ).view(shape)
    wide = (
        torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    )
    neutral = _neutral(reduce, wide)
    chosen = torch.where(
        is_meant,
        source.to(wide).unsqueeze(dim),
        torch.full((), neutral, dtype=wide, device=x.device),
    )
    value = _fill(_reduced(chosen, dim + 1, reduce), x, neutral)
    own = x.to(wide)
    if includes_self and reduce != "mean":
        return _both(own, value, reduce).to(x.dtype)
    count = is_meant.expand(chosen.shape).sum(dim + 1, dtype=torch.int32)
    count = _fill(count, x, 0)
    if reduce == "mean":
        total = own + value if includes_self else value
        value = _divided(
            total, count + 1 if includes_self else count.clamp(min=1)
        )
    return torch.where(count > 0, value, own).to(x.dtype)


def _neutral(reduce: str, dtype: torch.dtype) -> Any:
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    sign = -1 if reduce == "amax" else 1
    if dtype.is_floating_point:
        return sign * math.inf
    limits = torch.iinfo(dtype)
    return limits.min if reduce == "amax" else limits.max


def _reduced(x: torch.Tensor, dim: int, reduce: str) -> torch.Tensor:
    if reduce in ("amax", "amin"):
        return x.amax(dim) if reduce == "amax" else x.amin(dim)
    if reduce == "prod":
        return x.prod(dim, dtype=x.dtype)
    return x.sum(dim, dtype=x.dtype)


def _both(x: torch.Tensor, y: torch.Tensor, reduce: str) -> torch.Tensor:
    if reduce in ("amax", "amin"):
        return torch.maximum(x, y) if reduce == "amax" else torch.minimum(x, y)
    return x * y if reduce == "prod" else x + y


def _divided(x: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
    if x.is_floating_point():
        return x / count
    return torch.div(x, count.to(x.dtype), rounding_mode="floor")


def _fill(value: torch.Tensor, x: torch.Tensor, neutral: Any) -> torch.Tensor:
    """Pads `value` with the neutral number to the extents of `x`."""
    pads = [
        pad
        for small, large in zip(reversed(value.shape), reversed(x.shape))
        for pad in (0, large - small)
    ]
    return F.pad(value, pads, value=neutral) if any(pads) else value


def _refusal(node: fx.Node, context: Context) -> Optional[str]:
    assert context.device is not None
    return refusal(node, context.device)


REWRITE = Rewrite(refusal=_refusal, after=("unsupported",))
