// RUN: grout-opt %s --grout-set-target=name=cpu --scop-schedule=tree=from-ir --scop-verify-schedule 2>&1 | FileCheck %s

// A legal schedule whose loops would run for years is given up, on a CPU, too.

// CHECK: remark: leads to a legal schedule that cpu cannot run: dimension 0 of it is a loop of more than 2^20 iterations for each point of its statements; this path is given up
// CHECK-LABEL: func.func @negate(
// CHECK: schedule <[linear band 0 coincident, linear band 0 coincident],
// CHECK-SAME: @S = (d0, d1) -> (d0, d1)>
func.func @negate(%x: memref<32x96xf32>, %y: memref<32x96xf32>) {
  scop.kernel ins(%x : memref<32x96xf32>) outs(%y : memref<32x96xf32>) {
  ^bb0(%X: memref<32x96xf32>, %Y: memref<32x96xf32>):
    scop.stmt @S domain [32, 96] reads(%X[(d0, d1) -> (d0, d1)] : memref<32x96xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<32x96xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.tree {
      scop.linear constraints [@S[0] eq 17179869184, @S[1] eq 1] coincidence all {
      }
      scop.linear constraints [@S[0] eq 1, @S[1] eq 0] coincidence all {
        scop.linear constraints [@S[0] eq 0, @S[1] eq 1] coincidence all {
        }
      }
    }
  }
  return
}
