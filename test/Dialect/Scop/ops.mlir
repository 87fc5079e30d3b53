// RUN: grout-opt %s | grout-opt | FileCheck %s
// RUN: grout-opt %s --mlir-print-op-generic | grout-opt | FileCheck %s

// CHECK-LABEL: func.func @bias
func.func @bias(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: scop.kernel ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
  // CHECK-SAME: schedule <[linear band 0 coincident, linear band 0 coincident], @S0 = (d0, d1) -> (d0, d1)> -> tensor<4x8xf32> {
  %r = scop.kernel ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>)
      outs(%init : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident],
                @S0 = (d0, d1) -> (d0, d1)> -> tensor<4x8xf32> {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<8xf32>, %[[Y:.*]]: memref<4x8xf32>):
  ^bb0(%X: memref<4x8xf32>, %B: memref<8xf32>, %Y: memref<4x8xf32>):
    // CHECK-NEXT: scop.stmt @S0 domain [4, 8] reads(%[[X]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %[[B]][(d0, d1) -> (d1)] : memref<8xf32>) writes(%[[Y]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    scop.stmt @S0 domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>,
              %B[(d0, d1) -> (d1)] : memref<8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    // CHECK-NEXT: ^bb0(%[[XE:.*]]: f32, %[[BE:.*]]: f32):
    ^bb0(%xe: f32, %be: f32):
      %sum = arith.addf %xe, %be : f32
      // CHECK: scop.yield %{{.*}} : f32
      scop.yield %sum : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// Tiles, one size for each outer loop.
// CHECK-LABEL: func.func @tiles
func.func @tiles(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: schedule <[linear band 0 coincident, linear band 0 coincident], @S0 = (d0, d1) -> (d0, d1)> tiles [2, 8] -> tensor<4x8xf32> {
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident],
                @S0 = (d0, d1) -> (d0, d1)>
      tiles [2, 8] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S0 domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// A row of a table for each number.
// CHECK-LABEL: func.func @gather
func.func @gather(%t: tensor<100x16xf32>, %n: tensor<4xi64>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = scop.kernel ins(%t, %n : tensor<100x16xf32>, tensor<4xi64>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: ^bb0(%[[T:.*]]: memref<100x16xf32>,
  ^bb0(%T: memref<100x16xf32>, %N: memref<4xi64>, %Y: memref<4x16xf32>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x16xf32>) {
    ^bb0(%at: i64):
      // CHECK: %[[I:.*]] = arith.index_cast
      // CHECK: %[[J:.*]] = scop.index 1
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      // CHECK: scop.gather %[[T]][%[[I]], %[[J]]] : memref<100x16xf32>
      %v = scop.gather %T[%i, %j] : memref<100x16xf32>
      scop.yield %v : f32
    }
  }
  return %r : tensor<4x16xf32>
}

// A row of a table for each number, which is written: the statement has no other
// writes.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<4x16xf32>, %n: tensor<4xi64>, %t: tensor<100x16xf32>) -> tensor<100x16xf32> {
  %r = scop.kernel ins(%x, %n : tensor<4x16xf32>, tensor<4xi64>) outs(%t : tensor<100x16xf32>) -> tensor<100x16xf32> {
  // CHECK: ^bb0({{.*}}, %[[T:.*]]: memref<100x16xf32>):
  ^bb0(%X: memref<4x16xf32>, %N: memref<4xi64>, %T: memref<100x16xf32>):
    // CHECK: scop.stmt @S domain [4, 16] reads({{.*}}) {
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>,
              %X[(d0, d1) -> (d0, d1)] : memref<4x16xf32>) {
    ^bb0(%at: i64, %v: f32):
      // CHECK: %[[I:.*]] = arith.index_cast
      // CHECK: %[[J:.*]] = scop.index 1
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      // CHECK: scop.scatter %{{.*}} into %[[T]][%[[I]], %[[J]]] message "no such row" : memref<100x16xf32>
      scop.scatter %v into %T[%i, %j] message "no such row" : memref<100x16xf32>
      // CHECK-NEXT: scop.yield
      scop.yield
    }
  }
  return %r : tensor<100x16xf32>
}

// A local, a scalar operand, an iterator's value, and a reduction, on memrefs.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: memref<4x8xf32>, %scale: f32, %s: memref<4xf32>) {
  // CHECK: scop.kernel ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, f32) outs(%{{.*}} : memref<4xf32>) {
  scop.kernel ins(%x, %scale : memref<4x8xf32>, f32) outs(%s : memref<4xf32>) {
  ^bb0(%X: memref<4x8xf32>, %alpha: f32, %S: memref<4xf32>):
    // CHECK: %[[T:.*]] = scop.local : memref<4x8xf32>
    %t = scop.local : memref<4x8xf32>
    // CHECK: scop.stmt @zero domain [4] writes(%{{.*}}[(d0) -> (d0)] : memref<4xf32>) {
    scop.stmt @zero domain [4] writes(%S[(d0) -> (d0)] : memref<4xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    // CHECK: scop.stmt @scale domain [4, 8]
    scop.stmt @scale domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%x0: f32):
      // CHECK: scop.index 1 : index
      %j = scop.index 1 : index
      %i32 = arith.index_cast %j : index to i32
      %f = arith.sitofp %i32 : i32 to f32
      %0 = arith.mulf %x0, %alpha : f32
      %1 = arith.addf %0, %f : f32
      scop.yield %1 : f32
    }
    // CHECK: scop.stmt @sum domain [4, 8] reads(%[[T]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %{{.*}}[(d0, d1) -> (d0)] : memref<4xf32>) writes(%{{.*}}[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    scop.stmt @sum domain [4, 8]
        reads(%t[(d0, d1) -> (d0, d1)] : memref<4x8xf32>,
              %S[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%S[(d0, d1) -> (d0)] : memref<4xf32>)
        reductions [1] {
    ^bb0(%x0: f32, %acc: f32):
      %sum = arith.addf %acc, %x0 : f32
      scop.yield %sum : f32
    }
  }
  return
}

// CHECK-LABEL: func.func @tree
func.func @tree(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  scop.kernel ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @X domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @Y domain [4, 8]
        reads(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      %0 = arith.negf %e : f32
      scop.yield %0 : f32
    }
    // CHECK: scop.tree {
    // CHECK-NEXT: scop.linear constraints [@X[0] - 1 eq 0, @X[1] eq 0, 2 * @Y[0] - 3 * @X[const] - 5 ge 0] coincidence all map block {
    // CHECK-NEXT: scop.sequence {{\[\[}}@X], [@Y]] new_band {
    // CHECK-NEXT: scop.linear constraints [-1 * @X[1] + @Y[0] at 0 + 1 eq 0] coincidence listed ["flow_X_Y"] new_band map thread_x vector 4 of [@X, @Y] {
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: scop.linear vector 4 masked {
    // CHECK-NEXT: }
    // CHECK-NEXT: scop.linear vector 2 masked of [@Y] {
    // CHECK-NEXT: }
    // CHECK-NEXT: scop.linear {
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    scop.tree {
      scop.linear constraints [@X[0] - 1 eq 0, @X[1] eq 0, 2 * @Y[0] - 3 * @X[const] ge 5]
          coincidence all map block {
        scop.sequence [[@X], [@Y]] new_band {
          scop.linear constraints [-@X[1] + @Y[0] at 0 eq -1]
              coincidence listed ["flow_X_Y"] new_band map thread_x vector 4 of [@X, @Y] {
          }
        }
      }
      scop.linear vector 4 masked {}
      scop.linear vector 2 masked of [@Y] {}
      scop.linear {}
    }
  }
  return
}

// CHECK-LABEL: func.func private @attributes
// CHECK-SAME: constraint = #scop.constraint<@X[0] - @Y[1] at 0 eq 0>
// CHECK-SAME: dim = #scop.dim<linear band 1 coincident map thread_x vector 4 of [@X, @Y]>
// CHECK-SAME: empty = #scop.execution<>
// CHECK-SAME: execution = #scop.execution<map thread_y vector 8 masked of [@X]>
// CHECK-SAME: masked = #scop.dim<linear band 1 reduction vector 8 masked of [@X]>
// CHECK-SAME: schedule = #scop.schedule<[linear band 0 coincident, sequence band 1, linear band 2], @S0 = (d0, d1) -> (d0, 0, d1), @S1 = (d0, d1) -> (d0, 1, d1)>
// CHECK-SAME: term = #scop.term<-2 * @X[const] at 1>
func.func private @attributes() attributes {
  schedule = #scop.schedule<[linear band 0 coincident, sequence band 1, linear band 2],
                            @S0 = (i, j) -> (i, 0, j), @S1 = (i, j) -> (i, 1, j)>,
  dim = #scop.dim<linear band 1 coincident map thread_x vector 4 of [@X, @Y]>,
  empty = #scop.execution<>,
  execution = #scop.execution<map thread_y vector 8 masked of [@X]>,
  masked = #scop.dim<linear band 1 reduction vector 8 masked of [@X]>,
  term = #scop.term<-2 * @X[const] at 1>,
  constraint = #scop.constraint<@X[0] - @Y[1] at 0 eq 0>
}

// Two kernels in one launch.
// CHECK-LABEL: func.func @launch
func.func @launch(%x: tensor<8xf32>, %y: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[R:.*]]:2 = scop.launch -> tensor<8xf32>, tensor<8xf32> {
  %r:2 = scop.launch -> tensor<8xf32>, tensor<8xf32> {
    // CHECK: %[[A:.*]] = scop.kernel
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    // CHECK: %[[B:.*]] = scop.kernel
    %b = scop.kernel ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    // CHECK: scop.yield %[[A]], %[[B]] : tensor<8xf32>, tensor<8xf32>
    scop.yield %a, %b : tensor<8xf32>, tensor<8xf32>
  }
  // CHECK: return %[[R]]#0, %[[R]]#1
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
