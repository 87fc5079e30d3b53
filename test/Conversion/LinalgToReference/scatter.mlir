// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s

// Every element of the result looks whether one of the places is its own.

// CHECK-LABEL: @rows_reference_kernel0
// CHECK:         %[[NUMBER:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[AT:.*]] = arith.index_cast %[[NUMBER]] : i64 to index
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[AT]], %{{.*}} : index
// CHECK:         arith.select %[[IS]], %{{.*}}, %{{.*}} : f64
// CHECK:       launch.plan @rows_reference inputs 3 reference of @rows {
func.func @rows(%x: tensor<3x8xf16>, %t: tensor<10x8xf16> {grout.in_place = 0}, %n: tensor<3x1xi64>) -> tensor<10x8xf16> {
  %r = tensor.scatter %x into %t[%n] scatter_dims([0]) unique
    : (tensor<3x8xf16>, tensor<10x8xf16>, tensor<3x1xi64>) -> tensor<10x8xf16>
  return %r : tensor<10x8xf16>
}
