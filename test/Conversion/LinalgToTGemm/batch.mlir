// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @batch
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} : tensor<4x8x16xf16>, tensor<4x16x32xf16> -> tensor<4x8x32xf32>
func.func @batch(%a: tensor<4x8x16xf16>, %b: tensor<4x16x32xf16>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x8x16xf16>, tensor<4x16x32xf16>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// Q K^T of attention.
// CHECK-LABEL: func.func @transposed
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} {transpose_rhs} : tensor<4x8x16xf16>, tensor<4x32x16xf16> -> tensor<4x8x32xf32>
func.func @transposed(%a: tensor<4x8x16xf16>, %b: tensor<4x32x16xf16>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %0 = linalg.batch_matmul
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<4x8x16xf16>, tensor<4x32x16xf16>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// CHECK-LABEL: func.func @shared_rhs
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} : tensor<4x8x16xf16>, tensor<16x32xf16> -> tensor<4x8x32xf32>
func.func @shared_rhs(%a: tensor<4x8x16xf16>, %b: tensor<16x32xf16>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %0 = linalg.batch_matmul
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<4x8x16xf16>, tensor<16x32xf16>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// A weight that was broadcast, and transposed before, is read where it lies.
// CHECK-LABEL: func.func @broadcast_rhs
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<32x16xf16>)
// CHECK-NEXT: tgemm.matmul %{{.*}}, %[[B]] {transpose_rhs} : tensor<4x8x16xf16>, tensor<32x16xf16> -> tensor<4x8x32xf32>
// CHECK-NEXT: return
func.func @broadcast_rhs(%a: tensor<4x8x16xf16>, %b: tensor<32x16xf16>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %e0 = tensor.empty() : tensor<16x32xf16>
  %t = linalg.transpose ins(%b : tensor<32x16xf16>) outs(%e0 : tensor<16x32xf16>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<4x16x32xf16>
  %all = linalg.broadcast ins(%t : tensor<16x32xf16>) outs(%e1 : tensor<4x16x32xf16>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%a, %all : tensor<4x8x16xf16>, tensor<4x16x32xf16>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// Epilogues know the batch: a bias for each of it.
// CHECK: #[[BIAS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @bias
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<4x32xf32>) {epilogue_maps = [#[[BIAS]]]}
// CHECK: arith.addf
func.func @bias(%a: tensor<4x8x16xf16>, %b: tensor<4x16x32xf16>, %bias: tensor<4x32xf32>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x8x16xf16>, tensor<4x16x32xf16>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  %e = tensor.empty() : tensor<4x8x32xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, n)>, affine_map<(b, m, n) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%0, %bias : tensor<4x8x32xf32>, tensor<4x32xf32>) outs(%e : tensor<4x8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<4x8x32xf32>
  return %1 : tensor<4x8x32xf32>
}

// -----

// CHECK-LABEL: func.func @inner_batch
// CHECK-NOT: tgemm.matmul
func.func @inner_batch(%a: tensor<8x4x16xf16>, %b: tensor<4x16x32xf16>) -> tensor<4x8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x8x32xf32>
  // expected-remark @+1 {{linalg.contract is not converted: input 0 is read by (d0, d1, d2, d3) -> (d1, d0, d3), which is not rows or columns by the reduced dimension, with any batch leading}}
  %0 = linalg.contract
    indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<8x4x16xf16>, tensor<4x16x32xf16>) outs(%init : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}
