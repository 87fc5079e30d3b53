// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-select-edge-modes=modes=pdl,overlap -verify-diagnostics

// More modes than edges.

func.func @one_edge(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-warning @+1 {{has 2 launches, so only the first 1 of 2 modes for edges count}}
  %0 = tsync.chain mode(overlap) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.dependence %a -> %b operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %b : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
