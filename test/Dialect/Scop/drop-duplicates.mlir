// RUN: grout-opt %s --scop-drop-duplicates | FileCheck %s

// Two kernels read views of the same value, which two kernels compute.

// CHECK-LABEL: func.func @views(
// CHECK:         %[[EXP:.*]] = scop.kernel
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:         %[[ROWS:.*]] = tensor.expand_shape %[[EXP]]
// CHECK:         scop.kernel ins(%[[ROWS]] :
// CHECK:         %[[MORE:.*]] = tensor.expand_shape %[[EXP]]
// CHECK:         scop.kernel ins(%[[MORE]] :
func.func @views(%x: tensor<1024xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
  %e0 = tensor.empty() : tensor<1024xf32>
  %0 = scop.kernel ins(%x : tensor<1024xf32>) outs(%e0 : tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S0 domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = math.exp %v : f32
      scop.yield %r : f32
    }
  }
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [8, 128] : tensor<1024xf32> into tensor<8x128xf32>
  %e1 = tensor.empty() : tensor<8x128xf32>
  %2 = scop.kernel ins(%1 : tensor<8x128xf32>) outs(%e1 : tensor<8x128xf32>) -> tensor<8x128xf32> {
  ^bb0(%X: memref<8x128xf32>, %Y: memref<8x128xf32>):
    scop.stmt @S0 domain [8, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x128xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x128xf32>) {
    ^bb0(%v: f32):
      %r = arith.negf %v : f32
      scop.yield %r : f32
    }
  }
  %e2 = tensor.empty() : tensor<1024xf32>
  %3 = scop.kernel ins(%x : tensor<1024xf32>) outs(%e2 : tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S0 domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = math.exp %v : f32
      scop.yield %r : f32
    }
  }
  %4 = tensor.expand_shape %3 [[0, 1]] output_shape [8, 128] : tensor<1024xf32> into tensor<8x128xf32>
  %e3 = tensor.empty() : tensor<8x128xf32>
  %5 = scop.kernel ins(%4 : tensor<8x128xf32>) outs(%e3 : tensor<8x128xf32>) -> tensor<8x128xf32> {
  ^bb0(%X: memref<8x128xf32>, %Y: memref<8x128xf32>):
    scop.stmt @S0 domain [8, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x128xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x128xf32>) {
    ^bb0(%v: f32):
      %r = math.absf %v : f32
      scop.yield %r : f32
    }
  }
  return %2, %5 : tensor<8x128xf32>, tensor<8x128xf32>
}

// Each result needs memory of its own, also behind a view.

// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-2: scop.kernel
func.func @returned(%x: tensor<1024xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
  %e0 = tensor.empty() : tensor<1024xf32>
  %0 = scop.kernel ins(%x : tensor<1024xf32>) outs(%e0 : tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S0 domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = math.exp %v : f32
      scop.yield %r : f32
    }
  }
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [8, 128] : tensor<1024xf32> into tensor<8x128xf32>
  %2 = scop.kernel ins(%x : tensor<1024xf32>) outs(%e0 : tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S0 domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = math.exp %v : f32
      scop.yield %r : f32
    }
  }
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [8, 128] : tensor<1024xf32> into tensor<8x128xf32>
  return %1, %3 : tensor<8x128xf32>, tensor<8x128xf32>
}

// Each kernel that updates a copy changes a copy of its own.

// CHECK-LABEL: func.func @updated(
// CHECK-COUNT-4: scop.kernel
func.func @updated(%x: tensor<100xf32>, %n: tensor<4xi64>, %v: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<100xf32>, tensor<100xf32>) {
  %e = tensor.empty() : tensor<100xf32>
  %0 = scop.kernel ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32> {
  ^bb0(%X: memref<100xf32>, %Y: memref<100xf32>):
    scop.stmt @S0 domain [100] reads(%X[(d0) -> (d0)] : memref<100xf32>) writes(%Y[(d0) -> (d0)] : memref<100xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  %1 = scop.kernel ins(%v, %n : tensor<4xf32>, tensor<4xi64>) outs(%0 : tensor<100xf32>) -> tensor<100xf32> {
  ^bb0(%V: memref<4xf32>, %N: memref<4xi64>, %T: memref<100xf32>):
    scop.stmt @S0 domain [4] reads(%V[(d0) -> (d0)] : memref<4xf32>, %N[(d0) -> (d0)] : memref<4xi64>) {
    ^bb0(%a: f32, %row: i64):
      %i = arith.index_cast %row : i64 to index
      scop.scatter %a into %T[%i] message "no such row" : memref<100xf32>
      scop.yield
    }
  }
  %2 = scop.kernel ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32> {
  ^bb0(%X: memref<100xf32>, %Y: memref<100xf32>):
    scop.stmt @S0 domain [100] reads(%X[(d0) -> (d0)] : memref<100xf32>) writes(%Y[(d0) -> (d0)] : memref<100xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  %3 = scop.kernel ins(%w, %n : tensor<4xf32>, tensor<4xi64>) outs(%2 : tensor<100xf32>) -> tensor<100xf32> {
  ^bb0(%V: memref<4xf32>, %N: memref<4xi64>, %T: memref<100xf32>):
    scop.stmt @S0 domain [4] reads(%V[(d0) -> (d0)] : memref<4xf32>, %N[(d0) -> (d0)] : memref<4xi64>) {
    ^bb0(%a: f32, %row: i64):
      %i = arith.index_cast %row : i64 to index
      scop.scatter %a into %T[%i] message "no such row" : memref<100xf32>
      scop.yield
    }
  }
  return %1, %3 : tensor<100xf32>, tensor<100xf32>
}
