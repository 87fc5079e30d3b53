// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s

// The runtime exchanges the data: the tile calls the fourth field of its
// context. The symmetric memory has a counter for each rank, and two places.

// CHECK-LABEL: launch.plan @sum
// CHECK: launch.kernel "sum_kernel0"
// CHECK-SAME: args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
// CHECK-SAME: exchange <ranks = 3, bytes = 768, offset = 0>
// CHECK-LABEL: func.func @sum_kernel0
// CHECK-SAME: (%[[CONTEXT:.*]]: !llvm.ptr,
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[CONTEXT]][3]
// CHECK: %[[EXCHANGE:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[GIVEN:.*]] = llvm.call %[[EXCHANGE]](%[[CONTEXT]], %{{.*}}, %{{.*}})
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-3: arith.extf
// CHECK: arith.truncf
// CHECK: memref.store
func.func @sum(%x: tensor<3x5xf16>) -> tensor<3x5xf16> {
  %0 = collective.all_reduce %x ranks 3 : tensor<3x5xf16>
  return %0 : tensor<3x5xf16>
}
