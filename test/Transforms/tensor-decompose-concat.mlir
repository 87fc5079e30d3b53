// RUN: grout-opt %s --tensor-decompose-concat | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[X:.*]]: tensor<2x4xf32>, %[[Y:.*]]: tensor<3x4xf32>
func.func @rows(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) -> tensor<7x4xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<7x4xf32>
  // CHECK: %[[A:.*]] = tensor.insert_slice %[[X]] into %[[E]][0, 0] [2, 4] [1, 1]
  // CHECK: %[[B:.*]] = tensor.insert_slice %[[Y]] into %[[A]][2, 0] [3, 4] [1, 1]
  // CHECK: %[[C:.*]] = tensor.insert_slice %[[X]] into %[[B]][5, 0] [2, 4] [1, 1]
  // CHECK: return %[[C]]
  %z = tensor.concat dim(0) %x, %y, %x : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<7x4xf32>
  return %z : tensor<7x4xf32>
}
