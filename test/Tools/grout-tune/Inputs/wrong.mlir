func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = tgemm.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
