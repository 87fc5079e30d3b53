// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s

// Slices and reshapes need no kernel, except that a slice is copied before its
// dimensions are joined. Outputs that no op writes in place are copies.

// CHECK-LABEL: module @views_reference_kernels
// CHECK:         func.func @views_reference_kernel0
// CHECK:         func.func @views_reference_kernel1
// CHECK:         func.func @views_reference_kernel2
// CHECK:         func.func @views_reference_kernel3
// CHECK-NOT:     func.func
// CHECK-LABEL: launch.plan @views_reference inputs 1 reference
// CHECK-NEXT:  ^bb0(%[[X:.*]]: memref<8x12xf64>, %[[Y0:.*]]: memref<24xf64>, %[[Y1:.*]]: memref<24xf64>, %[[Y2:.*]]: memref<2x2x6xf64>):
// CHECK:         %[[DENSE:.*]] = launch.buffer "reference0" : memref<4x6xf64>
// CHECK-NEXT:    launch.kernel "views_reference_kernel0" {{.*}}(%[[X]], %[[DENSE]])
// CHECK-NEXT:    launch.kernel "views_reference_kernel1" {{.*}}(%[[DENSE]], %[[Y0]])
// CHECK-NEXT:    launch.kernel "views_reference_kernel2" {{.*}}(%[[Y0]], %[[Y1]])
// CHECK-NEXT:    launch.kernel "views_reference_kernel3" {{.*}}(%[[X]], %[[Y2]])

func.func @views(%x: tensor<8x12xf32>)
    -> (tensor<24xf32>, tensor<24xf32>, tensor<2x2x6xf32>) {
  %s = tensor.extract_slice %x[2, 1] [4, 6] [1, 2]
    : tensor<8x12xf32> to tensor<4x6xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %e = tensor.empty() : tensor<24xf32>
  %y = linalg.exp ins(%c : tensor<24xf32>) outs(%e : tensor<24xf32>)
    -> tensor<24xf32>
  %v = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 2, 6]
    : tensor<4x6xf32> into tensor<2x2x6xf32>
  return %y, %y, %v : tensor<24xf32>, tensor<24xf32>, tensor<2x2x6xf32>
}

// Dense constants are carried; splats are not.

// CHECK-LABEL: launch.plan @constants_reference
// CHECK-NEXT:  ^bb0(%[[OUT:.*]]: memref<2xf64>):
// CHECK-NEXT:    %[[C:.*]] = launch.buffer "constant" value dense<[1.000000e+00, 2.500000e+00]>
// CHECK-NEXT:    launch.kernel {{.*}}(%[[C]], %[[OUT]])

func.func @constants() -> tensor<2xf16> {
  %c = arith.constant dense<[1.0, 2.5]> : tensor<2xf16>
  %s = arith.constant dense<3.0> : tensor<2xf16>
  %e = tensor.empty() : tensor<2xf16>
  %y = linalg.add ins(%c, %s : tensor<2xf16>, tensor<2xf16>)
    outs(%e : tensor<2xf16>) -> tensor<2xf16>
  return %y : tensor<2xf16>
}
