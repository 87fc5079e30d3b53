func.func @product(%a: tensor<16x24xf16>, %b: tensor<24x32xf16>)
    -> tensor<16x32xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x32xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<16x32xf16>)
    -> tensor<16x32xf16>
  %y = linalg.matmul ins(%a, %b : tensor<16x24xf16>, tensor<24x32xf16>)
    outs(%z : tensor<16x32xf16>) -> tensor<16x32xf16>
  return %y : tensor<16x32xf16>
}
