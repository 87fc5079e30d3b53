func.func @normalisation(%x: tensor<4x4096xf32>) -> tensor<4x4096xf32> {
  %e = tensor.empty() : tensor<4x4096xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x4096xf32>) outs(%e : tensor<4x4096xf32>) -> tensor<4x4096xf32>
  return %s : tensor<4x4096xf32>
}
