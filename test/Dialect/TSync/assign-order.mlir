// RUN: grout-opt %s -tsync-assign-order='group-rows=4' | FileCheck %s
// RUN: not grout-opt %s -tsync-assign-order='group-rows=-1' 2>&1 | FileCheck %s --check-prefix=GROUP

// GROUP: error: group-rows must not be negative, got -1

// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (0, d0 floordiv 4, d1, d0, 0)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1, d2) -> (1, d0, d1 floordiv 4, d2, d1)>

// CHECK-LABEL: func.func @order
// CHECK: tsync.chain mode(persistent) order [#[[FIRST]], #[[SECOND]]]
func.func @order(%x: tensor<64x64xf16>, %b: tensor<2x64x64xf16>) -> tensor<2x64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<2x64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 16, n = 16, k = 16>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %b, %h {tiling = #tgemm.tiling<m = 16, n = 16, k = 16>} : tensor<2x64x64xf16>, tensor<64x64xf16> -> tensor<2x64x64xf16>
    tsync.yield %o : tensor<2x64x64xf16>
  }
  return %0 : tensor<2x64x64xf16>
}

// The user's order stays.
// CHECK-LABEL: func.func @kept
// CHECK: order [#{{.*}}]
func.func @kept(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) order [affine_map<(i, j) -> (j, i)>] : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 16, n = 16, k = 16>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
