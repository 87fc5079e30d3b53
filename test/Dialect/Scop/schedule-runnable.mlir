// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule=tree=from-ir --scop-verify-schedule 2>&1 | FileCheck %s
// RUN: grout-compile %s --target=h200 --emit=ptx -o - --scop-tree=from-ir | FileCheck %s --check-prefix=COMPILED

// A legal schedule that a GPU cannot run is given up, as one that is not legal,
// and this path is given up.

// COMPILED: .entry negate_kernel0

// CHECK: remark: leads to a legal schedule that h200 cannot run: dimension 0 of its schedule is neither an iterator nor 0; this path is given up
// CHECK: remark: leads to a legal schedule that h200 cannot run: dimension 1 of its schedule has vectors of 3 iterations, not of 2, 4, 8 or 16; this path is given up
// CHECK: remark: leads to a legal schedule that h200 cannot run: dimension 0 of its schedule is mapped to thread_x, but is not the last outer loop; this path is given up
// CHECK-LABEL: func.func @negate(
// CHECK: schedule <[linear band 0 coincident map block, linear band 0 coincident map thread_x vector 4],
// CHECK-SAME: @S = (d0, d1) -> (d0, d1)>
func.func @negate(%x: tensor<32x96xf32>) -> tensor<32x96xf32> {
  %e = tensor.empty() : tensor<32x96xf32>
  %r = scop.kernel ins(%x : tensor<32x96xf32>) outs(%e : tensor<32x96xf32>) -> tensor<32x96xf32> {
  ^bb0(%X: memref<32x96xf32>, %Y: memref<32x96xf32>):
    scop.stmt @S domain [32, 96] reads(%X[(d0, d1) -> (d0, d1)] : memref<32x96xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<32x96xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.tree {
      scop.linear constraints [@S[0] eq 1, @S[1] eq 1] coincidence all {
      }
      scop.linear constraints [@S[0] eq 1, @S[1] eq 0] coincidence all map block {
        scop.linear constraints [@S[0] eq 0, @S[1] eq 1] coincidence all map thread_x vector 3 {
        }
      }
      scop.linear constraints [@S[0] eq 1, @S[1] eq 0] coincidence all map thread_x {
        scop.linear constraints [@S[0] eq 0, @S[1] eq 1] coincidence all map thread_x {
        }
      }
      scop.linear constraints [@S[0] eq 1, @S[1] eq 0] coincidence all map block {
        scop.linear constraints [@S[0] eq 0, @S[1] eq 1] coincidence all map thread_x vector 4 {
        }
      }
    }
  }
  return %r : tensor<32x96xf32>
}
