"""Result types and errors as PyTorch's own kernels have them. The decomposition
of an operator may give another type than the kernel, or accept types that the
kernel refuses.

To find out, this module runs the kernel on tensors of one element. It runs CPU
kernels only, because these are available on every machine."""

import functools
import threading
import warnings
from typing import Any, Callable, Mapping, Sequence, Union

import torch
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map_only

from .extents import are_known

aten = torch.ops.aten

Rule = Callable[..., Any]

_ELEMENTWISE = {
    aten._prelu_kernel,
    aten._prelu_kernel_backward,
    aten.binary_cross_entropy,
    aten.binary_cross_entropy_backward,
    aten.binary_cross_entropy_with_logits,
    aten.elu_backward,
    aten.floor_divide,
    aten.hardsigmoid_backward,
    aten.hardswish,
    aten.hardswish_backward,
    aten.hardtanh_backward,
    aten.huber_loss,
    aten.huber_loss_backward,
    aten.isin,
    aten.leaky_relu_backward,
    aten.log_sigmoid_backward,
    aten.log_sigmoid_forward,
    aten.masked_fill,
    aten.mish_backward,
    aten.mse_loss,
    aten.mse_loss_backward,
    aten.rsub,
    aten.smooth_l1_loss,
    aten.smooth_l1_loss_backward,
    aten.soft_margin_loss,
    aten.soft_margin_loss_backward,
    aten.softplus_backward,
}
"""Operators that PyTorch does not tag as pointwise, but whose operands may be
replaced by tensors of one element to find the types of the results."""

_REDUCTIONS = {
    aten._log_softmax,
    aten._softmax,
    aten.argmax,
    aten.argmin,
    aten.std,
    aten.var,
    aten.var_mean,
}
"""Operators whose operands may be replaced by tensors of one element that have
the same number of axes."""


def _of_windows(x: torch.Tensor, *_: Any) -> Any:
    return torch.ones_like(x), [1, 1], [1, 1], [0, 0], [1, 1]


def _of_summed_windows(x: torch.Tensor, *_: Any) -> Any:
    return torch.ones_like(x), [1, 1], [1, 1], [1, 1], [0, 0], [1, 1]


def _of_pooling(x: torch.Tensor, kernel: Sequence[int], *_: Any) -> Any:
    return x, [1] * len(kernel)


def _of_halves(x: torch.Tensor, dim: int = -1) -> Any:
    return torch.cat([x, x], dim), dim


def _of_classes(x: torch.Tensor, target: torch.Tensor, *rest: Any) -> Any:
    return x, torch.zeros_like(target), *rest


_SHAPED: dict[Any, Callable[..., Any]] = {
    aten.avg_pool2d: _of_pooling,
    aten.avg_pool3d: _of_pooling,
    aten.max_pool2d_with_indices: _of_pooling,
    aten.max_pool3d_with_indices: _of_pooling,
    aten.col2im: _of_summed_windows,
    aten.glu: _of_halves,
    aten.im2col: _of_windows,
    aten.nll_loss2d_forward: _of_classes,
    aten.nll_loss_forward: _of_classes,
}
"""Operators that need operands of certain shapes or numbers: functions that make
these from operands of one element, and the operator's other arguments."""

_ASKED = _ELEMENTWISE | _REDUCTIONS | _SHAPED.keys()

Found = Union[None, Exception, list[torch.dtype]]


ERRORS = (RuntimeError, TypeError, ValueError)
"""The errors that PyTorch raises for operands."""


class EagerError(Exception):
    """Holds the error that PyTorch raises for an operator of the graph, as
    `error`."""

    def __init__(self, error: Exception):
        super().__init__(str(error))
        self.error = error


def raising(error: Exception) -> Callable[..., Any]:
    """Returns a function that takes any arguments and raises `error`."""

    def run(*_: Any) -> Any:
        raise error.with_traceback(None)

    return run


def as_eager(table: Mapping[Any, Rule]) -> dict[Any, Rule]:
    """Returns a table of decompositions whose results have eager's types, and
    which raise EagerError where eager raises an error. The table also has a
    rule for each pointwise operator that `table` does not have: this rule only
    raises the errors, and otherwise leaves the operator as it is."""
    rules = dict(table)
    for operator in (*_pointwise_operators(), *_shaped_operators()):
        rules.setdefault(operator, _keep)
    return {
        operator: _asking(operator, rule) for operator, rule in rules.items()
    }


def _keep(*_: Any, **__: Any) -> Any:
    return NotImplemented


@functools.cache
def _pointwise_operators() -> list[Any]:
    packets = (getattr(aten, name) for name in dir(aten))
    return [
        operator
        for packet in packets
        if isinstance(packet, torch._ops.OpOverloadPacket)
        for operator in (getattr(packet, name) for name in packet.overloads())
        if torch.Tag.pointwise in operator.tags and is_new(operator)
    ]


@functools.cache
def _shaped_operators() -> list[Any]:
    operators = (
        getattr(packet, name)
        for packet in _SHAPED
        for name in packet.overloads()
    )
    return [operator for operator in operators if is_new(operator)]


def is_new(operator: Any) -> bool:
    """Whether an operator returns new tensors, not aliases, and is not a
    composite of other operators."""
    schema = operator._schema
    return not operator._can_decompose() and not any(
        one.alias_info for one in (*schema.arguments, *schema.returns)
    )


class _Depth(threading.local):
    """The nesting depth of decompositions. Only the outermost decomposition is
    of an operator that eager runs."""

    value = 0


_depth = _Depth()


def _is_asked(operator: Any) -> bool:
    return (
        torch.Tag.pointwise in getattr(operator, "tags", ())
        or getattr(operator, "overloadpacket", None) in _ASKED
    )


def _asking(operator: Any, rule: Rule) -> Rule:
    is_asked = _is_asked(operator)
    if (
        not is_asked
        and isinstance(operator, torch._ops.OpOverload)
        and operator._can_decompose()
    ):
        return rule  # eager decomposes the operator, too

    @functools.wraps(rule)
    def decompose(*args: Any, **options: Any) -> Any:
        found = (
            _ask(operator, args, options)
            if is_asked and not _depth.value
            else None
        )
        if isinstance(found, Exception):
            if not _is_backward():
                raise EagerError(found)
            found = None
        _depth.value += 1
        try:
            results = rule(*args, **options)
        finally:
            _depth.value -= 1
        return results if found is None else _cast(results, found)

    return decompose


def _is_backward() -> bool:
    """Whether autograd runs. Eager raises the errors of a backward pass later,
    if at all."""
    return bool(torch._C._current_graph_task_id() != -1)


def _cast(results: Any, types: list[torch.dtype]) -> Any:
    if isinstance(results, torch.Tensor):
        return results.to(types[0])
    if isinstance(results, (list, tuple)):
        return tuple(
            one.to(dtype) if isinstance(one, torch.Tensor) else one
            for one, dtype in zip(results, types)
        )
    return results


_known: dict[str, Found] = {}


def _ask(operator: Any, args: Any, options: Any) -> Found:
    """Returns the types of an operator's results, or the error that it raises;
    None if the operator cannot run without the tensors of its graph."""
    leaves = tree_leaves((args, options))
    if not all(
        _is_on_cpu(leaf)
        if isinstance(leaf, torch.Tensor)
        else leaf is None or isinstance(leaf, _PLAIN)
        for leaf in leaves
    ):
        return None
    key = f"{operator} {tree_map_only(torch.Tensor, _key, (args, options))}"
    if key not in _known:
        _known[key] = _run(operator, args, options)
    return _known[key]


_PLAIN = (
    bool,
    int,
    float,
    str,
    torch.dtype,
    torch.device,
    torch.layout,
    torch.memory_format,
)


def _is_on_cpu(x: torch.Tensor) -> bool:
    return x.device.type == "cpu" and x.layout == torch.strided


def _key(x: torch.Tensor) -> str:
    return f"{x.dtype} {list(x.shape) if _is_empty(x) else x.dim()}"


def run_quietly(operator: Any, *args: Any, **options: Any) -> Any:
    """Runs an operator on small tensors that stand for those of a graph."""
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return operator(*args, **options)


def _is_empty(x: torch.Tensor) -> bool:
    return are_known(*x.shape) and 0 in x.shape


def _sample(x: torch.Tensor) -> torch.Tensor:
    """Returns a tensor of one element. An empty tensor stays empty: eager's
    kernels may refuse elements, and then do not refuse to have none."""
    shape = list(x.shape) if _is_empty(x) else [1] * x.dim()
    return torch.ones(shape, dtype=x.dtype)


def _run(operator: Any, args: Any, options: Any) -> Found:
    with disable_proxy_modes_tracing(), _disable_current_modes():
        given, named = tree_map_only(torch.Tensor, _sample, (args, options))
        if shape := _SHAPED.get(getattr(operator, "overloadpacket", None)):
            given = shape(*given)
        try:
            results = run_quietly(operator, *given, **named)
        except ERRORS as error:
            return error
    return [
        one.dtype
        for one in (
            results if isinstance(results, (list, tuple)) else [results]
        )
    ]
