// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s

// Each rank gives its whole operand, and copies its part of all operands.

// CHECK-LABEL: launch.plan @heads
// CHECK: launch.kernel "heads_kernel0"
// CHECK-SAME: exchange <ranks = 2, bytes = 768, offset = 0>
// CHECK-LABEL: func.func @heads_kernel0
// CHECK: %[[RANK:.*]] = arith.index_castui
// CHECK: %[[EXTENT:.*]] = arith.constant 3 : index
// CHECK: %[[BEGIN:.*]] = arith.muli %[[RANK]], %[[EXTENT]]
// CHECK: scf.for %[[TOKEN:.*]] =
// CHECK: scf.for %[[HEAD:.*]] =
// CHECK: %[[FROM:.*]] = arith.addi %[[HEAD]], %[[BEGIN]]
// CHECK: arith.constant 0 : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %[[HEAD]]] : memref<16x3xf32
// CHECK: %[[SECOND:.*]] = arith.constant 8 : index
// CHECK: %[[TO:.*]] = arith.addi %[[TOKEN]], %[[SECOND]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[TO]], %[[HEAD]]] : memref<16x3xf32
func.func @heads(%x: tensor<8x6xf32>) -> tensor<16x3xf32> {
  %0 = collective.all_to_all %x ranks 2 split_dim 1 concat_dim 0 : tensor<8x6xf32> -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}
