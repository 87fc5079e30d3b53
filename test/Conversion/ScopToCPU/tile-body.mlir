// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse | FileCheck %s

// Three tiles of 32 rows, the last of which has 6. What rows need is local.

// CHECK-LABEL: launch.plan @rows
// CHECK: launch.kernel "rows_kernel0" @rows_kernels [@rows_kernel0](%{{.*}}) writes [1] args {{.*}} grids {{\[\[}}3]] order
// CHECK-LABEL: func.func @rows_kernel0(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-DAG:   %[[SUM:.*]] = memref.alloca() {alignment = 64 : i64} : memref<f32>
// CHECK-DAG:   %[[ROW:.*]] = memref.alloca() {alignment = 64 : i64} : memref<20xf32>
// CHECK-DAG:   %[[TILE:.*]] = arith.index_castui %[[X]] : i32 to index
// CHECK:       %[[LAST:.*]] = arith.minsi %{{.*}}, %c69
// CHECK:       %[[BEGIN:.*]] = affine.apply #{{.*}}()[%[[TILE]]]
// CHECK:       %[[END:.*]] = affine.apply #{{.*}}()[%[[LAST]]]
// CHECK:       scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK:         memref.store %{{.*}}, %[[SUM]][]
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[ROW]]
// CHECK:         scf.for
// CHECK:           memref.load %[[ROW]]
// CHECK:       return
func.func @rows(%x: tensor<70x20xf32>) -> tensor<70x20xf32> {
  %e = tensor.empty() : tensor<70x20xf32>
  %y = scop.kernel ins(%x : tensor<70x20xf32>) outs(%e : tensor<70x20xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2],
                @S = (d0) -> (d0, 0, 0), @T = (d0, d1) -> (d0, 1, d1), @U = (d0, d1) -> (d0, 2, d1)>
      tiles [32] -> tensor<70x20xf32> {
  ^bb0(%X: memref<70x20xf32>, %Y: memref<70x20xf32>):
    %s = scop.local : memref<70xf32>
    %t = scop.local : memref<70x20xf32>
    scop.stmt @S domain [70] writes(%s[(d0) -> (d0)] : memref<70xf32>) {
      %c = arith.constant 1.0 : f32
      scop.yield %c : f32
    }
    scop.stmt @T domain [70, 20]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<70x20xf32>, %s[(d0, d1) -> (d0)] : memref<70xf32>)
        writes(%s[(d0, d1) -> (d0)] : memref<70xf32>, %t[(d0, d1) -> (d0, d1)] : memref<70x20xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scop.yield %c, %a : f32, f32
    }
    scop.stmt @U domain [70, 20]
        reads(%t[(d0, d1) -> (d0, d1)] : memref<70x20xf32>, %s[(d0, d1) -> (d0)] : memref<70xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<70x20xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.divf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %y : tensor<70x20xf32>
}

// The output is read: its part of the tile is copied first. Columns are the
// innermost loop, as only they are contiguous.

// CHECK-LABEL: func.func @columns_kernel0(
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[START:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:         memref.store %[[START]], %[[SUMS:.*]][%[[I]]]
// CHECK:       scf.for %[[ROW:.*]] = %c0 to %c70
// CHECK:         scf.for %[[COLUMN:.*]] =
// CHECK:           memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK:           memref.store %{{.*}}, %[[SUMS]][%[[COLUMN]]]
func.func @columns(%x: tensor<70x48xf32>, %s: tensor<48xf32>) -> tensor<48xf32> {
  %y = scop.kernel ins(%x : tensor<70x48xf32>) outs(%s : tensor<48xf32>)
      schedule <[linear band 0 coincident, linear band 0], @S = (d0, d1) -> (d1, d0)>
      tiles [16] -> tensor<48xf32> {
  ^bb0(%X: memref<70x48xf32>, %Y: memref<48xf32>):
    scop.stmt @S domain [70, 48]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<70x48xf32>, %Y[(d0, d1) -> (d1)] : memref<48xf32>)
        writes(%Y[(d0, d1) -> (d1)] : memref<48xf32>) reductions [0] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %y : tensor<48xf32>
}

// A scalar is a constant.

// CHECK-LABEL: func.func @scalar_kernel0(
// CHECK:       %[[TWO:.*]] = arith.constant 2.0
// CHECK:       arith.mulf %{{.*}}, %[[TWO]]
func.func @scalar(%x: tensor<64xf32>) -> tensor<64xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %y = scop.kernel ins(%x, %two : tensor<64xf32>, f32) outs(%e : tensor<64xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> tiles [64] -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %c: f32, %Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %p = arith.mulf %a, %c : f32
      scop.yield %p : f32
    }
  }
  return %y : tensor<64xf32>
}

// 4 MB of a row are too much for a stack, and become a buffer of the plan. No
// loop is split.

// CHECK-LABEL: launch.plan @large
// CHECK: %[[LOCAL:.*]] = launch.buffer "scratch" : memref<1048576xf32>
// CHECK: launch.kernel "large_kernel0" {{.*}}%[[LOCAL]]{{.*}} grids {{\[\[}}1]]
// CHECK-LABEL: func.func @large_kernel0(
// CHECK-NOT:   memref.alloca
// CHECK:       return
func.func @large(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %e = tensor.empty() : tensor<1048576xf32>
  %y = scop.kernel ins(%x : tensor<1048576xf32>) outs(%e : tensor<1048576xf32>)
      schedule <[sequence band 0, linear band 1], @S = (d0) -> (0, d0), @T = (d0) -> (1, -d0)> -> tensor<1048576xf32> {
  ^bb0(%X: memref<1048576xf32>, %Y: memref<1048576xf32>):
    %t = scop.local : memref<1048576xf32>
    scop.stmt @S domain [1048576] reads(%X[(d0) -> (d0)] : memref<1048576xf32>)
        writes(%t[(d0) -> (d0)] : memref<1048576xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @T domain [1048576] reads(%t[(d0) -> (d0)] : memref<1048576xf32>)
        writes(%Y[(d0) -> (d0)] : memref<1048576xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<1048576xf32>
}
