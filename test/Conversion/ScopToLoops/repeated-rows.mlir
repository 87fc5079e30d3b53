// RUN: grout-opt %s --convert-scop-to-loops | FileCheck %s

// A row that a schedule has twice: lanes of the first one's vectors are rows of
// the array, not one element.

// CHECK-LABEL: func.func @add
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-3: memref.load
// CHECK: arith.addi {{.*}} : vector<3xi32>
// CHECK-COUNT-3: memref.store
func.func @add(%y: memref<6x8xi32>) {
  scop.kernel outs(%y : memref<6x8xi32>)
      schedule <[linear band 0 coincident, linear band 1 coincident vector 3, linear band 1 coincident],
                @S = (d0, d1) -> (d1, d0, d0)> {
  ^bb0(%Y: memref<6x8xi32>):
    scop.stmt @S domain [6, 8] reads(%Y[(d0, d1) -> (d0, d1)] : memref<6x8xi32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<6x8xi32>) {
    ^bb0(%a: i32):
      %c = arith.constant 1 : i32
      %s = arith.addi %a, %c : i32
      scop.yield %s : i32
    }
  }
  return
}
