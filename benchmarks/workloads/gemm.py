"""Single matrix products."""

import dataclasses

from workloads import ir
from workloads.base import Workload


@dataclasses.dataclass(frozen=True)
class Gemm(Workload):
    """y = x w, M x K times K x N."""

    N: int
    K: int

    @property
    def input_shape(self):
        return (self.M, self.K)

    @property
    def output_shape(self):
        return (self.M, self.N)

    @property
    def weight_shapes(self):
        return [(self.K, self.N)]

    @property
    def num_products(self):
        return 1

    def ir(self, tilings=None):
        product = ir.Product("y", "x", ("w",), self.M, self.N, self.K)
        return ir.function(
            "gemm", self.arguments(["w"]), [product], self.dtype, tilings
        )

    def plain(self, torch, x, weights):
        return torch.mm(x, weights[0])
