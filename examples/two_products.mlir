// Two dependent matrix products whose tiles are given.

func.func @two(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>,
               %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
  return %y : tensor<128x256xf16>
}
