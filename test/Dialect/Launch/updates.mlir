// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans -split-input-file -verify-diagnostics | FileCheck %s

// What is updated has one buffer, that of the result, before and after.

// CHECK-LABEL: launch.plan @in_place inputs 3 in_place [1] {
// CHECK: ^bb0(%[[X:.*]]: memref<4xf32>, %{{.*}}: memref<9xf32>, %[[N:.*]]: memref<4xi64>, %[[OUT:.*]]: memref<9xf32>):
// CHECK: launch.tiles "in_place_kernel0" ins(%[[X]], %[[N]], %[[OUT]]) outs(%[[OUT]])
func.func @in_place(%x: tensor<4xf32>, %t: tensor<9xf32> {grout.in_place = 0}, %n: tensor<4xi64>) -> tensor<9xf32> {
  %r = scop.kernel ins(%x, %n : tensor<4xf32>, tensor<4xi64>) outs(%t : tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%X: memref<4xf32>, %N: memref<4xi64>, %T: memref<9xf32>):
    scop.stmt @S domain [4] reads(%X[(d0) -> (d0)] : memref<4xf32>, %N[(d0) -> (d0)] : memref<4xi64>) {
    ^bb0(%v: f32, %at: i64):
      %i = arith.index_cast %at : i64 to index
      scop.scatter %v into %T[%i] : memref<9xf32>
      scop.yield
    }
  }
  return %r : tensor<9xf32>
}

// The kernel before writes it first; the update is ordered after that.

// CHECK-LABEL: launch.plan @after inputs 2 {
// CHECK: ^bb0(%[[X:.*]]: memref<4xf32>, %[[N:.*]]: memref<4xi64>, %[[OUT:.*]]: memref<9xf32>):
// CHECK: %[[T:.*]] = launch.tiles "after_kernel0" {{.*}}outs(%[[OUT]])
// CHECK: launch.tiles "after_kernel1" ins(%[[X]], %[[N]], %[[OUT]]) outs(%[[OUT]]) after full(%[[T]])
func.func @after(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %z = scop.kernel outs(%e : tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%T: memref<9xf32>):
    scop.stmt @Z domain [9] writes(%T[(d0) -> (d0)] : memref<9xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
  }
  %r = scop.kernel ins(%x, %n : tensor<4xf32>, tensor<4xi64>) outs(%z : tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%X: memref<4xf32>, %N: memref<4xi64>, %T: memref<9xf32>):
    scop.stmt @S domain [4] reads(%X[(d0) -> (d0)] : memref<4xf32>, %N[(d0) -> (d0)] : memref<4xi64>) {
    ^bb0(%v: f32, %at: i64):
      %i = arith.index_cast %at : i64 to index
      scop.scatter %v into %T[%i] : memref<9xf32>
      scop.yield
    }
  }
  return %r : tensor<9xf32>
}

// -----

func.func @used_elsewhere(%x: tensor<9xf32>, %n: tensor<9xi64>, %t: tensor<9xf32> {grout.in_place = 1})
    -> (tensor<9xf32>, tensor<9xf32>) {
  // expected-error @+1 {{cannot be compiled: it updates in place what is used elsewhere}}
  %r = scop.kernel ins(%x, %n : tensor<9xf32>, tensor<9xi64>) outs(%t : tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%X: memref<9xf32>, %N: memref<9xi64>, %T: memref<9xf32>):
    scop.stmt @S domain [9] reads(%X[(d0) -> (d0)] : memref<9xf32>, %N[(d0) -> (d0)] : memref<9xi64>) {
    ^bb0(%v: f32, %at: i64):
      %i = arith.index_cast %at : i64 to index
      scop.scatter %v into %T[%i] : memref<9xf32>
      scop.yield
    }
  }
  %e = tensor.empty() : tensor<3x3xf32>
  %part = tensor.expand_shape %t [[0, 1]] output_shape [3, 3] : tensor<9xf32> into tensor<3x3xf32>
  // expected-note @+1 {{which is here}}
  %o = scop.kernel ins(%part : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32> {
  ^bb0(%T: memref<3x3xf32>, %O: memref<3x3xf32>):
    scop.stmt @C domain [3, 3] reads(%T[(d0, d1) -> (d0, d1)] : memref<3x3xf32>)
        writes(%O[(d0, d1) -> (d0, d1)] : memref<3x3xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
  }
  %flat = tensor.collapse_shape %o [[0, 1]] : tensor<3x3xf32> into tensor<9xf32>
  return %flat, %r : tensor<9xf32>, tensor<9xf32>
}

// -----

func.func @no_update(%x: tensor<9xf32> {grout.in_place = 0}) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %r = scop.kernel ins(%x : tensor<9xf32>) outs(%e : tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%X: memref<9xf32>, %Y: memref<9xf32>):
    scop.stmt @S domain [9] reads(%X[(d0) -> (d0)] : memref<9xf32>) writes(%Y[(d0) -> (d0)] : memref<9xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
  }
  // expected-error @+1 {{cannot be compiled: result 0 is to be in place of argument 0, but is not that with elements replaced by tensor.scatter}}
  return %r : tensor<9xf32>
}

// -----

func.func @not_in_place(%x: tensor<4xf32>, %t: tensor<9xf32>, %n: tensor<4xi64>) -> tensor<9xf32> {
  // expected-error @+1 {{cannot be compiled: updates an argument that is not in place of a result (grout.in_place)}}
  %r = scop.kernel ins(%x, %n : tensor<4xf32>, tensor<4xi64>) outs(%t : tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%X: memref<4xf32>, %N: memref<4xi64>, %T: memref<9xf32>):
    scop.stmt @S domain [4] reads(%X[(d0) -> (d0)] : memref<4xf32>, %N[(d0) -> (d0)] : memref<4xi64>) {
    ^bb0(%v: f32, %at: i64):
      %i = arith.index_cast %at : i64 to index
      scop.scatter %v into %T[%i] : memref<9xf32>
      scop.yield
    }
  }
  return %r : tensor<9xf32>
}
