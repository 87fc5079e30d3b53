// RUN: grout-opt %s --convert-scop-to-loops --canonicalize --cse | FileCheck %s

// Written and read in the same iteration of both loops: one element.
// CHECK-LABEL: func.func @element
func.func @element(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<f32>
  // CHECK: memref.store %{{.*}}, %[[T]][]
  // CHECK: memref.load %[[T]][]
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident, sequence band 1], @W = (d0, d1) -> (d0, d1, 0), @R = (d0, d1) -> (d0, d1, 1)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<16x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// One loop is shared: one row.
// CHECK-LABEL: func.func @row
func.func @row(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
  // CHECK: scf.for
  // CHECK: scf.for %[[J:.*]] =
  // CHECK: memref.store %{{.*}}, %[[T]][%[[J]]]
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: memref.load %[[T]][%[[K]]]
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 coincident], @W = (d0, d1) -> (d0, 0, d1), @R = (d0, d1) -> (d0, 1, d1)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<16x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// The other loop: one column.
// CHECK-LABEL: func.func @column
func.func @column(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 coincident], @W = (d0, d1) -> (d1, 0, d0), @R = (d0, d1) -> (d1, 1, d0)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<16x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// None is shared: all of it, on the heap.
// CHECK-LABEL: func.func @whole
func.func @whole(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<16x32xf32>
  // CHECK: memref.dealloc %[[T]]
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[sequence band 0, linear band 1 coincident, linear band 1 coincident], @W = (d0, d1) -> (0, d0, d1), @R = (d0, d1) -> (1, d0, d1)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<16x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// The lanes of a vector need an element each.
// CHECK-LABEL: func.func @lanes
func.func @lanes(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
  // CHECK: vector.store %{{.*}}, %[[T]][%[[J:.*]]] {alignment = 16 : i64}
  // CHECK: vector.load %[[T]][%[[J]]] {alignment = 16 : i64}
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident vector 4, sequence band 1], @W = (d0, d1) -> (d0, d1, 0), @R = (d0, d1) -> (d0, d1, 1)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<16x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// A column at an offset keeps its extent.
// CHECK-LABEL: func.func @neighbour
func.func @neighbour(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: memref.alloca() {alignment = 64 : i64} : memref<17xf32>
  // CHECK: scf.for
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[linear band 0, sequence band 1, linear band 2], @W = (d0, d1) -> (d1, 0, d0), @R = (d0, d1) -> (d1, 1, d0)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<17x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0 + 1, d1)] : memref<17x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0 + 1, d1)] : memref<17x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// Read one iteration later: nothing goes.
// CHECK-LABEL: func.func @later
func.func @later(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  // CHECK: memref.alloc() {alignment = 64 : i64} : memref<16x32xf32>
  scop.kernel ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>)
      schedule <[linear band 0, linear band 0, sequence band 1], @W = (d0, d1) -> (d0, d1, 0), @R = (d0, d1) -> (d0 + 1, d1, 1)> {
  ^bb0(%X: memref<16x32xf32>, %Y: memref<16x32xf32>):
    %t = scop.local : memref<16x32xf32>
    scop.stmt @W domain [16, 32] reads(%X[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @R domain [16, 32] reads(%t[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x32xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}
