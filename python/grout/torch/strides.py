"""Results of decompositions, laid out as those of the operators themselves."""

import functools
from typing import Any, Callable, Sequence

import torch
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing

Rule = Callable[..., Any]


def _hint(value: Any) -> int:
    """A number, or one that a symbol is likely to be. It guards nothing."""
    return int(value if isinstance(value, int) else value.node.hint or 0)


def _layout(x: torch.Tensor) -> list[int]:
    """The strides of axes that have several elements; others have any."""
    return [_hint(stride) if _hint(extent) != 1 else 0
            for extent, stride in zip(x.shape, x.stride())]


def _order(x: torch.Tensor) -> list[int]:
    """Axes from the one whose elements are farthest apart."""
    layout = _layout(x)
    return sorted(range(x.dim()), key=lambda dim: -layout[dim])


def _repeats(x: torch.Tensor) -> bool:
    """Whether an axis has one element in memory for several."""
    return any(_hint(extent) != 1 and not _hint(stride)
               for extent, stride in zip(x.shape, x.stride()))


def _is_dense(x: torch.Tensor) -> bool:
    extents = [_hint(extent) for extent in x.shape]
    span = 1 + sum((extent - 1) * stride
                   for extent, stride in zip(extents, _layout(x)))
    count = 1
    for extent in extents:
        count *= extent
    return 0 < count == span


def _laid_out(result: Any, wanted: Any) -> Any:
    """`result`, with its axes in memory in the order of `wanted`."""
    if (not isinstance(result, torch.Tensor)
            or not isinstance(wanted, torch.Tensor)
            or result.layout != torch.strided
            or result.dim() != wanted.dim()):
        return result
    order = _order(wanted)
    if (_layout(result) == _layout(wanted) if _is_dense(wanted)
            else _order(result) == order or _repeats(wanted)):
        return result
    back = [order.index(dim) for dim in range(len(order))]
    return result.permute(order).clone(
        memory_format=torch.contiguous_format).permute(back)


def as_eager(operator: Any, rule: Rule) -> Rule:
    """A decomposition whose results have the operator's strides."""
    @functools.wraps(rule)
    def decompose(*args: Any, **options: Any) -> Any:
        results = rule(*args, **options)
        if results is NotImplemented:
            return results
        with disable_proxy_modes_tracing():
            wanted = operator(*args, **options)
        if isinstance(results, torch.Tensor):
            return _laid_out(results, wanted)
        laid_out: Sequence[Any] = [
            _laid_out(result, right)
            for result, right in zip(results, wanted)]
        return type(results)(laid_out)
    return decompose
