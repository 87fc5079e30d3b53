func.func @elementwise(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
