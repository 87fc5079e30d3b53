func.func @f(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %y = tgemm.matmul %x, %x {
    tiling = #tgemm.tiling<m = 256, n = 256, k = 64, stages = 2>
  } : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %y : tensor<64x64xf16>
}
