// RUN: grout-opt %s --convert-scop-to-loops | FileCheck %s

// CHECK-DAG: #[[BY2:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-DAG: #[[DIFF:.*]] = affine_map<(d0, d1) -> (d0 - d1)>

// Interchanged; the region is in the innermost loop.
// CHECK-LABEL: func.func @interchange
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[ALPHA:.*]]: f32, %[[Y:.*]]: memref<8x4xf32>
func.func @interchange(%x: memref<4x8xf32>, %alpha: f32, %y: memref<8x4xf32>) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK: scf.for %[[J:.*]] = %[[C0]] to %[[C8]]
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[E:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
  // CHECK: %[[P:.*]] = arith.mulf %[[E]], %[[ALPHA]]
  // CHECK: memref.store %[[P]], %[[Y]][%[[J]], %[[I]]]
  // CHECK-NOT: scop.
  scop.kernel ins(%x, %alpha : memref<4x8xf32>, f32) outs(%y : memref<8x4xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d1, d0)> {
  ^bb0(%X: memref<4x8xf32>, %a: f32, %Y: memref<8x4xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d1, d0)] : memref<8x4xf32>) {
    ^bb0(%e: f32):
      %0 = arith.mulf %e, %a : f32
      scop.yield %0 : f32
    }
  }
  return
}

// A recurrence in both directions, by diagonals: their ends are the larger and
// the smaller of two bounds.
// CHECK-LABEL: func.func @skewed
func.func @skewed(%y: memref<9x9xi32>) {
  // CHECK: scf.for %[[T:.*]] = %{{.*}} to
  // CHECK-DAG: arith.maxsi
  // CHECK-DAG: arith.minsi
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to
  // CHECK: affine.apply #[[DIFF]](%[[T]], %[[J]])
  scop.kernel outs(%y : memref<9x9xi32>)
      schedule <[linear band 0, linear band 1 coincident], @S = (d0, d1) -> (d0 + d1, d1)> {
  ^bb0(%Y: memref<9x9xi32>):
    scop.stmt @S domain [8, 8]
        reads(%Y[(d0, d1) -> (d0, d1 + 1)] : memref<9x9xi32>, %Y[(d0, d1) -> (d0 + 1, d1)] : memref<9x9xi32>)
        writes(%Y[(d0, d1) -> (d0 + 1, d1 + 1)] : memref<9x9xi32>) {
    ^bb0(%a: i32, %b: i32):
      %0 = arith.addi %a, %b : i32
      scop.yield %0 : i32
    }
  }
  return
}

// Two statements of different extents in one loop, one late, and a local.
// CHECK-LABEL: func.func @guarded
func.func @guarded(%y: memref<4xf32>) {
  // CHECK: %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to
  // CHECK: %[[HALF:.*]] = affine.apply #[[BY2]](%[[I]])
  // CHECK: memref.store %{{.*}}, %[[T]][%{{.*}}]
  // CHECK: %[[IN:.*]] = arith.andi
  // CHECK: scf.if %[[IN]]
  // CHECK: memref.load %[[T]]
  scop.kernel outs(%y : memref<4xf32>)
      schedule <[linear band 0], @W = (d0) -> (2 * d0), @R = (d0) -> (2 * d0 + 7)> {
  ^bb0(%Y: memref<4xf32>):
    %t = scop.local : memref<8xf32>
    scop.stmt @W domain [8] writes(%t[(d0) -> (d0)] : memref<8xf32>) {
      %i = scop.index 0 : index
      %w = arith.index_cast %i : index to i32
      %f = arith.sitofp %w : i32 to f32
      scop.yield %f : f32
    }
    scop.stmt @R domain [4] reads(%t[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// Instances of one time need a loop that the schedule has not.
// CHECK-LABEL: func.func @simultaneous
func.func @simultaneous(%y: memref<4xf32>) {
  // CHECK: scf.for %[[T:.*]] =
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]]
  scop.kernel outs(%y : memref<4xf32>) schedule <[linear band 0], @W = (d0) -> (2 * d0), @R = (d0) -> (7)> {
  ^bb0(%Y: memref<4xf32>):
    %t = scop.local : memref<8xf32>
    scop.stmt @W domain [8] writes(%t[(d0) -> (d0)] : memref<8xf32>) {
      %i = scop.index 0 : index
      %w = arith.index_cast %i : index to i32
      %f = arith.sitofp %w : i32 to f32
      scop.yield %f : f32
    }
    scop.stmt @R domain [4] reads(%t[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// Nothing to loop over.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME: %[[Y:.*]]: memref<f32>
func.func @scalar(%y: memref<f32>) {
  // CHECK-NOT: scf.for
  // CHECK: %[[E:.*]] = memref.load %[[Y]][]
  // CHECK: memref.store %{{.*}}, %[[Y]][]
  scop.kernel outs(%y : memref<f32>) schedule <[sequence band 0], @S = () -> (0)> {
  ^bb0(%Y: memref<f32>):
    scop.stmt @S domain [] reads(%Y[() -> ()] : memref<f32>) writes(%Y[() -> ()] : memref<f32>) {
    ^bb0(%e: f32):
      %0 = arith.negf %e : f32
      scop.yield %0 : f32
    }
  }
  return
}
