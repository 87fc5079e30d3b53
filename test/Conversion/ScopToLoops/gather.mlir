// RUN: grout-opt %s --convert-scop-to-loops | FileCheck %s

// An index that may be outside of the array is moved to its nearest element; an
// iterator that is always inside stays.

// CHECK-LABEL: func.func @gather
// CHECK-SAME:    %[[T:.*]]: memref<100x16xf32>, %[[N:.*]]: memref<4xi64>, %[[Y:.*]]: memref<4x16xf32>
// CHECK:         scf.for %[[R:.*]] =
// CHECK:         scf.for %[[J:.*]] =
// CHECK:         %[[AT:.*]] = memref.load %[[N]][%[[R]]]
// CHECK-NEXT:    %[[I:.*]] = arith.index_cast %[[AT]] : i64 to index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[I]], %c0{{.*}} : index
// CHECK-NEXT:    %[[ROW:.*]] = arith.minsi %[[LOW]], %c99{{.*}} : index
// CHECK-NEXT:    %[[V:.*]] = memref.load %[[T]][%[[ROW]], %[[J]]]
// CHECK-NEXT:    memref.store %[[V]], %[[Y]][%[[R]], %[[J]]]
func.func @gather(%t: memref<100x16xf32>, %n: memref<4xi64>, %y: memref<4x16xf32>) {
  scop.kernel ins(%t, %n : memref<100x16xf32>, memref<4xi64>) outs(%y : memref<4x16xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> {
  ^bb0(%T: memref<100x16xf32>, %N: memref<4xi64>, %Y: memref<4x16xf32>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x16xf32>) {
    ^bb0(%at: i64):
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      %v = scop.gather %T[%i, %j] : memref<100x16xf32>
      scop.yield %v : f32
    }
  }
  return
}
