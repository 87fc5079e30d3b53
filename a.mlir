func.func @softmax(%x: tensor<512x1000xf16>) -> tensor<512x1000xf16> {
  %e = tensor.empty() : tensor<512x1000xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<512x1000xf16>) outs(%e : tensor<512x1000xf16>) -> tensor<512x1000xf16>
  return %r : tensor<512x1000xf16>
}
func.func @transpose(%x: tensor<512x1000xf16>) -> tensor<1000x512xf16> {
  %e = tensor.empty() : tensor<1000x512xf16>
  %r = linalg.transpose ins(%x : tensor<512x1000xf16>) outs(%e : tensor<1000x512xf16>) permutation = [1, 0]
  return %r : tensor<1000x512xf16>
}
func.func @colsum(%x: tensor<4096x768xf32>) -> tensor<768xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<768xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>) outs(%f : tensor<768xf32>) dimensions = [0]
  return %r : tensor<768xf32>
}
func.func @stats(%x: tensor<4096x768xf32>) -> (tensor<768xf32>, tensor<4096xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<768xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>) outs(%f : tensor<768xf32>) dimensions = [0]
  %e2 = tensor.empty() : tensor<4096xf32>
  %f2 = linalg.fill ins(%c : f32) outs(%e2 : tensor<4096xf32>) -> tensor<4096xf32>
  %r2 = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>) outs(%f2 : tensor<4096xf32>) dimensions = [1]
  return %r, %r2 : tensor<768xf32>, tensor<4096xf32>
}
