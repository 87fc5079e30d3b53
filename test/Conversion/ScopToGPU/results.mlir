// RUN: grout-opt %s --convert-linalg-to-scop --grout-set-target=name=h200 --scop-schedule \
// RUN:   --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// What a function returns may be a kernel's result with another shape: the
// kernel writes the caller's buffer.

// CHECK-LABEL: launch.plan @split
// CHECK-NEXT: ^bb0(%[[X:.*]]: memref<4x6xf32>, %[[Y:.*]]: memref<2x2x6xf32>):
// CHECK-NEXT: launch.start
// CHECK-NEXT: launch.kernel "split_kernel0" {{.*}}(%[[X]], %[[Y]])
func.func @split(%x: tensor<4x6xf32>) -> tensor<2x2x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.exp ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 2, 6]
      : tensor<4x6xf32> into tensor<2x2x6xf32>
  return %r : tensor<2x2x6xf32>
}
