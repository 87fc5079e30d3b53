"""Counts the floating-point operations of GEMMs, convolutions and attention."""

import math
import re
from typing import Any, Callable, Optional

import torch
from torch import fx
from torch.utils.flop_counter import flop_registry

from . import collectives, support

aten = torch.ops.aten


def count(node: fx.Node) -> Optional[int]:
    """Returns the floating-point operations of a node; None if they are not
    known. A multiplication and an addition count as two operations. Elementwise
    operators, reductions and operators that move elements count as 0."""
    packet = support.packet(node)
    own = _OF_LIBRARIES.get(
        support.name_of(node).rpartition(".")[0]
    ) or _OWN.get(packet)
    counter = own or _of_pytorch(packet)
    if counter is None:
        return None if _may_multiply(node) else 0
    try:
        return _hint(
            counter(
                *fx.map_arg(node.args, _value),
                **_options(node, is_own=own is not None),
            )
        )
    except Exception:  # Not all calls suit a counter.
        return None


def _of_pytorch(packet: Any) -> Optional[Callable[..., Any]]:
    counter: Optional[Callable[..., Any]] = flop_registry.get(packet)
    return counter


def _options(node: fx.Node, is_own: bool) -> dict[str, Any]:
    options = dict(fx.map_arg(node.kwargs, _value))
    return options if is_own else {**options, "out_val": node.meta.get("val")}


def _value(node: fx.Node) -> Any:
    return node.meta.get("val")


def _hint(number: Any) -> Optional[int]:
    """Returns a number, or the likely value of a symbol; None if the symbol has
    none. Adds no guard."""
    if isinstance(number, (int, float)):
        return int(number)
    hint = number.node.hint
    return None if hint is None else int(hint)


_MULTIPLY = frozenset(
    """
    addbmm addmm addr attention baddbmm bilinear bmm cdist cholesky dot einsum
    fft fftn geqrf gru hspmm inverse irfft linalg linear lstm matmul mm moe
    orgqr ormqr pinverse qr rfft rnn smm solve sspaddmm svd tensordot
    transformer trilinear vdot""".split()
)
"""Words in names of operators that are GEMMs, or are computed by GEMMs."""

_NONE_MULTIPLY = frozenset(
    """
    _linalg_check_errors linalg__powsum linalg_cross linalg_diagonal
    linalg_vector_norm slice_inverse""".split()
)


def _may_multiply(node: fx.Node) -> bool:
    """Whether an operator without a counter may multiply matrices: its name
    says so, or it is not an operator of PyTorch."""
    if support.is_view(node) or not any(
        isinstance(value, torch.Tensor) for value in support.values_of(node)
    ):
        return False
    if not isinstance(node.target, torch._ops.OpOverload):
        return True
    name = support.name_of(node)
    if collectives.is_collective(node) or name.startswith(
        ("_c10d_functional.", "prims.")
    ):
        return False
    library, packet, _ = name.split(".")
    if library != "aten":
        return True
    words = packet.split("_")
    return packet not in _NONE_MULTIPLY and any(
        word in _MULTIPLY or re.match(r"conv(\dd|olution|)$", word)
        for word in words
    )


def _depth(x: torch.Tensor) -> Any:
    """Returns the number of elements of a row. Some types have two elements in
    a byte."""
    return x.shape[-1] * (2 if "x2" in str(x.dtype) else 1)


def _product(x: torch.Tensor, y: torch.Tensor, *_: Any, **__: Any) -> Any:
    """Counts a GEMM of x and y, which may have a batch axis. A grouped GEMM,
    whose groups are parts of an axis, counts as if all elements were in one
    group."""
    batch = x.shape[0] if x.dim() == y.dim() == 3 else 1
    return 2 * batch * x.shape[-2] * _depth(x) * y.shape[-1]


def _vector(x: torch.Tensor, y: torch.Tensor, *_: Any, **__: Any) -> Any:
    """Counts the product of a matrix, or of a vector, with a vector."""
    return 2 * math.prod(x.shape)


def _added_vector(
    _: Any, x: torch.Tensor, y: torch.Tensor, *__: Any, **___: Any
) -> Any:
    return _vector(x, y)


def _outer(
    _: Any, x: torch.Tensor, y: torch.Tensor, *__: Any, **___: Any
) -> Any:
    return 2 * x.shape[0] * y.shape[0]


def _added_batches(
    _: Any, x: torch.Tensor, y: torch.Tensor, *__: Any, **___: Any
) -> Any:
    return _product(x, y)


def _distances(x: torch.Tensor, y: torch.Tensor, *_: Any, **__: Any) -> Any:
    """Counts a difference and its power for each element of each pair of
    rows."""
    return 2 * math.prod(x.shape) * y.shape[-2]


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *_: Any,
    **__: Any,
) -> Any:
    """Counts the GEMMs of attention: queries with keys, and weights with
    values. Masked scores count, too. Several heads of queries may share a head
    of keys."""
    rows = math.prod(query.shape[:-1])
    return 2 * rows * key.shape[-2] * (query.shape[-1] + value.shape[-1])


def _attention_backward(
    _: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *__: Any,
    **___: Any,
) -> Any:
    """Counts the GEMMs of attention's backward pass: the scores again, and the
    gradients of weights, values, queries and keys."""
    rows = math.prod(query.shape[:-1])
    return (
        2 * rows * key.shape[-2] * (3 * query.shape[-1] + 2 * value.shape[-1])
    )


def _experts_backward(
    x: torch.Tensor, weights: torch.Tensor, *_: Any, **__: Any
) -> Any:
    return 2 * _product(x, weights)


def _packets(names: str) -> list[Any]:
    """Returns the operators of these names that this version of PyTorch has."""
    return [
        getattr(aten, name) for name in names.split() if hasattr(aten, name)
    ]


_OWN: dict[Any, Callable[..., Any]] = {
    **dict.fromkeys(
        _packets("""
        _scaled_mm _scaled_mm_v2 _grouped_mm _scaled_grouped_mm
        _scaled_grouped_mm_v2 _int_mm"""),
        _product,
    ),
    **dict.fromkeys(_packets("dot vdot mv"), _vector),
    **dict.fromkeys(_packets("addmv"), _added_vector),
    **dict.fromkeys(_packets("addr"), _outer),
    **dict.fromkeys(_packets("addbmm"), _added_batches),
    **dict.fromkeys(_packets("_cdist_forward cdist"), _distances),
    **dict.fromkeys(
        _packets("""
        scaled_dot_product_attention
        _scaled_dot_product_flash_attention
        _scaled_dot_product_flash_attention_for_cpu
        _scaled_dot_product_efficient_attention
        _scaled_dot_product_cudnn_attention
        _scaled_dot_product_attention_math
        _scaled_dot_product_fused_attention_overrideable"""),
        _attention,
    ),
    **dict.fromkeys(
        _packets("""
        _scaled_dot_product_flash_attention_backward
        _scaled_dot_product_flash_attention_for_cpu_backward
        _scaled_dot_product_efficient_attention_backward
        _scaled_dot_product_cudnn_attention_backward
        _scaled_dot_product_fused_attention_overrideable_backward"""),
        _attention_backward,
    ),
}

_OF_LIBRARIES: dict[str, Callable[..., Any]] = {
    "grout.grouped_rows": _product,
    "transformers.grouped_mm_fallback": _product,
    "transformers.grouped_mm_fallback_backward": _experts_backward,
}
