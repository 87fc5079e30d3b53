"""Operators that combine elements at computed indices, such as scatter_add.

Few elements are compared with each place: an element of the result is a
reduction over all sources, and compares their indices with its own. The indices
of many elements are sorted (see `groups`). Either way, the order of a sum is
fixed, on GPUs, too, and no kernel adds at a computed address.
"""

import math
from typing import Any, Callable, Optional, Sequence, Union

import torch
from torch import fx
from torch.nn import functional as F

from ..decompositions import groups, sorting, strides, tables
from ..graph import support
from ..graph.nodes import insert, replace_by
from .rewrite import Context, Rewrite

aten = torch.ops.aten

_MOST = {"cpu": 1 << 20, "cuda": 1 << 26}
"""The largest number of comparisons. Above it, indices are sorted, unless
there are few for each place."""

_FEW = 4
"""The largest number of elements whose indices are always compared with all
places that they may mean."""

_MOST_EMPTY = 8
"""Indices are sorted for results with at most this many times the elements that
are added."""


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
    if not _are_many(*_sizes(node), device):
        return None
    elements, _, extent = _sizes(node)
    if extent > sorting.LONGEST:
        return f"Grout sorts at most {sorting.LONGEST:,} indices"
    if _shape_of(node).numel() > _MOST_EMPTY * elements:
        return "most places get no element, and PyTorch's kernel skips them"
    return None


def _are_many(
    elements: int, places: int, extent: int, device: torch.device
) -> bool:
    """Whether indices are sorted (see `_sizes`)."""
    return elements * places > _MOST[device.type] and extent > _FEW


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


def _sizes(node: fx.Node) -> tuple[int, int, int]:
    """Returns the number of elements that are combined, the number of places
    that each may be meant for, and the number of elements that may be meant for
    the same place."""
    shape, operator = _shape_of(node), support.packet(node)
    if operator is aten.embedding_dense_backward:
        grad, index = (node.args[i].meta["val"] for i in range(2))
        return grad.numel(), shape[0], index.numel()
    places, source = _places_and_source(node)
    index = places[0].meta["val"]
    if operator is aten.index_put:
        axes = _axes(node.args[1])
        count = torch.broadcast_shapes(
            *(place.meta["val"].shape for place in places)
        ).numel()
        return (
            count * math.prod(_without(shape, axes)),
            math.prod(shape[axis] for axis in axes),
            count,
        )
    dim = node.args[1]
    assert isinstance(dim, int)
    if operator is aten.index_reduce:
        return source.meta["val"].numel(), shape[dim], index.numel()
    return index.numel(), shape[dim], index.shape[dim]


def _without(shape: Sequence[int], axes: Sequence[int]) -> list[int]:
    return [extent for axis, extent in enumerate(shape) if axis not in axes]


def _axes(places: Any) -> list[int]:
    return [axis for axis, place in enumerate(places) if place is not None]


def group(module: fx.GraphModule, context: Context) -> None:
    """Replaces operators that have too many elements for comparisons by sorts
    and reductions of groups."""
    device = context.device
    if device is None or device.type not in _MOST:
        return
    for node in list(module.graph.nodes):
        if (
            support.is_adding(node)
            and not support.is_excluded(node, context.excluded)
            and not support.refusal(node, device, context.excluded)
            and not refusal(node, device)
            and _are_many(*_sizes(node), device)
        ):
            replace_by(
                module.graph, node, *_as_groups(node), tables.for_graph(module)
            )
            module.graph.erase_node(node)
    module.recompile()


Lowered = tuple[Callable[..., torch.Tensor], list[fx.Node]]
"""A function of tensors, and the nodes that are its arguments."""


def _as_groups(node: fx.Node) -> Lowered:
    """Returns a function that checks the indices, and gives eager's strides."""
    function, operands = _RULES[support.packet(node)](node, *node.args)
    wanted = node.meta["val"]

    def run(x: torch.Tensor, *rest: torch.Tensor) -> Any:
        if support.packet(node) is aten.index_put:
            values, *places = rest
            found = [
                torch.arange(x.shape[axis], device=x.device)[place]
                for axis, place in zip(_axes(node.args[1]), places)
            ]
            return strides.laid_out(function(x, values, *found), wanted)
        if support.packet(node) is not aten.embedding_dense_backward:
            index, *sources = rest
            dim = node.args[1]
            assert isinstance(dim, int)
            rest = _looked_up(index, x.shape[dim]), *sources
        return strides.laid_out(function(x, *rest), wanted)

    return run, operands


def _looked_up(index: torch.Tensor, extent: int) -> torch.Tensor:
    """Returns indices, looked up in a table of all indices. So they are checked
    as other indices are. Expanded axes stay expanded."""
    part = index
    for axis in range(index.dim()):
        if not index.stride(axis):
            part = part.narrow(axis, 0, 1)
    table = torch.arange(extent, device=index.device)
    found = table.index_select(0, part.reshape(-1)).view(part.shape)
    return found.expand(index.shape)


def lower(
    graph: fx.Graph, node: fx.Node, args: Sequence[Any], table: Any
) -> fx.Node:
    """Adds the operators that compute `node` to `graph`, where the arguments of
    the node are `args`. Returns their result."""
    operator = support.packet(node)
    function, operands = _RULES[operator](node, *args)
    return insert(graph, function, operands, table, node.meta)


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
    keeps_sign = not _is_positive_zero(x)

    def function(
        x: torch.Tensor, index: torch.Tensor, *sources: torch.Tensor
    ) -> torch.Tensor:
        if sources:
            part = sources[0][tuple(map(slice, index.shape))]
        else:
            part = torch.full_like(index, source, dtype=x.dtype)
        return _combined(
            x, dim, index, part, reduce, bool(includes_self), keeps_sign
        )

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
    keeps_sign = not _is_positive_zero(x)

    def function(
        x: torch.Tensor, index: torch.Tensor, source: torch.Tensor
    ) -> torch.Tensor:
        shape = [1] * x.dim()
        shape[dim] = -1
        return _combined(
            x,
            dim,
            index.view(shape),
            source,
            reduce,
            includes_self,
            keeps_sign,
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
    keeps_sign = not _is_positive_zero(x)

    def function(
        x: torch.Tensor, values: torch.Tensor, *places: torch.Tensor
    ) -> torch.Tensor:
        return _added(x, values, axes, places, keeps_sign)

    return function, [
        x,
        values,
        *(place for place in given if place is not None),
    ]


def _is_positive_zero(node: fx.Node) -> bool:
    """Whether the elements of `node` are all 0.0. That is the case in most
    graphs that add at indices, and sums there need not keep signs."""
    return (
        node.target is aten.full.default
        and node.args[1] == 0
        and math.copysign(1, node.args[1]) > 0
    )


def _added(
    x: torch.Tensor,
    values: torch.Tensor,
    axes: list[int],
    places: Sequence[torch.Tensor],
    keeps_sign: bool,
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
        keeps_sign,
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
        return _combined(
            x, 0, index, grad.reshape(-1, size), "sum", True, keeps_sign=False
        )

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
    keeps_sign: bool,
) -> torch.Tensor:
    """Combines `x` with the elements of `source` along `dim`. `index` has the
    rank of `x`, and broadcasts to `source`. The extents of `source` other than
    `dim` are at most those of `x`. Halves are summed in f32. `keeps_sign` says
    whether -0.0 of `x` stays where nothing, or -0.0, is added."""
    dim %= x.dim()
    wide = (
        torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    )
    neutral = _neutral(
        reduce, wide, includes_self and keeps_sign and wide.is_floating_point
    )
    are_many = _are_many(
        source.numel(), x.shape[dim], source.shape[dim], x.device
    )
    value, count = (_of_groups if are_many else _of_all)(
        x.shape[dim], dim, index, source.to(wide), reduce, neutral
    )
    value = _fill(value, x, neutral)
    own = x.to(wide)
    if includes_self and reduce != "mean":
        return _both(own, value, reduce).to(x.dtype)
    counts = _fill(count(), x, 0)
    if reduce == "mean":
        total = own + value if includes_self else value
        value = _divided(
            total, counts + 1 if includes_self else counts.clamp(min=1)
        )
    return torch.where(counts > 0, value, own).to(x.dtype)


Reduced = tuple[torch.Tensor, Callable[[], torch.Tensor]]
"""For each place, the reduction of its elements, and a function that returns
the number of its elements."""


def _of_all(
    extent: int,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    reduce: str,
    neutral: Any,
) -> Reduced:
    """Compares each place with the index of every element."""
    shape = [1] * (index.dim() + 1)
    shape[dim] = extent
    # [..., element of the result, source, ...]
    is_meant = index.unsqueeze(dim) == torch.arange(
        extent, device=index.device
    ).view(shape)
    chosen = torch.where(
        is_meant,
        source.unsqueeze(dim),
        torch.full((), neutral, dtype=source.dtype, device=source.device),
    )
    reduced = _reduced(chosen, dim + 1, reduce)
    if neutral == 0 and math.copysign(1, neutral) < 0:  # sums begin with 0.0
        is_other = (chosen != 0) | ~torch.signbit(chosen)
        reduced = torch.where(is_other.any(dim + 1), reduced, -0.0)
    return reduced, lambda: is_meant.expand(chosen.shape).sum(
        dim + 1, dtype=torch.int32
    )


def _of_groups(
    extent: int,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    reduce: str,
    neutral: Any,
) -> Reduced:
    """Sorts the indices. If all columns have the same indices, which the
    index's strides say, these are sorted once."""
    source = source.movedim(dim, 0)
    index = index.movedim(dim, 0)
    shape = source.shape[1:]
    is_shared = all(
        index.shape[axis] == 1 or index.stride(axis) == 0
        for axis in range(1, index.dim())
    )
    if is_shared:
        places = index[(slice(None), *[0] * len(shape))].unsqueeze(0)
        values = source.reshape(1, source.shape[0], -1)
    else:
        places = index.expand(source.shape).flatten(1).t()
        values = source.flatten(1).t().unsqueeze(-1)
    found = groups.find(places, extent)

    def of_axes(x: torch.Tensor) -> torch.Tensor:
        return x.transpose(0, 1).reshape(extent, *shape).movedim(0, dim)

    value = found.reduce(values, lambda x, y: _both(x, y, reduce), neutral)
    return of_axes(value), lambda: of_axes(
        (found.end - found.begin).unsqueeze(-1).expand(value.shape)
    )


def _neutral(reduce: str, dtype: torch.dtype, keeps_sign: bool) -> Any:
    """Returns the number that changes no other. For sums that is -0.0, as -0.0
    + 0.0 is 0.0."""
    if reduce in ("sum", "mean"):
        return -0.0 if keeps_sign else 0
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


REWRITE = Rewrite(apply=group, refusal=_refusal, after=("unsupported",))
