// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32=products=bf16x3 --verify-diagnostics

func.func @chain(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %0 = tsync.chain mode(serial) : tensor<128x32xf32> {
    // expected-error @+1 {{is a tile kernel already, too late for its operands to be split}}
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 32, k = 64>}
      : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
    tsync.yield %y : tensor<128x32xf32>
  }
  return %0 : tensor<128x32xf32>
}
