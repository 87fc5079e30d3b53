// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s

// Each rank gives its whole operand, and adds up a part of all operands. The
// context has the number of the rank.

// CHECK-LABEL: launch.plan @rows
// CHECK: launch.kernel "rows_kernel0"
// CHECK-SAME: exchange <ranks = 2, bytes = 768, offset = 0>
// CHECK-LABEL: func.func @rows_kernel0
// CHECK-SAME: (%[[CONTEXT:.*]]: !llvm.ptr,
// CHECK: llvm.call
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[CONTEXT]][32]
// CHECK: %[[RANK:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> i32
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[RANK]]
// CHECK: %[[BEGIN:.*]] = arith.muli %[[INDEX]], %{{.*}}
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: arith.addi %[[ROW]], %[[BEGIN]]
// CHECK-COUNT-2: arith.extf
// CHECK: arith.truncf
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]] : memref<2x5xf16
func.func @rows(%x: tensor<4x5xf16>) -> tensor<2x5xf16> {
  %0 = collective.reduce_scatter %x ranks 2 dim 0 : tensor<4x5xf16> -> tensor<2x5xf16>
  return %0 : tensor<2x5xf16>
}

// CHECK-LABEL: func.func @columns_kernel0
// CHECK: %[[BEGIN:.*]] = arith.muli
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: arith.addi %[[COLUMN]], %[[BEGIN]]
// CHECK-NOT: arith.extf
// CHECK: arith.addf
func.func @columns(%x: tensor<4x6xf32>) -> tensor<4x2xf32> {
  %0 = collective.reduce_scatter %x ranks 3 dim 1 : tensor<4x6xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
