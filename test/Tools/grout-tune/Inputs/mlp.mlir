func.func @mlp(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<128x512xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %a = linalg.matmul ins(%x, %w1 : tensor<128x256xf16>, tensor<256x512xf16>) outs(%z1 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %eh = tensor.empty() : tensor<128x512xf16>
  %h = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<128x512xf32>) outs(%eh : tensor<128x512xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.maximumf %v, %zero : f32
    %c = arith.truncf %r : f32 to f16
    linalg.yield %c : f16
  } -> tensor<128x512xf16>
  %y = tgemm.matmul %h, %w2 : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
  return %y : tensor<128x256xf16>
}
