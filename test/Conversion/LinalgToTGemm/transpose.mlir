// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @maps
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} {transpose_lhs} : tensor<16x8xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
func.func @maps(%a: tensor<16x8xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<16x8xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Transposes of the inputs move into the op. One that is needed elsewhere stays
// for that.
// CHECK-LABEL: func.func @folded
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<16x8xf32>, %[[B:[a-z0-9]+]]: tensor<32x16xf32>
// CHECK: linalg.transpose
// CHECK-NOT: linalg.transpose
// CHECK: tgemm.matmul %[[A]], %[[B]] {transpose_lhs, transpose_rhs} : tensor<16x8xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
func.func @folded(%a: tensor<16x8xf32>, %b: tensor<32x16xf32>) -> (tensor<8x32xf32>, tensor<16x32xf32>) {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e0 = tensor.empty() : tensor<8x16xf32>
  %at = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e0 : tensor<8x16xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<16x32xf32>
  // expected-remark @+1 {{linalg.transpose is not converted: there is no product that it could be the epilogue of}}
  %bt = linalg.transpose ins(%b : tensor<32x16xf32>) outs(%e1 : tensor<16x32xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%at, %bt : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %bt : tensor<8x32xf32>, tensor<16x32xf32>
}

// -----

// A transpose of a transposed read cancels.
// CHECK-LABEL: func.func @cancelled
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
func.func @cancelled(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %at = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x8xf32>
  %0 = linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%at, %b : tensor<16x8xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A transpose that moves the batch stays in front.
// CHECK-LABEL: func.func @moves_batch
// CHECK: %[[T:.*]] = linalg.transpose {{.*}} permutation = [1, 0, 2]
// CHECK: tgemm.matmul %[[T]], %{{.*}} : tensor<4x8x16xf32>, tensor<4x16x32xf32>
func.func @moves_batch(%a: tensor<8x4x16xf32>, %b: tensor<4x16x32xf32>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %e = tensor.empty() : tensor<4x8x16xf32>
  // expected-remark @+1 {{linalg.transpose is not converted}}
  %at = linalg.transpose ins(%a : tensor<8x4x16xf32>) outs(%e : tensor<4x8x16xf32>) permutation = [1, 0, 2]
  %0 = linalg.batch_matmul ins(%at, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// Transposes of the result do not fuse.
// CHECK-LABEL: func.func @result
// CHECK: %[[P:.*]] = tgemm.matmul
// CHECK: linalg.transpose ins(%[[P]]
func.func @result(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<32x8xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e = tensor.empty() : tensor<32x8xf32>
  // expected-remark @+1 {{linalg.transpose is not converted: it permutes or broadcasts the product}}
  %t = linalg.transpose ins(%0 : tensor<8x32xf32>) outs(%e : tensor<32x8xf32>) permutation = [1, 0]
  return %t : tensor<32x8xf32>
}
