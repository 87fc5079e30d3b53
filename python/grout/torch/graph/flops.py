"""Floating-point operations of products, convolutions and attention."""

import math
import re
from typing import Any, Callable, Optional

import torch
from torch import fx
from torch.utils.flop_counter import flop_registry

from . import support

aten = torch.ops.aten


def count(node: fx.Node) -> Optional[int]:
    """A multiplication and an addition are two; what is computed element by
    element, reduced or moved counts as 0. None if nobody knows."""
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
    except Exception:  # of counters, which know not all calls
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
    """Guards nothing of a symbol. None if it has no likely value."""
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
"""Words in names of operators that are products, or made of them."""

_NONE_MULTIPLY = frozenset(
    """
    _linalg_check_errors linalg__powsum linalg_cross linalg_diagonal
    linalg_vector_norm slice_inverse""".split()
)


def _may_multiply(node: fx.Node) -> bool:
    """Of an operator that nobody counts: whether it may be a product, to go by
    its name, or is no operator of PyTorch's."""
    if support.is_view(node) or not any(
        isinstance(value, torch.Tensor) for value in support.values_of(node)
    ):
        return False
    if not isinstance(node.target, torch._ops.OpOverload):
        return True
    name = support.name_of(node)
    if name.startswith(("_c10d_functional.", "prims.")):
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
    """Elements of a row, of which some types have two in a byte."""
    return x.shape[-1] * (2 if "x2" in str(x.dtype) else 1)


def _product(x: torch.Tensor, y: torch.Tensor, *_: Any, **__: Any) -> Any:
    """Rows of x, in groups or not, with columns of y. Of groups that are parts
    of an axis all elements are taken to be in one."""
    batch = x.shape[0] if x.dim() == y.dim() == 3 else 1
    return 2 * batch * x.shape[-2] * _depth(x) * y.shape[-1]


def _vector(x: torch.Tensor, y: torch.Tensor, *_: Any, **__: Any) -> Any:
    """A matrix, or a vector, with a vector."""
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
    """A difference and its power for each pair of rows."""
    return 2 * math.prod(x.shape) * y.shape[-2]


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *_: Any,
    **__: Any,
) -> Any:
    """Scores and their products with values; masks leave out nothing. Several
    heads of queries may share one of keys."""
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
    """Scores again, and gradients of weights, values, queries and keys."""
    rows = math.prod(query.shape[:-1])
    return (
        2 * rows * key.shape[-2] * (3 * query.shape[-1] + 2 * value.shape[-1])
    )


def _experts_backward(
    x: torch.Tensor, weights: torch.Tensor, *_: Any, **__: Any
) -> Any:
    return 2 * _product(x, weights)


def _packets(names: str) -> list[Any]:
    """Those of the operators that this PyTorch has."""
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
    "transformers.grouped_mm_fallback": _product,
    "transformers.grouped_mm_fallback_backward": _experts_backward,
}
