"""MLPs of transformers: plain and gated."""

import dataclasses

from errors import UserError

from workloads import ir
from workloads.base import TransformerWorkload

GELU_TANH = ir.Epilogue(
    {"half": "0.5", "one": "1.0", "cubic": "0.044715", "root": "0.7978845608"},
    """    %square = arith.mulf %a0, %a0 : f32
    %cube = arith.mulf %square, %a0 : f32
    %third = arith.mulf %cube, %cubic : f32
    %inner = arith.addf %a0, %third : f32
    %scaled = arith.mulf %inner, %root : f32
    %tanh = math.tanh %scaled : f32
    %sum = arith.addf %tanh, %one : f32
    %halved = arith.mulf %a0, %half : f32
    %out = arith.mulf %halved, %sum : f32
""",
)

_SWIGLU = ir.Epilogue(
    {"one": "1.0"},
    """    %negated = arith.negf %a0 : f32
    %exp = math.exp %negated : f32
    %denominator = arith.addf %exp, %one : f32
    %silu = arith.divf %a0, %denominator : f32
    %out = arith.mulf %silu, %a1 : f32
""",
)


@dataclasses.dataclass(frozen=True)
class Mlp(TransformerWorkload):
    """y = gelu(x w1) w2, or, gated, y = (silu(x w_gate) * (x w_up)) w_down."""

    activation: str
    gated: bool

    def __post_init__(self):
        expected = "silu" if self.gated else "gelu_tanh"
        if self.activation != expected:
            raise UserError(
                f"{self.name}: a{' gated' if self.gated else 'n ungated'} MLP "
                f"has the activation {expected}, not {self.activation}"
            )

    @property
    def weight_shapes(self):
        into = [(self.hidden, self.inner)] * (2 if self.gated else 1)
        return [*into, (self.inner, self.hidden)]

    @property
    def num_products(self):
        return 2

    def ir(self, tilings=None):
        weights = ["wg", "wu", "wd"] if self.gated else ["w1", "w2"]
        products = [
            ir.Product(
                "h",
                "x",
                tuple(weights[:-1]),
                self.M,
                self.inner,
                self.hidden,
                _SWIGLU if self.gated else GELU_TANH,
            ),
            ir.Product(
                "y", "h", (weights[-1],), self.M, self.hidden, self.inner
            ),
        ]
        return ir.function(
            "mlp", self.arguments(weights), products, self.dtype, tilings
        )

    def plain(self, torch, x, weights):
        if self.gated:
            h = torch.nn.functional.silu(x @ weights[0]) * (x @ weights[1])
        else:
            h = torch.nn.functional.gelu(x @ weights[0], approximate="tanh")
        return h @ weights[-1]

    def special_peers(self, torch, x, weights):
        if self.gated:
            return {
                "cublas-concat": lambda: self._concatenated(torch, x, weights)
            }
        return {"cublas-fused": lambda: self._fused(torch, x, weights)}

    def _fused(self, torch, x, weights):
        """GELU in the epilogue of cuBLASLt, which wants a bias with it."""
        bias = torch.zeros(self.inner, dtype=x.dtype, device=x.device)

        def body():
            h = torch._addmm_activation(bias, x, weights[0], use_gelu=True)
            return h @ weights[-1]

        return body

    def _concatenated(self, torch, x, weights):
        """One product for gate and up, as servers of models store them."""
        both = torch.cat(weights[:2], dim=1)

        def body():
            gate, up = (x @ both).split(self.inner, dim=1)
            return (torch.nn.functional.silu(gate) * up) @ weights[-1]

        return body
