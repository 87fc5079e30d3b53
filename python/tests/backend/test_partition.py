"""Partitions give results the strides that a graph says."""

import pytest
import torch

import grout
from grout.torch.runtime.partition import Output, Partition

DOUBLE = """
func.func @double(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.add ins(%x, %x : tensor<4x6xf32>, tensor<4x6xf32>)
                  outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
"""


@pytest.mark.parametrize(
    "stride", [(6, 1), (8, 1), (0, 1)], ids=["dense", "apart", "repeated"]
)
def test_strides(stride):
    module = grout.compile(DOUBLE, target="cpu")
    x = torch.randn(6).expand(4, 6) if 0 in stride else torch.randn(4, 6)
    partition = Partition(
        module,
        [None],
        [Output((4, 6), stride, torch.float32)],
        torch.device("cpu"),
    )
    (result,) = partition(x)
    assert result.stride() == stride
    assert torch.equal(result, x + x)
