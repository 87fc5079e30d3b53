"""Gives the results of decompositions the strides that the operators' own
results have."""

import enum
import functools
import itertools
from typing import Any, Callable, Optional, Sequence

import torch
from torch._prims_common import suggest_memory_format
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map_only

from .eager import is_new

aten = torch.ops.aten

Rule = Callable[..., Any]


def _hint(value: Any) -> int:
    """Returns a number, or the likely value of a symbol. Adds no guard."""
    return int(value if isinstance(value, int) else value.node.hint or 0)


def _like(x: torch.Tensor) -> torch.Tensor:
    """Returns a tensor with the strides of `x` on PyTorch's device "meta".
    PyTorch's kernels on this device give eager's strides, also where its fake
    tensors have other strides."""
    with _disable_current_modes():
        return torch.empty_strided(
            list(map(_hint, x.shape)),
            list(map(_hint, x.stride())),
            dtype=x.dtype,
            device="meta",
        )


def _preserved(x: torch.Tensor) -> torch.Tensor:
    """Returns a tensor with the strides of an elementwise operator's result."""
    with _disable_current_modes():
        return torch.empty_like(_like(x))


def _suggested(x: torch.Tensor) -> torch.Tensor:
    """Returns a tensor with channels last, if `x` has channels last, and
    otherwise a contiguous tensor."""
    with _disable_current_modes():
        return torch.cat([_like(x)]) if x.dim() else _like(x)


def _contiguous(x: torch.Tensor) -> torch.Tensor:
    with _disable_current_modes():
        return _like(x).contiguous()


def _is_on_gpu(x: torch.Tensor) -> bool:
    return x.device.type == "cuda"


def _rolled(
    x: torch.Tensor, shifts: Sequence[int], dims: Sequence[int] = ()
) -> Any:
    """On the CPU, PyTorch rolls one axis after another by concatenation."""
    if _is_on_gpu(x) or not dims:
        return _contiguous(x)
    with _disable_current_modes():
        result = _like(x)
        for shift, dim in zip(shifts, dims):
            extent = result.shape[dim]
            start = -shift % extent if extent else 0
            result = torch.cat(
                [
                    result.narrow(dim, start, extent - start),
                    result.narrow(dim, 0, start),
                ],
                dim,
            )
    return result


def _shuffled(x: torch.Tensor, *_: Any, **__: Any) -> Any:
    return _contiguous(x) if _is_on_gpu(x) else _suggested(x)


def _one_hot(x: torch.Tensor, count: int) -> Any:
    with _disable_current_modes():
        return torch.empty([*map(_hint, x.shape), count], device="meta")


def _log_sigmoid(x: torch.Tensor) -> Any:
    return (_preserved(x) if _is_on_gpu(x) else _contiguous(x),)


def _rrelu(x: torch.Tensor, *_: Any, **__: Any) -> Any:
    return (_contiguous(x),)


def _normalised(x: torch.Tensor, *_: Any, **__: Any) -> Any:
    """PyTorch's CPU kernels give only channels last or contiguous results."""
    return (_preserved(x) if _is_on_gpu(x) else _suggested(x),)


def _filled(x: torch.Tensor, *_: Any, **__: Any) -> Any:
    return _preserved(x)


def _of_two(x: Any, y: Any, **__: Any) -> Any:
    """Decompositions of these operators read the second operand first, and so
    do PyTorch's fake tensors."""
    x, y = (
        _like(one) if isinstance(one, torch.Tensor) else 1 for one in (x, y)
    )
    with _disable_current_modes():
        return torch.add(x, y)


OF_TWO = frozenset(
    [
        aten.copysign,
        aten.div,
        aten.floor_divide,
        aten.special_xlog1py,
        aten.xlogy,
    ]
)
"""Operators whose results lie in memory as the first operand."""

_OF_EAGER: dict[Any, Rule] = {
    **dict.fromkeys(OF_TWO, _of_two),
    aten.roll: _rolled,
    aten.log_sigmoid_forward: _log_sigmoid,
    aten.rrelu_with_noise_functional: _rrelu,
    aten._native_batch_norm_legit: _normalised,
    aten._native_batch_norm_legit_functional: _normalised,
    aten._native_batch_norm_legit_no_training: _normalised,
    aten.native_batch_norm: _normalised,
    aten._batch_norm_with_update_functional: _normalised,
    aten.index_fill: _filled,
    aten.channel_shuffle: _shuffled,
    aten.one_hot: _one_hot,
}
"""For operators whose first results eager gives other strides than PyTorch's
fake tensors: rules that return a tensor with eager's strides."""


def _is_contiguous(x: torch.Tensor) -> Optional[torch.memory_format]:
    return torch.contiguous_format


def _is_contiguous_on_gpus(x: torch.Tensor) -> Optional[torch.memory_format]:
    return torch.contiguous_format if _is_on_gpu(x) else None


def _is_suggested_on_gpus(x: torch.Tensor) -> Optional[torch.memory_format]:
    return suggest_memory_format(_like(x)) if _is_on_gpu(x) else None


_OF_IMAGES: dict[
    Any, Callable[[torch.Tensor], Optional[torch.memory_format]]
] = {
    aten.pixel_shuffle: _is_contiguous_on_gpus,
    aten.upsample_nearest1d: _is_contiguous,
    aten.upsample_nearest2d: _is_suggested_on_gpus,
}
"""For operators that make images: the memory format that eager gives them,
where PyTorch's fake tensors have another format; None where the two agree."""

CORRECTED = frozenset([*_OF_EAGER, aten.pixel_shuffle]) - OF_TWO
"""Operators whose results have other strides in PyTorch's fake tensors than in
eager."""


def _wanted(operator: Any, args: Sequence[Any], options: Any) -> Any:
    """Returns tensors with the strides of eager's results."""
    packet = getattr(operator, "overloadpacket", operator)
    known: Optional[Rule] = _OF_EAGER.get(packet)
    if known is not None:
        return known(*args, **options)
    with disable_proxy_modes_tracing():
        wanted = operator(*args, **options)
    of_image = _OF_IMAGES.get(packet)
    known_format = None if of_image is None else of_image(args[0])
    return (
        wanted
        if known_format is None
        else _like(wanted).contiguous(memory_format=known_format)
    )


def _layout(x: torch.Tensor) -> list[int]:
    """Returns the strides, with 0 for axes of extent 1, whose stride does not
    matter."""
    return [
        _hint(stride) if _hint(extent) != 1 else 0
        for extent, stride in zip(x.shape, x.stride())
    ]


def laid_out(result: Any, wanted: Any) -> Any:
    """Returns `result` with its axes in memory in the order of `wanted`."""
    if (
        not isinstance(result, torch.Tensor)
        or not isinstance(wanted, torch.Tensor)
        or result.layout != torch.strided
        or result.dim() != wanted.dim()
    ):
        return result
    layout = _layout(_preserved(wanted))
    if _layout(result) == layout:
        return result
    order = sorted(range(result.dim()), key=lambda dim: -layout[dim])
    back = [order.index(dim) for dim in range(len(order))]
    return (
        result.permute(order)
        .clone(memory_format=torch.contiguous_format)
        .permute(back)
    )


class _Memory(enum.Enum):
    """How a tensor's elements lie in memory."""

    DENSE = enum.auto()
    WITH_GAPS = enum.auto()
    SHARED = enum.auto()
    """Several elements have the same address."""


def _memory_of(x: torch.Tensor) -> _Memory:
    """Returns how a tensor's elements lie in memory. Returns SHARED, too, if it
    is hard to tell whether elements share addresses."""
    is_dense, span = True, 1
    for stride, extent in sorted(zip(_layout(x), map(_hint, x.shape))):
        if extent == 1:
            continue
        if stride < span:
            return _Memory.SHARED
        is_dense = is_dense and stride == span
        span = stride * (extent - 1) + span
    return _Memory.DENSE if is_dense else _Memory.WITH_GAPS


def is_dense(x: torch.Tensor) -> bool:
    """Whether a tensor's elements fill its memory, in some order."""
    return _memory_of(x) is _Memory.DENSE


def _with_gaps(result: torch.Tensor, wanted: torch.Tensor, x: Any) -> Any:
    """Returns `result` with the gaps of operand `x`, if eager's result is a
    changed copy of `x`; NotImplemented if its elements share addresses."""
    if (
        not isinstance(x, torch.Tensor)
        or x.shape != wanted.shape
        or x.dtype != wanted.dtype
        or _layout(x) != _layout(wanted)
    ):
        return laid_out(result, wanted)
    if _memory_of(wanted) is _Memory.SHARED:
        return NotImplemented
    return aten.copy(x, result)


def _without_views(results: Any, operands: Any) -> Any:
    """Replaces results that share memory with an operand by copies. For
    example, a tensor that is repeated once is a view of itself, which a caller
    may write."""
    memories = {
        operand.untyped_storage()._cdata
        for operand in tree_leaves(operands)
        if isinstance(operand, torch.Tensor)
    }
    return tree_map_only(
        torch.Tensor,
        lambda x: x.clone() if x.untyped_storage()._cdata in memories else x,
        results,
    )


def as_eager(operator: Any, rule: Rule) -> Rule:
    """Returns a decomposition whose results have the operator's strides, and
    memory of their own if the operator's have."""
    makes_new = isinstance(operator, torch._ops.OpOverload) and is_new(operator)

    @functools.wraps(rule)
    def decompose(*args: Any, **options: Any) -> Any:
        results = rule(*args, **options)
        if results is NotImplemented:
            return results
        if makes_new:
            results = _without_views(results, (args, options))
        wanted = _wanted(operator, args, options)
        if isinstance(results, torch.Tensor):
            if _memory_of(wanted) is not _Memory.DENSE:
                return _with_gaps(results, wanted, args[0])
            return laid_out(results, wanted)
        moved = [
            laid_out(result, right)
            for result, right in itertools.zip_longest(results, wanted)
        ]
        return moved if isinstance(results, list) else tuple(moved)

    return decompose
