// RUN: grout-compile %s --emit=mlir | FileCheck %s
// RUN: grout-compile %s -o %t.grout
// REQUIRES: grout-compile

// Of a module with a public function on tensors, those that are private, and
// those without tensors, are the host's.

// CHECK-NOT: @helper
// CHECK-NOT: @load
// CHECK: launch.plan @sums
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @load(%p: memref<4xf32>, %n: index) -> f32 {
  %v = memref.load %p[%n] : memref<4xf32>
  return %v : f32
}
func.func @sums(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>)
      outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
