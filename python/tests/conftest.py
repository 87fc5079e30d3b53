"""What the tests share."""

import pytest


@pytest.fixture
def mlp():
    """Two products, f16 with sums in f32, and a truncation between."""
    return """func.func @mlp(%x: tensor<48x32xf16>, %w1: tensor<32x64xf16>,
    %w2: tensor<64x16xf16>) -> tensor<48x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<48x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<48x64xf32>) -> tensor<48x64xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<48x32xf16>, tensor<32x64xf16>)
      outs(%z1 : tensor<48x64xf32>) -> tensor<48x64xf32>
  %e2 = tensor.empty() : tensor<48x64xf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<48x64xf32>) outs(%e2 : tensor<48x64xf16>) {
  ^bb0(%a: f32, %b: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<48x64xf16>
  %e3 = tensor.empty() : tensor<48x16xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<48x16xf32>) -> tensor<48x16xf32>
  %y = linalg.matmul ins(%t, %w2 : tensor<48x64xf16>, tensor<64x16xf16>)
      outs(%z3 : tensor<48x16xf32>) -> tensor<48x16xf32>
  return %y : tensor<48x16xf32>
}"""
