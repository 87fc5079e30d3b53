"""Decomposes the layer of nn.TransformerEncoder, which PyTorch runs as one
operator where no gradient is wanted."""

import math
from typing import Any, Callable, Optional

import torch
from torch.nn import functional

aten = torch.ops.aten


def _layer(
    x: torch.Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: torch.Tensor,
    qkv_bias: torch.Tensor,
    proj_weight: torch.Tensor,
    proj_bias: torch.Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: torch.Tensor,
    norm_bias_1: torch.Tensor,
    norm_weight_2: torch.Tensor,
    norm_bias_2: torch.Tensor,
    ffn_weight_1: torch.Tensor,
    ffn_bias_1: torch.Tensor,
    ffn_weight_2: torch.Tensor,
    ffn_bias_2: torch.Tensor,
    mask: Optional[torch.Tensor] = None,
    mask_type: Optional[int] = None,
) -> torch.Tensor:
    """Takes and returns [batch, length, embed_dim]."""

    def norm_1(value: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(
            value, [embed_dim], norm_weight_1, norm_bias_1, eps
        )

    def norm_2(value: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(
            value, [embed_dim], norm_weight_2, norm_bias_2, eps
        )

    def attend(value: torch.Tensor) -> torch.Tensor:
        qkv = functional.linear(value, qkv_weight, qkv_bias)
        return functional.linear(
            _attention(qkv, num_heads, _is_masked(mask, mask_type)),
            proj_weight,
            proj_bias,
        )

    def feed_forward(value: torch.Tensor) -> torch.Tensor:
        inner = functional.linear(value, ffn_weight_1, ffn_bias_1)
        inner = functional.gelu(inner) if use_gelu else functional.relu(inner)
        return functional.linear(inner, ffn_weight_2, ffn_bias_2)

    if norm_first:
        x = x + attend(norm_1(x))
        return x + feed_forward(norm_2(x))
    x = norm_1(x + attend(x))
    return norm_2(x + feed_forward(x))


def _is_masked(
    mask: Optional[torch.Tensor], mask_type: Optional[int]
) -> Optional[torch.Tensor]:
    """Returns which scores are masked: those where the mask is not zero. The
    result broadcasts to [batch, heads, queries, keys]. The axes of the mask are
    queries and keys (type 0), batch and keys (type 1), or all four (type 2)."""
    if mask is None:
        return None
    is_masked = mask != 0
    return {
        0: lambda: is_masked,
        1: lambda: is_masked[:, None, None, :],
        2: lambda: is_masked,
    }[mask_type or 0]()


def _attention(
    qkv: torch.Tensor, num_heads: int, is_masked: Optional[torch.Tensor]
) -> torch.Tensor:
    """Attention of queries, keys and values that lie side by side in `qkv`
    [batch, length, 3 x size]. Rows whose scores are all masked are NaN, as in
    PyTorch."""
    batch, length, size = qkv.shape
    query, key, value = (
        qkv.view(batch, length, 3, num_heads, size // (3 * num_heads))
        .permute(2, 0, 3, 1, 4)
        .unbind()
    )
    if is_masked is None:
        result = functional.scaled_dot_product_attention(query, key, value)
    else:
        wide = torch.float64 if qkv.dtype == torch.float64 else torch.float32
        scores = (query @ key.transpose(-2, -1)).to(wide)
        scores = scores * (1 / math.sqrt(query.shape[-1]))
        scores = scores.masked_fill(is_masked, -math.inf)
        result = scores.softmax(-1).to(qkv.dtype) @ value
    return result.transpose(1, 2).reshape(batch, length, size // 3)


TABLE: dict[Any, Callable[..., Any]] = {
    aten._transformer_encoder_layer_fwd.default: _layer,
}
