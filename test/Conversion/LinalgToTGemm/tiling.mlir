// RUN: grout-opt %s -convert-linalg-to-tgemm | FileCheck %s

#element = affine_map<(i, j) -> (i, j)>

// What a contraction asks for is what its product has.
// CHECK-LABEL: func.func @asked
// CHECK: tgemm.matmul {{.*}} {tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 3>}
// CHECK: tgemm.matmul {{.*}} {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
// CHECK: tgemm.matmul %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : {{.*}} -> tensor<8x8xf32>
func.func @asked(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %a = linalg.matmul {tgemm.tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 3>}
    ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"],
    tgemm.tiling = #tgemm.tiling<m = 128, n = 64, k = 64>
  } ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %product = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8x8xf32>
  %c = linalg.matmul ins(%b, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// Products of one lhs are one op if they ask for the same, and two if not.
// CHECK-LABEL: func.func @gated
// CHECK-SAME: %[[X:.*]]: tensor<8x8xf32>, %[[G:.*]]: tensor<8x8xf32>, %[[U:.*]]: tensor<8x8xf32>)
// CHECK: tgemm.matmul %[[X]], %[[G]], %[[U]] {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
// CHECK: tgemm.matmul %[[X]], %[[G]] {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
// CHECK: tgemm.matmul %[[X]], %[[U]] epilogue({{.*}}tiling = #tgemm.tiling<m = 64, n = 32, k = 64>
func.func @gated(%x: tensor<8x8xf32>, %wg: tensor<8x8xf32>, %wu: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %g0 = linalg.matmul {tgemm.tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    ins(%x, %wg : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %u0 = linalg.matmul {tgemm.tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    ins(%x, %wu : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.mul ins(%g0, %u0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g1 = linalg.matmul {tgemm.tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    ins(%x, %wg : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %u1 = linalg.matmul {tgemm.tiling = #tgemm.tiling<m = 64, n = 32, k = 64>}
    ins(%x, %wu : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.mul ins(%g1, %u1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
