// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// A batch of products with both operands transposed and two right sides, of
// views of the arguments. The panel is packed along the rows that are stored.

// CHECK-LABEL: func.func @forms_chain0_kernel0
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<8x20xf32>
// CHECK-NEXT:    %[[ACC1:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16x20xf32>
// CHECK-NEXT:    %[[ACC0:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16x20xf32>
// CHECK-DAG:     %[[B:.*]] = arith.index_castui %arg1
// CHECK-DAG:     %[[LHS:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<2x24x16xf32, strided<[768, 16, 1], offset: 768>>
// CHECK-DAG:     %[[RHS:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<20x24xf32, strided<[24, 1]>>
// CHECK:         memref.store %{{.*}}, %[[ACC0]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[ACC1]]
// CHECK:         scf.for %[[STEP:.*]] =
// CHECK:           scf.for %[[N:.*]] =
// CHECK:             scf.for %[[K:.*]] =
// CHECK:               memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<20x24xf32, strided<[24, 1]>>
// CHECK:               memref.store %{{.*}}, %{{.*}}[%[[K]], %[[N]]] : memref<8x20xf32>
// CHECK:           memref.load %[[LHS]][%[[B]], %{{.*}}, %{{.*}}]
// CHECK:           math.fma
// CHECK:           math.fma
// CHECK:         arith.mulf

func.func @forms(%x: tensor<3x48x16xf32>, %g: tensor<20x24xf32>,
                 %u: tensor<20x24xf32>) -> tensor<2x16x20xf32> {
  %0 = tsync.chain mode(serial) : tensor<2x16x20xf32> {
    %s = tensor.extract_slice %x[1, 0, 0] [2, 24, 16] [1, 1, 1]
      : tensor<3x48x16xf32> to tensor<2x24x16xf32>
    %y = tgemm.matmul %s, %g, %u {
      transpose_lhs, transpose_rhs,
      tiling = #tgemm.tiling<m = 16, n = 32, k = 8>
    } : tensor<2x24x16xf32>, tensor<20x24xf32>, tensor<20x24xf32>
      -> tensor<2x16x20xf32> {
    ^bb0(%a: f32, %b: f32):
      %m = arith.mulf %a, %b : f32
      tgemm.yield %m : f32
    }
    tsync.yield %y : tensor<2x16x20xf32>
  }
  return %0 : tensor<2x16x20xf32>
}
