// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s

// What is padded, or inserted, is copied over what is around it.

// CHECK-LABEL: func.func @pad_reference_kernel0
// CHECK:         arith.constant 7.000000e+00 : f64
// CHECK:         llvm.store
// CHECK-LABEL: func.func @pad_reference_kernel1
// CHECK:         llvm.load
// CHECK:         arith.constant 9 : index
// CHECK:         arith.constant 11 : index
// CHECK:         llvm.store
// CHECK-LABEL: launch.plan @pad_reference
// CHECK-NEXT:  ^bb0(%[[X:.*]]: memref<3x5xf64>, %[[OUT:.*]]: memref<4x9xf64>):
// CHECK:         %[[ALL:.*]] = launch.buffer "reference0" : memref<4x9xf64>
// CHECK-NEXT:    launch.kernel "pad_reference_kernel0" {{.*}}(%[[ALL]])
// CHECK-NEXT:    launch.kernel "pad_reference_kernel1" {{.*}}(%[[X]], %[[ALL]])
// CHECK-NEXT:    launch.kernel "pad_reference_kernel2" {{.*}}(%[[ALL]], %[[OUT]])

func.func @pad(%x: tensor<3x5xf32>) -> tensor<4x9xf32> {
  %y = tensor.pad %x low[1, 2] high[0, 2] {
  ^bb0(%i: index, %j: index):
    %seven = arith.constant 7.0 : f32
    tensor.yield %seven : f32
  } : tensor<3x5xf32> to tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}

// CHECK-LABEL: launch.plan @insert_reference
// CHECK-NEXT:  ^bb0(%[[V:.*]]: memref<3xi32>, %[[X:.*]]: memref<4x9xi32>, %[[OUT:.*]]: memref<4x9xi32>, %[[PART:.*]]: memref<4xi32>):
// CHECK:         %[[ALL:.*]] = launch.buffer "reference0" : memref<4x9xi32>
// CHECK-NEXT:    launch.kernel "insert_reference_kernel0" {{.*}}(%[[X]], %[[ALL]])
// CHECK-NEXT:    launch.kernel "insert_reference_kernel1" {{.*}}(%[[V]], %[[ALL]])
// CHECK-NEXT:    %[[FOUR:.*]] = launch.buffer "reference2" : memref<4xi32>
// CHECK-NEXT:    launch.kernel "insert_reference_kernel2" {{.*}}(%[[V]], %[[FOUR]])
// CHECK-NEXT:    launch.kernel "insert_reference_kernel3" {{.*}}(%[[ALL]], %[[OUT]])
// CHECK-NEXT:    launch.kernel "insert_reference_kernel4" {{.*}}(%[[FOUR]], %[[PART]])

func.func @insert(%v: tensor<3xi32>, %x: tensor<4x9xi32>)
    -> (tensor<4x9xi32>, tensor<4xi32>) {
  %y = tensor.insert_slice %v into %x[1, 2] [1, 3] [1, 2]
    : tensor<3xi32> into tensor<4x9xi32>
  %e = tensor.empty() : tensor<4xi32>
  %z = tensor.insert_slice %v into %e[0] [3] [1]
    : tensor<3xi32> into tensor<4xi32>
  return %y, %z : tensor<4x9xi32>, tensor<4xi32>
}
