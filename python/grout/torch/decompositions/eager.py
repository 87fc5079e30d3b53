"""Types of results, and errors, as PyTorch's own kernels have them: what
operators are decomposed into may give another type, and take types that the
kernels refuse.

Kernels are asked with one element. Those of the CPU are: they are there wherever
this runs."""

import functools
import threading
from typing import Any, Callable, Mapping, Union

import torch
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map_only

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
"""Of operators that PyTorch does not tag as pointwise, those that take tensors
of one element in place of any others."""

_REDUCTIONS = {
    aten._log_softmax,
    aten._softmax,
    aten.argmax,
    aten.argmin,
    aten.var,
    aten.var_mean,
}
"""Those that take such tensors of as many axes."""

Found = Union[None, Exception, list[torch.dtype]]


class EagerError(Exception):
    """What PyTorch raises, as `error`, for an operator of the graph."""

    def __init__(self, error: Exception):
        super().__init__(str(error))
        self.error = error


def raising(error: Exception) -> Callable[..., Any]:
    """A function that raises what eager does, whatever it is called with."""

    def run(*_: Any) -> Any:
        raise error.with_traceback(None)

    return run


def as_eager(table: Mapping[Any, Rule]) -> dict[Any, Rule]:
    """A table of decompositions whose results have eager's types, and which
    raise EagerError where eager raises an error, also for pointwise operators
    that it does not have."""
    rules = dict(table)
    for operator in _pointwise_operators():
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
        if torch.Tag.pointwise in operator.tags and _is_new(operator)
    ]


def _is_new(operator: Any) -> bool:
    """Whether it gives new tensors, and is not made of other operators."""
    schema = operator._schema
    return not operator._can_decompose() and not any(
        one.alias_info for one in (*schema.arguments, *schema.returns)
    )


class _Depth(threading.local):
    """How many decompositions are within one another; only the outermost one is
    of an operator that eager runs."""

    value = 0


_depth = _Depth()


def _is_asked(operator: Any) -> bool:
    return (
        torch.Tag.pointwise in getattr(operator, "tags", ())
        or getattr(operator, "overloadpacket", None)
        in _ELEMENTWISE | _REDUCTIONS
    )


def _asking(operator: Any, rule: Rule) -> Rule:
    is_asked = _is_asked(operator)
    if (
        not is_asked
        and isinstance(operator, torch._ops.OpOverload)
        and operator._can_decompose()
    ):
        return rule  # eager, too, runs what it is made of

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
    """Whether autograd runs: what eager raises then it raises later, if at
    all."""
    return bool(torch._C._current_graph_task_id() != -1)


def _cast(results: Any, types: list[torch.dtype]) -> Any:
    if isinstance(results, torch.Tensor):
        return results.to(types[0])
    if isinstance(results, (list, tuple)):
        return type(results)(
            one.to(dtype) if isinstance(one, torch.Tensor) else one
            for one, dtype in zip(results, types)
        )
    return results


_known: dict[str, Found] = {}


def _ask(operator: Any, args: Any, options: Any) -> Found:
    """The types of an operator's results, or its error; None if PyTorch cannot
    be asked without its graph's tensors."""
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
    return f"{x.dtype} {x.dim()}"


def _run(operator: Any, args: Any, options: Any) -> Found:
    with disable_proxy_modes_tracing(), _disable_current_modes():
        given, named = tree_map_only(
            torch.Tensor,
            lambda x: torch.ones([1] * x.dim(), dtype=x.dtype),
            (args, options),
        )
        try:
            with torch.no_grad():
                results = operator(*given, **named)
        except (RuntimeError, TypeError, ValueError) as error:
            return error
    return [
        one.dtype
        for one in (
            results if isinstance(results, (list, tuple)) else [results]
        )
    ]
