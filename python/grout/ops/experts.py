"""Mixtures of experts, and the operator grout::moe."""

import dataclasses
import functools
from typing import Callable, Optional, Union

import torch
from torch.nn import functional

from . import kernels
from .grouped import grouped_mm

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "silu": functional.silu,
    "gelu": functional.gelu,
    "gelu_tanh": functools.partial(functional.gelu, approximate="tanh"),
    "relu": functional.relu,
}
"""The activations of `moe`, by their names."""

Choice = tuple[torch.Tensor, torch.Tensor]


def moe(
    x: torch.Tensor,
    routing: Union[torch.Tensor, Choice],
    w_gate_up: torch.Tensor,
    w_down: torch.Tensor,
    *,
    activation: str = "silu",
    top_k: Optional[int] = None,
    normalize: Optional[bool] = None,
) -> torch.Tensor:
    """Computes a mixture of experts: for each token, the sum of what its
    experts compute of it, by their weights. With T tokens of size H, and E
    experts of size I:

    - x [T, H], the tokens;
    - routing: either a pair of the experts of each token, [T, K], integers, and
      their weights, [T, K]; or the logits of a router, [T, E]. For logits, give
      `top_k`: the experts with the K largest probabilities are taken, by a
      softmax in f32. Their weights are the probabilities, divided by the sum of
      the K unless `normalize` is False. Both options are for logits alone.
      A number of no expert, such as -1 or E, stands for none.
    - w_gate_up [E, 2 I, H], for each expert the matrix of the gate and then the
      other one, as transformers stores them;
    - w_down [E, H, I].

    Expert e computes w_down[e] @ (activation(gate) * up), where gate and up are
    the halves of w_gate_up[e] @ token. `activation` is one of ACTIVATIONS.

    Returns [T, H] in the type of x. The sum over experts is in f32, and has a
    fixed order. x and the matrices have one type: f16 or bf16, or f32 on the
    CPU. If gradients are wanted, products and sums are operators of their own.

    Raises ValueError for shapes and TypeError for types that do not suit, and
    grout.torch.FallbackForbidden for operands that Grout has no kernel for, as
    grouped_mm does.
    """
    if activation not in ACTIVATIONS:
        raise ValueError(
            f"moe: activation is one of {', '.join(ACTIVATIONS)}, not "
            f"{activation!r}"
        )
    if isinstance(routing, torch.Tensor):
        _check_logits(routing, w_down)
        indices, weights = _choose(routing, top_k, normalize is not False)
    elif top_k is not None or normalize is not None:
        raise ValueError("moe: top_k and normalize are for logits of a router")
    else:
        indices, weights = routing
    operands = (x, indices, weights, w_gate_up, w_down)
    _check(*operands)
    if torch.is_grad_enabled() and any(one.requires_grad for one in operands):
        return of_parts(*operands, activation)
    return torch.ops.grout.moe(*operands, activation)


def _check_logits(logits: torch.Tensor, w_down: torch.Tensor) -> None:
    if logits.shape[1:] != w_down.shape[:1]:
        raise ValueError(
            "moe: logits are [T, E], and w_down is [E, H, I]; they are "
            f"{list(logits.shape)} and {list(w_down.shape)}"
        )


def _choose(
    logits: torch.Tensor, top_k: Optional[int], normalize: bool
) -> Choice:
    if top_k is None:
        raise ValueError("moe: logits of a router need top_k")
    weights, indices = logits.softmax(-1, dtype=torch.float32).topk(top_k)
    if normalize:
        weights = weights / weights.sum(-1, keepdim=True)
    return indices, weights


@dataclasses.dataclass(frozen=True)
class Routing:
    """The pairs of a token and one of its experts, sorted by experts."""

    order: torch.Tensor
    """[T K], the number of each sorted pair: token * K + choice."""
    experts: torch.Tensor
    """[T K], the expert of each sorted pair; E for pairs without expert, which
    come last."""
    ends: torch.Tensor
    """[E], int32: where the pairs of each expert end."""


def route(indices: torch.Tensor, count: int) -> Routing:
    """Sorts pairs by experts, of which there are `count`. `indices` [T, K] has
    the experts of each token."""
    given = indices.reshape(-1)
    is_expert = (given >= 0) & (given < count)
    given = torch.where(is_expert, given, count)
    experts, order = torch.sort(given, stable=True)
    expert = torch.arange(count, dtype=given.dtype, device=given.device)
    ends = (given <= expert.unsqueeze(-1)).sum(-1, dtype=torch.int32)
    return Routing(order, experts, ends)


def mix(
    x: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    count: int,
    compute: Callable[[torch.Tensor, Routing], torch.Tensor],
) -> torch.Tensor:
    """Returns for each token of x [T, H] the sum of what its experts compute,
    in f32, by their `weights` [T, K], in the type of x. `compute` gets the
    tokens of sorted pairs, [T K, H], and returns as many rows."""
    routing = route(indices, count)
    tokens, choices = indices.shape
    rows = compute(x[routing.order // max(choices, 1)], routing)
    # The place of each pair among the sorted pairs.
    place = torch.arange(routing.order.shape[0], device=x.device)
    place = torch.zeros_like(place).scatter(0, routing.order, place)
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    parts = rows[place].view(tokens, choices, rows.shape[-1]).to(wide)
    # A weight may be infinite, or no number, where there is no expert.
    is_expert = (indices >= 0) & (indices < count)
    weights = torch.where(is_expert, weights, 0).to(wide)
    return (parts * weights.unsqueeze(-1)).sum(1).to(x.dtype)


def of_parts(
    x: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    w_gate_up: torch.Tensor,
    w_down: torch.Tensor,
    activation: str,
) -> torch.Tensor:
    """Computes grout::moe by operators that PyTorch differentiates."""

    def compute(rows: torch.Tensor, routing: Routing) -> torch.Tensor:
        both = grouped_mm(rows, w_gate_up.transpose(1, 2), routing.ends)
        gate, up = both.chunk(2, -1)
        inner = ACTIVATIONS[activation](gate) * up
        return grouped_mm(inner, w_down.transpose(1, 2), routing.ends)

    return mix(x, indices, weights, w_gate_up.shape[0], compute)


def _check(
    x: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    w_gate_up: torch.Tensor,
    w_down: torch.Tensor,
) -> None:
    if (x.dim(), indices.dim(), w_gate_up.dim(), w_down.dim()) != (2, 2, 3, 3):
        raise ValueError(
            "moe: x is [T, H], indices are [T, K], w_gate_up is [E, 2 I, H], "
            f"and w_down is [E, H, I]; they have {x.dim()}, {indices.dim()}, "
            f"{w_gate_up.dim()} and {w_down.dim()} axes"
        )
    if indices.shape != weights.shape or indices.shape[0] != x.shape[0]:
        raise ValueError(
            f"moe: {x.shape[0]} tokens have experts {list(indices.shape)} and "
            f"weights {list(weights.shape)}"
        )
    count, size, width = w_down.shape
    if x.shape[1] != size or w_gate_up.shape != (count, 2 * width, size):
        raise ValueError(
            f"moe: for tokens of size {x.shape[1]} and w_down "
            f"{list(w_down.shape)}, w_gate_up is not {list(w_gate_up.shape)}"
        )
    if not x.dtype == w_gate_up.dtype == w_down.dtype:
        raise TypeError(
            "moe: x and the matrices have one type, not "
            f"{x.dtype}, {w_gate_up.dtype} and {w_down.dtype}"
        )
    if indices.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"moe: indices are int32 or int64, not {indices.dtype}")


def _run(
    x: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    w_gate_up: torch.Tensor,
    w_down: torch.Tensor,
    activation: str,
) -> torch.Tensor:
    if not (indices.numel() and w_down.numel()):
        return x.new_zeros(x.shape)
    result = kernels.run(
        "moe",
        (
            kernels.pad(x, 0),
            kernels.pad(indices, 0, -1),
            kernels.pad(weights, 0),
            w_gate_up,
            w_down,
        ),
        activation,
    )
    return result.narrow(0, 0, x.shape[0])


def _new(
    x: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    w_gate_up: torch.Tensor,
    w_down: torch.Tensor,
    activation: str,
) -> torch.Tensor:
    return x.new_empty(x.shape)


_operator = torch.library.custom_op("grout::moe", _run, mutates_args=())
_operator.register_fake(_new)
