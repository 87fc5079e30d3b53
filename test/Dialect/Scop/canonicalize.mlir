// RUN: grout-opt %s --canonicalize | FileCheck %s

// Reads of one element are merged, those that are not used dropped, and with
// them the inputs and locals that nothing uses any more.
// CHECK-LABEL: func.func @reads
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @reads(%x: tensor<4xf32>, %unused: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: scop.kernel ins(%[[X]] : tensor<4xf32>) outs
  %0 = scop.kernel ins(%unused, %x : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: ^bb0(%[[XA:.*]]: memref<4xf32>, %{{.*}}: memref<4xf32>):
  ^bb0(%U: memref<4xf32>, %X: memref<4xf32>, %Y: memref<4xf32>):
    // CHECK-NOT: scop.local
    %t = scop.local : memref<4xf32>
    // CHECK: scop.stmt @S domain [4] reads(%[[XA]][(d0) -> (d0)] : memref<4xf32>) writes
    scop.stmt @S domain [4]
        reads(%X[(d0) -> (d0)] : memref<4xf32>, %U[(d0) -> (d0)] : memref<4xf32>, %X[(d0) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    // CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
    ^bb0(%a: f32, %u: f32, %b: f32):
      // The constants that folding makes stay in the statement.
      // CHECK-NEXT: %[[C:.*]] = arith.constant 3.0
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %three = arith.addf %one, %two : f32
      // CHECK-NEXT: %[[S:.*]] = arith.mulf %[[E]], %[[E]]
      %0 = arith.mulf %a, %b : f32
      // CHECK-NEXT: arith.addf %[[S]], %[[C]]
      %1 = arith.addf %0, %three : f32
      scop.yield %1 : f32
    }
  }
  return %0 : tensor<4xf32>
}

// What a reduction combines with keeps a read of its own.
// CHECK-LABEL: func.func @reduction
func.func @reduction(%x: memref<4xf32>, %y: memref<f32>) {
  scop.kernel ins(%x : memref<4xf32>) outs(%y : memref<f32>) {
  ^bb0(%X: memref<4xf32>, %Y: memref<f32>):
    // CHECK: scop.stmt @S domain [4] reads(%{{.*}}[(d0) -> (d0)] : memref<4xf32>, %{{.*}}[(d0) -> ()] : memref<f32>) writes
    scop.stmt @S domain [4]
        reads(%X[(d0) -> (d0)] : memref<4xf32>, %Y[(d0) -> ()] : memref<f32>)
        writes(%Y[(d0) -> ()] : memref<f32>) reductions [0] {
    ^bb0(%e: f32, %acc: f32):
      %0 = arith.addf %acc, %e : f32
      scop.yield %0 : f32
    }
  }
  return
}

// A launch of one kernel is that kernel.
// CHECK-LABEL: func.func @single
// CHECK-NOT: scop.launch
// CHECK: %[[A:.*]] = scop.kernel
// CHECK: return %[[A]], %[[A]]
func.func @single(%x: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scop.launch -> tensor<8xf32>, tensor<8xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    scop.yield %a, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// A kernel whose result nobody uses goes away, and so does the launch if none
// is left.
// CHECK-LABEL: func.func @unused
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[Y:[a-z0-9]+]]: tensor<8xf32>, %[[Z:[a-z0-9]+]]: tensor<8xf32>
// CHECK: %[[R:.*]]:2 = scop.launch -> tensor<8xf32>, tensor<8xf32> {
// CHECK: scop.kernel ins(%[[X]] :
// CHECK: scop.kernel ins(%[[Z]] :
// CHECK-NOT: scop.kernel
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @unused(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:3 = scop.launch -> tensor<8xf32>, tensor<8xf32>, tensor<8xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    %b = scop.kernel ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    %c = scop.kernel ins(%z : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    scop.yield %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  %s = scop.launch -> tensor<8xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    %b = scop.kernel ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    scop.yield %a : tensor<8xf32>
  }
  return %r#0, %r#2 : tensor<8xf32>, tensor<8xf32>
}

// What folds to something else than a combination is no reduction any more: a
// sum of nothing, a product with zero, a sum of what is negated.

// CHECK-LABEL: func.func @folded_reductions
// CHECK:         scop.stmt @nothing domain [4, 8] reads(%[[A:.*]][(d0, d1) -> (d0)] : memref<4xi32>) writes(%[[A]][(d0, d1) -> (d0)] : memref<4xi32>) {
// CHECK:         scop.stmt @zero domain [4, 8] writes(%{{.*}}[(d0, d1) -> (d0)] : memref<4xi32>) {
// CHECK:         scop.stmt @negated domain [4, 8] reads({{.*}}) writes(%{{.*}}[(d0, d1) -> (d0)] : memref<4xi32>) {
// CHECK:           arith.subi
// CHECK:         scop.stmt @kept {{.*}} reductions [1] {
func.func @folded_reductions(%x: memref<4x8xi32>, %a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>, %d: memref<4xi32>) {
  scop.kernel ins(%x : memref<4x8xi32>) outs(%a, %b, %c, %d : memref<4xi32>, memref<4xi32>, memref<4xi32>, memref<4xi32>) {
  ^bb0(%X: memref<4x8xi32>, %A: memref<4xi32>, %B: memref<4xi32>, %C: memref<4xi32>, %D: memref<4xi32>):
    scop.stmt @nothing domain [4, 8]
        reads(%A[(d0, d1) -> (d0)] : memref<4xi32>, %X[(d0, d1) -> (d0, d1)] : memref<4x8xi32>)
        writes(%A[(d0, d1) -> (d0)] : memref<4xi32>) reductions [1] {
    ^bb0(%s: i32, %e: i32):
      %0 = arith.subi %e, %e : i32
      %r = arith.addi %s, %0 : i32
      scop.yield %r : i32
    }
    scop.stmt @zero domain [4, 8] reads(%B[(d0, d1) -> (d0)] : memref<4xi32>)
        writes(%B[(d0, d1) -> (d0)] : memref<4xi32>) reductions [1] {
    ^bb0(%s: i32):
      %zero = arith.constant 0 : i32
      %r = arith.muli %s, %zero : i32
      scop.yield %r : i32
    }
    scop.stmt @negated domain [4, 8]
        reads(%C[(d0, d1) -> (d0)] : memref<4xi32>, %X[(d0, d1) -> (d0, d1)] : memref<4x8xi32>)
        writes(%C[(d0, d1) -> (d0)] : memref<4xi32>) reductions [1] {
    ^bb0(%s: i32, %e: i32):
      %minus = arith.constant -1 : i32
      %0 = arith.muli %e, %minus : i32
      %r = arith.addi %s, %0 : i32
      scop.yield %r : i32
    }
    scop.stmt @kept domain [4, 8]
        reads(%D[(d0, d1) -> (d0)] : memref<4xi32>, %X[(d0, d1) -> (d0, d1)] : memref<4x8xi32>)
        writes(%D[(d0, d1) -> (d0)] : memref<4xi32>) reductions [1] {
    ^bb0(%s: i32, %e: i32):
      %r = arith.addi %s, %e : i32
      scop.yield %r : i32
    }
  }
  return
}
