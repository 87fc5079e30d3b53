// RUN: grout-opt %s --convert-linalg-to-scop | FileCheck %s

// What is scattered is computed in the same kernel; what it is scattered into, and
// what reads that, are in others. Places are in the order of the source's first
// dimensions.

// CHECK-LABEL: @rows
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<3x1x8xf32>, %[[T:[a-z0-9]+]]: tensor<10x8xf32>, %[[N:[a-z0-9]+]]: tensor<3x1xi32>)
// CHECK:         %[[R:.*]] = scop.kernel ins(%[[X]], %[[N]] : tensor<3x1x8xf32>, tensor<3x1xi32>) outs(%[[T]] : tensor<10x8xf32>)
// CHECK:           scop.stmt @S0 domain [3, 1, 8]
// CHECK:             math.exp
// CHECK:           scop.stmt @S1 domain [3, 1, 8] reads(%{{.*}}[(d0, d1, d2) -> (d0, d1, d2)] {{.*}}[(d0, d1, d2) -> (d0, 0)] : memref<3x1xi32>) {
// CHECK:           ^bb0(%[[V:.*]]: f32, %[[AT:.*]]: i32):
// CHECK-NEXT:        %[[I:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK-NEXT:        %[[J:.*]] = scop.index 2 : index
// CHECK-NEXT:        scop.scatter %[[V]] into %{{.*}}[%[[I]], %[[J]]] : memref<10x8xf32>
// CHECK-NEXT:        scop.yield
// CHECK:         scop.kernel ins(%[[R]]
// CHECK:           arith.negf
func.func @rows(%x: tensor<3x1x8xf32>, %t: tensor<10x8xf32>, %n: tensor<3x1xi32>) -> tensor<10x8xf32> {
  %e = tensor.empty() : tensor<3x1x8xf32>
  %new = linalg.exp ins(%x : tensor<3x1x8xf32>) outs(%e : tensor<3x1x8xf32>) -> tensor<3x1x8xf32>
  %r = tensor.scatter %new into %t[%n] scatter_dims([0]) unique
    : (tensor<3x1x8xf32>, tensor<10x8xf32>, tensor<3x1xi32>) -> tensor<10x8xf32>
  %f = tensor.empty() : tensor<10x8xf32>
  %y = linalg.negf ins(%r : tensor<10x8xf32>) outs(%f : tensor<10x8xf32>) -> tensor<10x8xf32>
  return %y : tensor<10x8xf32>
}

// Two coordinates, without their dimensions in the source, into what another
// kernel makes; with a message.

// CHECK-LABEL: @coordinates
// CHECK:         %[[FILLED:.*]] = scop.kernel
// CHECK:         scop.kernel {{.*}} outs(%[[FILLED]] : tensor<4x6x5xf32>)
// CHECK:           domain [2, 6] reads(%{{.*}}[(d0, d1) -> (d0, d1)] : memref<2x6xf32>, %{{.*}}[(d0, d1) -> (d0, 0)] : memref<2x2xi64>, %{{.*}}[(d0, d1) -> (d0, 1)] : memref<2x2xi64>)
// CHECK:             scop.scatter %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] message "outside" : memref<4x6x5xf32>
func.func @coordinates(%x: tensor<2x6xf32>, %n: tensor<2x2xi64>) -> tensor<4x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  %r = tensor.scatter %x into %z[%n] scatter_dims([0, 2]) unique {grout.assert = "outside"}
    : (tensor<2x6xf32>, tensor<4x6x5xf32>, tensor<2x2xi64>) -> tensor<4x6x5xf32>
  return %r : tensor<4x6x5xf32>
}
