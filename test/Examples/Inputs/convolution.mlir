func.func @convolution(%x: tensor<1x8x8x8x4xf16>, %w: tensor<3x3x3x4x4xf16>) -> tensor<1x6x6x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x6x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  %y = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x8x8x8x4xf16>, tensor<3x3x3x4x4xf16>) outs(%z : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %y : tensor<1x6x6x6x4xf32>
}
