// RUN: grout-opt %s -tsync-form-chains="mode=persistent" -tsync-derive-dependences -tsync-select-policy=granularity=tile -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,TILE
// RUN: grout-opt %s -tsync-form-chains="mode=persistent" -tsync-derive-dependences -tsync-select-policy=granularity=row -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,ROW
// RUN: grout-opt %s -tsync-form-chains="mode=persistent" -tsync-derive-dependences -tsync-select-policy=granularity=kernel -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,KERNEL

// Derived policies are right where blocks split the steps of a tile: no step
// counts on what another one has waited for.

// CHECK-LABEL: @residual
// CHECK:         tsync.chain mode(persistent)
// CHECK-SAME:      residents(1)
// CHECK:         tsync.dependence %{{.*}} -> %{{.*}} operand 0
// TILE-SAME:       shape = [2, 8], counts = [1]
// ROW-SAME:        shape = [2], counts = [8]
// KERNEL-SAME:     shape = [], counts = [16]
// CHECK:         tsync.dependence %{{.*}} -> %{{.*}} operand 2
func.func @residual(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x512xf16>) -> tensor<128x512xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 4>}
    : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
  %o = tgemm.matmul %h, %w2 epilogue(%h : tensor<128x512xf16>) {
    epilogue_maps = [affine_map<(m, n) -> (m, n)>],
    tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 4>
  } : tensor<128x512xf16>, tensor<512x512xf16> -> tensor<128x512xf16> {
  ^bb0(%acc: f32, %in: f16):
    %out = arith.truncf %acc : f32 to f16
    %sum = arith.addf %out, %in : f16
    tgemm.yield %sum : f16
  }
  return %o : tensor<128x512xf16>
}
