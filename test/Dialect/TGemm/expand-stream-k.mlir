// RUN: grout-opt %s --tgemm-expand-stream-k | FileCheck %s
// RUN: grout-opt %s --tgemm-expand-stream-k --tgemm-expand-stream-k | FileCheck %s
// RUN: grout-opt %s --tgemm-expand-stream-k | grout-opt | FileCheck %s

// Three columns of tiles, of which the last two are in four parts: partial sums
// of the first three. Two rows, 64 * 64 elements for each of two products.

// CHECK-LABEL: @gated
// CHECK:         %[[SUMS:.*]] = tgemm.partial_sums %arg0, %arg1, %arg2 {tiling = [[TILING:.*]], transpose_rhs}
// CHECK-SAME:      -> tensor<2x2x3x8192xf32>
// CHECK-NEXT:    tgemm.matmul %arg0, %arg1, %arg2 epilogue(%arg3 : tensor<192xf16>) partial_sums(%[[SUMS]] : tensor<2x2x3x8192xf32>)
// CHECK-SAME:      tiling = [[TILING]]
// CHECK-NOT:     tgemm.partial_sums
func.func @gated(%a: tensor<128x256xf16>, %b: tensor<192x256xf16>, %c: tensor<192x256xf16>, %d: tensor<192xf16>)
    -> tensor<128x192xf16> {
  %0 = tgemm.matmul %a, %b, %c epilogue(%d : tensor<192xf16>) {
    epilogue_maps = [affine_map<(m, n) -> (n)>], transpose_rhs,
    tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>
  } : tensor<128x256xf16>, tensor<192x256xf16>, tensor<192x256xf16> -> tensor<128x192xf16> {
  ^bb0(%x: f32, %y: f32, %z: f16):
    %wide = arith.extf %z : f16 to f32
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %p, %wide : f32
    %r = arith.truncf %q : f32 to f16
    tgemm.yield %r : f16
  }
  return %0 : tensor<128x192xf16>
}

// CHECK-LABEL: @whole
// CHECK-NOT:     tgemm.partial_sums
// CHECK:         return
func.func @whole(%a: tensor<128x256xf16>, %b: tensor<256x192xf16>) -> tensor<128x192xf16> {
  %0 = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<128x256xf16>, tensor<256x192xf16> -> tensor<128x192xf16>
  return %0 : tensor<128x192xf16>
}
