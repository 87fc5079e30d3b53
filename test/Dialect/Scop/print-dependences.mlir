// RUN: grout-opt %s --scop-print-dependences -o /dev/null | FileCheck %s

// Flow is by value: what Z reads, Y has written last. Y overwrites what X wrote,
// and what R has read.
// CHECK: kernel at {{.*}}print-dependences.mlir":[[# @LINE + 7]]
// CHECK-NEXT: statement { X[i0] : 0 <= i0 <= 7 }
// CHECK-NEXT: statement { R[i0] : 0 <= i0 <= 7 }
// CHECK-NEXT: statement { Y[i0] : 0 <= i0 <= 3 }
// CHECK-NEXT: statement { Z[i0] : 0 <= i0 <= 7 }
func.func @last_write(%a: memref<8xf32>, %b: memref<8xf32>) {
  // CHECK-NEXT: flow flow_X_R { X[i0] -> R[i0] : 0 <= i0 <= 7 }
  scop.kernel outs(%a, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%A: memref<8xf32>, %B: memref<8xf32>):
    scop.stmt @X domain [8] writes(%A[(d0) -> (d0)] : memref<8xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.stmt @R domain [8] reads(%A[(d0) -> (d0)] : memref<8xf32>) writes(%B[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    // CHECK-NEXT: flow flow_X_Z { X[i0] -> Z[i0] : 4 <= i0 <= 7 }
    // CHECK-NEXT: flow flow_Y_Z { Y[i0] -> Z[i0] : 0 <= i0 <= 3 }
    scop.stmt @Y domain [4] writes(%A[(d0) -> (d0)] : memref<8xf32>) {
      %0 = arith.constant 1.0 : f32
      scop.yield %0 : f32
    }
    // CHECK-NEXT: output output_X_Y { X[i0] -> Y[i0] : 0 <= i0 <= 3 }
    // CHECK-NEXT: output output_R_Z { R[i0] -> Z[i0] : 0 <= i0 <= 7 }
    // CHECK-NEXT: anti anti_R_Y { R[i0] -> Y[i0] : 0 <= i0 <= 3 }
    scop.stmt @Z domain [8] reads(%A[(d0) -> (d0)] : memref<8xf32>) writes(%B[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// All instances of a reduction may be the first or the last: they depend on what
// the reduction starts from, and its readers on all of them.
// CHECK: kernel at
func.func @reduction(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  // CHECK: flow reduction reduction_S { S[i0, i1] -> S[i0, o1] : 0 <= i0 <= 3 and i1 >= 0 and i1 < o1 <= 7 }
  // CHECK-NEXT: flow flow_F_S { F[i0] -> S[i0, o1] : 0 <= i0 <= 3 and 0 <= o1 <= 7 }
  // CHECK-NEXT: flow flow_S_U { S[i0, i1] -> U[i0] : 0 <= i0 <= 3 and 0 <= i1 <= 7 }
  // CHECK-NOT: {{flow|output|anti}}
  scop.kernel ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>):
    scop.stmt @F domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%e: f32, %acc: f32):
      %0 = arith.addf %acc, %e : f32
      scop.yield %0 : f32
    }
    scop.stmt @U domain [4] reads(%Y[(d0) -> (d0)] : memref<4xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%e: f32):
      %0 = math.exp %e : f32
      scop.yield %0 : f32
    }
  }
  return
}

// The same without the mark keeps its order.
// CHECK: kernel at
func.func @ordered(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  // CHECK: flow flow_S_S { S[i0, i1] -> S[i0, 1 + i1] : 0 <= i0 <= 3 and 0 <= i1 <= 6 }
  // CHECK-NOT: {{flow|output|anti}}
  scop.kernel ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) {
    ^bb0(%e: f32, %acc: f32):
      %0 = arith.addf %acc, %e : f32
      scop.yield %0 : f32
    }
  }
  return
}
