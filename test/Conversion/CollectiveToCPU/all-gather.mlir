// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s

// Each rank copies what all ranks have given, one behind the other.

// CHECK-LABEL: launch.plan @columns
// CHECK: launch.kernel "columns_kernel0"
// CHECK-SAME: exchange <ranks = 3, bytes = 768, offset = 0>
// CHECK-LABEL: func.func @columns_kernel0
// CHECK: llvm.call
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK-COUNT-3: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %{{.*}}] : memref<2x15xi64
func.func @columns(%x: tensor<2x5xi64>) -> tensor<2x15xi64> {
  %0 = collective.all_gather %x ranks 3 dim 1 : tensor<2x5xi64> -> tensor<2x15xi64>
  return %0 : tensor<2x15xi64>
}

// An element of i1 is a byte.

// CHECK-LABEL: launch.plan @bits
// CHECK: exchange <ranks = 2, bytes = 1280, offset = 0>
func.func @bits(%x: tensor<300xi1>) -> tensor<600xi1> {
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<300xi1> -> tensor<600xi1>
  return %0 : tensor<600xi1>
}

// Columns of a tensor are not dense: they are copied before they are given.

// CHECK-LABEL: func.func @part_kernel0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store
// CHECK: llvm.call
func.func @part(%x: tensor<3x5xf32>) -> tensor<6x3xf32> {
  %part = tensor.extract_slice %x[0, 1] [3, 3] [1, 1] : tensor<3x5xf32> to tensor<3x3xf32>
  %0 = collective.all_gather %part ranks 2 dim 0 : tensor<3x3xf32> -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}
