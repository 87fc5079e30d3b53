"""The second half of a transformer's block: what follows attention."""

import dataclasses

from workloads import ir
from workloads.base import TransformerWorkload
from workloads.mlp import GELU_TANH


@dataclasses.dataclass(frozen=True)
class Block(TransformerWorkload):
    """h = x + x wo; y = h + gelu(layer_norm(h) w1) w2.

    x stands for attention's result and for the residual stream.
    """

    @property
    def weight_shapes(self):
        return [
            (self.hidden, self.hidden),
            (self.hidden, self.inner),
            (self.inner, self.hidden),
        ]

    @property
    def num_products(self):
        return 3

    def ir(self, tilings=None):
        hidden, inner = self.hidden, self.inner
        return ir.function(
            "block",
            self.arguments(["wo", "w1", "w2"]),
            [
                ir.Product(
                    "h", "x", ("wo",), self.M, hidden, hidden, ir.ADD, ("x",)
                ),
                ir.LayerNorm("n", "h", self.M, hidden),
                ir.Product("g", "n", ("w1",), self.M, inner, hidden, GELU_TANH),
                ir.Product(
                    "y", "g", ("w2",), self.M, hidden, inner, ir.ADD, ("h",)
                ),
            ],
            self.dtype,
            tilings,
        )

    def plain(self, torch, x, weights):
        h = torch.addmm(x, x, weights[0])
        n = torch.nn.functional.layer_norm(h, (self.hidden,))
        g = torch.nn.functional.gelu(n @ weights[1], approximate="tanh")
        return torch.addmm(h, g, weights[2])

    def special_peers(self, torch, x, weights):
        return {"cublas-fused": lambda: self._fused(torch, x, weights)}

    def _fused(self, torch, x, weights):
        """GELU in the epilogue of cuBLASLt, which wants a bias with it."""
        bias = torch.zeros(self.inner, dtype=x.dtype, device=x.device)

        def body():
            h = torch.addmm(x, x, weights[0])
            n = torch.nn.functional.layer_norm(h, (self.hidden,))
            g = torch._addmm_activation(bias, n, weights[1], use_gelu=True)
            return torch.addmm(h, g, weights[2])

        return body
