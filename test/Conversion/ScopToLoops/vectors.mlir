// RUN: grout-opt %s --convert-scop-to-loops --canonicalize --cse -verify-diagnostics | FileCheck %s
// RUN: grout-opt %s --convert-scop-to-loops=base-alignment=8 --canonicalize --cse 2>/dev/null | FileCheck %s --check-prefix=WEAK
// RUN: not grout-opt %s --convert-scop-to-loops=base-alignment=48 2>&1 | FileCheck %s --check-prefix=BASE
// BASE: base-alignment must be a power of two, got 48

// Rows of 12: aligned, contiguous; a column is one element for all lanes, and
// what is transposed is read lane by lane.
// CHECK-LABEL: func.func @accesses
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x12xf32>, %[[B:[a-z0-9]+]]: memref<8xf32>, %[[T:[a-z0-9]+]]: memref<12x8xf32>, %[[ALPHA:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: memref<8x12xf32>
// WEAK-LABEL: func.func @accesses
// WEAK-NOT: vector.load
// WEAK-NOT: vector.store
// WEAK: return
func.func @accesses(%x: memref<8x12xf32>, %b: memref<8xf32>, %t: memref<12x8xf32>, %alpha: f32, %y: memref<8x12xf32>) {
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
  // CHECK-DAG: %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<4xf32>
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[C12]] step %[[C4]]
  // CHECK: %[[XV:.*]] = vector.load %[[X]][%[[I]], %[[J]]] {alignment = 16 : i64} : memref<8x12xf32>, vector<4xf32>
  // CHECK: %[[BE:.*]] = memref.load %[[B]][%[[I]]]
  // CHECK-COUNT-4: memref.load %[[T]]
  // CHECK: %[[TV:.*]] = vector.from_elements
  // CHECK: %[[BV:.*]] = vector.broadcast %[[BE]] : f32 to vector<4xf32>
  // CHECK: arith.addf %[[XV]], %[[BV]] : vector<4xf32>
  // CHECK: vector.broadcast %[[ALPHA]]
  // CHECK: arith.mulf %{{.*}}, %[[HALF]]
  // CHECK: vector.store %{{.*}}, %[[Y]][%[[I]], %[[J]]] {alignment = 16 : i64}
  // CHECK-NOT: scf.for
  // CHECK: return
  scop.kernel ins(%x, %b, %t, %alpha : memref<8x12xf32>, memref<8xf32>, memref<12x8xf32>, f32) outs(%y : memref<8x12xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident vector 4], @S = (d0, d1) -> (d0, d1)> {
  ^bb0(%X: memref<8x12xf32>, %B: memref<8xf32>, %T: memref<12x8xf32>, %a: f32, %Y: memref<8x12xf32>):
    scop.stmt @S domain [8, 12]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<8x12xf32>, %B[(d0, d1) -> (d0)] : memref<8xf32>, %T[(d0, d1) -> (d1, d0)] : memref<12x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x12xf32>) {
    ^bb0(%xe: f32, %be: f32, %te: f32):
      %half = arith.constant 0.5 : f32
      %0 = arith.addf %xe, %be : f32
      %1 = arith.mulf %0, %a : f32
      %2 = arith.addf %1, %te : f32
      %3 = arith.mulf %2, %half : f32
      scop.yield %3 : f32
    }
  }
  return
}

// Rows of 10: of every other row the first element is not aligned to four, but to
// two. What is left over of 11 columns is a loop of its own.
// CHECK-LABEL: func.func @ragged
func.func @ragged(%x: memref<8x10xf32>, %y: memref<8x10xf32>, %z: memref<8x11xf32>) {
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C10:.*]] = arith.constant 10 : index
  // CHECK-NOT: vector.load
  // CHECK-COUNT-4: memref.store
  // CHECK: vector.load %{{.*}} {alignment = 8 : i64} : memref<8x10xf32>, vector<2xf32>
  // CHECK-NEXT: vector.store %{{.*}} {alignment = 8 : i64} : memref<8x10xf32>, vector<2xf32>
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[C10]] step %[[C2]] {
  // CHECK-NOT: vector
  // CHECK-COUNT-2: memref.store
  // CHECK-NEXT: }
  // CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %[[C10]]]
  scop.kernel ins(%x : memref<8x10xf32>) outs(%y, %z : memref<8x10xf32>, memref<8x11xf32>)
      schedule <[sequence band 0, linear band 1 coincident, sequence band 2, linear band 3 coincident vector 4 of [@S], sequence band 4, linear band 5 coincident vector 2 of [@P, @Q]],
                @S = (d0, d1) -> (0, d0, 0, d1, 0, 0), @P = (d0, d1) -> (1, d0, 0, 0, 0, d1), @Q = (d0, d1) -> (2, d0, 0, 0, 0, d1)> {
  ^bb0(%X: memref<8x10xf32>, %Y: memref<8x10xf32>, %Z: memref<8x11xf32>):
    %t = scop.local : memref<8x10xf32>
    scop.stmt @S domain [8, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x10xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<8x10xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @P domain [8, 8] reads(%t[(d0, d1) -> (d0, d1)] : memref<8x10xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x10xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @Q domain [8, 11] reads(%X[(d0, d1) -> (d0, 0)] : memref<8x10xf32>) writes(%Z[(d0, d1) -> (d0, d1)] : memref<8x11xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// Bits have no vectors in memory; iterators have.
// CHECK-LABEL: func.func @bits
func.func @bits(%m: memref<8xi1>, %y: memref<8xi32>) {
  // CHECK-NOT: vector.load
  // CHECK: vector.from_elements {{.*}} : vector<4xi1>
  // CHECK: vector.from_elements {{.*}} : vector<4xindex>
  // CHECK: arith.index_cast {{.*}} : vector<4xindex> to vector<4xi32>
  // CHECK: vector.store {{.*}} {alignment = 16 : i64}
  scop.kernel ins(%m : memref<8xi1>) outs(%y : memref<8xi32>)
      schedule <[linear band 0 coincident vector 4], @S = (d0) -> (d0)> {
  ^bb0(%M: memref<8xi1>, %Y: memref<8xi32>):
    scop.stmt @S domain [8] reads(%M[(d0) -> (d0)] : memref<8xi1>) writes(%Y[(d0) -> (d0)] : memref<8xi32>) {
    ^bb0(%e: i1):
      %zero = arith.constant 0 : i32
      %i = scop.index 0 : index
      %w = arith.index_cast %i : index to i32
      %0 = arith.select %e, %w, %zero : i32
      scop.yield %0 : i32
    }
  }
  return
}

// What is refused is done without vectors, and named.
// CHECK-LABEL: func.func @refused
func.func @refused(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  // CHECK-NOT: vector.
  // CHECK: return
  // expected-remark @+1 {{dimension 0 of the schedule is not vectorised: there is a loop in it}}
  scop.kernel ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
      schedule <[linear band 0 coincident vector 4, linear band 0 coincident vector 4 of [@T], sequence band 1], @S = (d0, d1) -> (d0, d1, 0), @T = (d0, d1) -> (d0, d1, 1)> {
  ^bb0(%X: memref<8x8xf32>, %Y: memref<8x8xf32>):
    %t = scop.local : memref<8x8xf32>
    // expected-remark @+1 {{not vectorised: the schedule does not ask for it}}
    scop.stmt @S domain [8, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) writes(%t[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    // expected-remark @+1 {{not vectorised: 'scf.execute_region' has no form on vectors}}
    scop.stmt @T domain [8, 8] reads(%t[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) {
    ^bb0(%e: f32):
      %0 = scf.execute_region -> f32 {
        scf.yield %e : f32
      }
      scop.yield %0 : f32
    }
  }
  return
}

// CHECK-LABEL: func.func @masked
func.func @masked(%x: memref<7xf32>, %y: memref<7xf32>) {
  // CHECK-NOT: vector.
  // CHECK: scf.for
  // CHECK-NOT: vector.
  // CHECK: return
  // expected-remark @+1 {{dimension 0 of the schedule is not vectorised: masked vectors are for GPUs}}
  scop.kernel ins(%x : memref<7xf32>) outs(%y : memref<7xf32>)
      schedule <[linear band 0 coincident vector 4 masked], @S = (d0) -> (d0)> {
  ^bb0(%X: memref<7xf32>, %Y: memref<7xf32>):
    scop.stmt @S domain [7] reads(%X[(d0) -> (d0)] : memref<7xf32>) writes(%Y[(d0) -> (d0)] : memref<7xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// Lanes that combine into one element go one after another; those that combine
// into neighbouring ones do not.

// CHECK-LABEL: func.func @sums(
// CHECK: memref.load %{{.*}} : memref<3xf32>
// CHECK: arith.addf %{{.*}} : f32
// CHECK: memref.store %{{.*}} : memref<3xf32>
// CHECK: memref.load %{{.*}} : memref<3xf32>
// CHECK: arith.addf %{{.*}} : f32
// CHECK: memref.store %{{.*}} : memref<3xf32>
// CHECK: arith.addf %{{.*}} : vector<2xf32>
func.func @sums(%x: memref<3x8xf32>, %rows: memref<3xf32>, %columns: memref<8xf32>) {
  scop.kernel ins(%x : memref<3x8xf32>) outs(%rows, %columns : memref<3xf32>, memref<8xf32>)
      schedule <[sequence band 0, linear band 1 reduction, linear band 1 reduction vector 2],
                @rows = (d0, d1) -> (0, d0, d1), @columns = (d0, d1) -> (1, d0, d1)> {
  ^bb0(%X: memref<3x8xf32>, %R: memref<3xf32>, %C: memref<8xf32>):
    // expected-remark @+1 {{not vectorised: lanes may combine into one element}}
    scop.stmt @rows domain [3, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<3x8xf32>, %R[(d0, d1) -> (d0)] : memref<3xf32>)
        writes(%R[(d0, d1) -> (d0)] : memref<3xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
    scop.stmt @columns domain [3, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<3x8xf32>, %C[(d0, d1) -> (d1)] : memref<8xf32>)
        writes(%C[(d0, d1) -> (d1)] : memref<8xf32>) reductions [0] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
  }
  return
}
