// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule --scop-verify-schedule | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule=solver=isl --scop-verify-schedule | FileCheck %s --check-prefix=ISL
// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule='tree=from-ir trace=true' --scop-verify-schedule | FileCheck %s --check-prefix=TREE

// B[i, k] = f(A[i, k]); C[i, j] += B[i, k] * D[k, i, j].
// Without a tree the parallel loop is outermost, and the one that only a
// reduction carries next.
// CHECK-LABEL: func.func @product
// CHECK: schedule <[linear band 0 coincident, linear band 0 reduction, sequence band 1, linear band 2 coincident],
// CHECK-SAME: @X = (d0, d1) -> (d0, d1, 0, 0), @Y = (d0, d1, d2) -> (d0, d2, 1, d1)>
// isl gives i, k, j.
// ISL-LABEL: func.func @product
// ISL: @X = (d0, d1) -> (d0, d1, 0, 0), @Y = (d0, d1, d2) -> (d0, d2, d1, 1)>

// The tree wants k as the vector first, which is impossible as the reduction
// carries it; the scheduler goes back and takes j behind a sequence.
// TREE: 0: linear {{.*}}: found
// TREE-NEXT: 1: linear {{.*}}: infeasible: dependence 'flow_X_Y'
// TREE-NEXT: 1: linear {{.*}}: found
// TREE-NEXT: 2: sequence X; Y: found
// TREE-NEXT: 3: linear {{.*}}: found, coincident
// TREE-LABEL: func.func @product
// TREE: schedule <[linear band 0 coincident map block, linear band 0 reduction, sequence band 1, linear band 2 coincident map thread_x vector 4 of [@Y]],
// TREE-SAME: @X = (d0, d1) -> (d0, d1, 0, 0), @Y = (d0, d1, d2) -> (d0, d2, 1, d1)>
func.func @product(%a: memref<16x16xf32>, %d: memref<16x16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  scop.kernel ins(%a, %d : memref<16x16xf32>, memref<16x16x16xf32>) outs(%b, %c : memref<16x16xf32>, memref<16x16xf32>) {
  ^bb0(%A: memref<16x16xf32>, %D: memref<16x16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32>):
    scop.stmt @X domain [16, 16] reads(%A[(d0, d1) -> (d0, d1)] : memref<16x16xf32>)
        writes(%B[(d0, d1) -> (d0, d1)] : memref<16x16xf32>) {
    ^bb0(%e: f32):
      %0 = math.exp %e : f32
      scop.yield %0 : f32
    }
    scop.stmt @Y domain [16, 16, 16]
        reads(%B[(d0, d1, d2) -> (d0, d2)] : memref<16x16xf32>, %D[(d0, d1, d2) -> (d2, d0, d1)] : memref<16x16x16xf32>,
              %C[(d0, d1, d2) -> (d0, d1)] : memref<16x16xf32>)
        writes(%C[(d0, d1, d2) -> (d0, d1)] : memref<16x16xf32>) reductions [2] {
    ^bb0(%be: f32, %de: f32, %acc: f32):
      %0 = arith.mulf %be, %de : f32
      %1 = arith.addf %acc, %0 : f32
      scop.yield %1 : f32
    }
    scop.tree {
      scop.linear constraints [@X[0] eq 1, @X[1] eq 0, @Y[0] eq 1, @Y[1] eq 0, @Y[2] eq 0] coincidence all map block {
        scop.linear constraints [@Y[1] eq 1, @Y[0] eq 0, @Y[2] eq 0] coincidence all {
          scop.linear constraints [@X[1] eq 1, @Y[2] eq 1] coincidence all vector 4 {
          }
        }
        scop.linear constraints [@X[1] eq 1, @X[0] eq 0, @Y[2] eq 1, @Y[0] eq 0, @Y[1] eq 0] {
          scop.sequence [[@X], [@Y]] {
            scop.linear constraints [@Y[1] eq 1, @Y[0] eq 0, @Y[2] eq 0] coincidence all new_band map thread_x vector 4 of [@Y] {
            }
          }
        }
      }
    }
  }
  return
}

// A schedule that is there is kept.
// CHECK-LABEL: func.func @kept
func.func @kept(%y: memref<4x4xf32>) {
  // CHECK: schedule <[linear band 0, linear band 1], @S = (d0, d1) -> (d1, d0)>
  scop.kernel outs(%y : memref<4x4xf32>) schedule <[linear band 0, linear band 1], @S = (d0, d1) -> (d1, d0)> {
  ^bb0(%Y: memref<4x4xf32>):
    scop.stmt @S domain [4, 4] writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// isl's schedule of one element has no dimensions.
// ISL-LABEL: func.func @element
func.func @element(%y: memref<1xf32>) {
  // ISL: schedule <[], @S = (d0) -> ()>
  scop.kernel outs(%y : memref<1xf32>) {
  ^bb0(%Y: memref<1xf32>):
    scop.stmt @S domain [1] writes(%Y[(d0) -> (d0)] : memref<1xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}
