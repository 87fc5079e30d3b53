"""Experts of the library transformers, computed by grout.ops."""

from typing import Any, Optional

import torch

from ..ops import experts, grouped_mm
from ..ops.experts import Routing

_ACTIVATIONS = {
    "GELUActivation": "gelu",
    "GELUTanh": "gelu_tanh",
    "ReLU": "relu",
    "SiLU": "silu",
    "SiLUActivation": "silu",
}
"""The names of `grout.ops.moe` for the activations of transformers."""


def register_experts() -> None:
    """Registers `experts_implementation="grout"` with transformers:

        grout.torch.register_experts()
        model = AutoModelForCausalLM.from_pretrained(
            name, experts_implementation="grout"
        )

    grout.ops then computes the experts of models, in eager mode and with any
    backend of torch.compile. Raises ImportError if transformers is not
    installed, or has no such registry."""
    from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

    ALL_EXPERTS_FUNCTIONS.register("grout", forward)


def forward(
    self: Any,
    hidden_states: torch.Tensor,
    top_k_index: torch.Tensor,
    top_k_weights: torch.Tensor,
) -> torch.Tensor:
    """Computes the experts `self` for tokens [T, H], of which each has the
    experts `top_k_index` [T, K] with `top_k_weights` [T, K]. Names and order of
    the arguments are those of transformers. Returns [T, H]."""
    x = hidden_states.to(self.down_proj.dtype)
    activation = _plain_activation(self)
    if activation is not None:
        result = experts.moe(
            x,
            (top_k_index, top_k_weights),
            self.gate_up_proj,
            self.down_proj,
            activation=activation,
        )
        return result.to(hidden_states.dtype)

    def compute(rows: torch.Tensor, routing: Routing) -> torch.Tensor:
        if self.has_gate:
            inner = self._apply_gate(_linear(self, "gate_up", rows, routing))
        else:
            inner = self.act_fn(_linear(self, "up", rows, routing))
        rows = _linear(self, "down", inner, routing)
        return (
            self.post_expert_norm(rows) if self.has_post_expert_norm else rows
        )

    count = self.down_proj.shape[0]
    result = experts.mix(x, top_k_index, top_k_weights, count, compute)
    return result.to(hidden_states.dtype)


def _plain_activation(self: Any) -> Optional[str]:
    """Returns the activation of experts that `grout.ops.moe` computes; None for
    other experts."""
    is_plain = (
        self.has_gate
        and self.is_concatenated
        and not (self.has_bias or self.is_transposed)
        and not self.has_post_expert_norm
        and type(self)._apply_gate.__name__ == "_default_apply_gate"
    )
    return _ACTIVATIONS.get(type(self.act_fn).__name__) if is_plain else None


def _linear(
    self: Any, name: str, rows: torch.Tensor, routing: Routing
) -> torch.Tensor:
    """Multiplies rows by the matrices of their experts, and adds biases."""
    matrices = getattr(self, f"{name}_proj")
    if not self.is_transposed:
        matrices = matrices.transpose(1, 2)
    rows = grouped_mm(rows, matrices, routing.ends)
    if not self.has_bias:
        return rows
    # Rows of no expert get any bias. Their weight is 0.
    expert = routing.experts.clamp(max=matrices.shape[0] - 1)
    return rows + getattr(self, f"{name}_proj_bias")[expert]
