// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics | FileCheck %s

// Loops in any order, factors in any order, widened in the body.
// CHECK-LABEL: func.func @any_order
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x16xf16>, %[[B:[a-z0-9]+]]: tensor<16x32xf16>
// CHECK-NEXT: tgemm.matmul %[[A]], %[[B]] : tensor<8x16xf16>, tensor<16x32xf16> -> tensor<8x32xf32>
func.func @any_order(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (m, n)>],
    iterator_types = ["reduction", "parallel", "parallel"]
  } ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %y32 = arith.extf %y : f16 to f32
    %x32 = arith.extf %x : f16 to f32
    %product = arith.mulf %y32, %x32 : f32
    %sum = arith.addf %product, %acc : f32
    linalg.yield %sum : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// The second input has the rows of the result: it is the lhs.
// CHECK-LABEL: func.func @swapped
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<16x32xf32>, %[[B:[a-z0-9]+]]: tensor<8x16xf32>
// CHECK-NEXT: tgemm.matmul %[[B]], %[[A]] : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
func.func @swapped(%a: tensor<16x32xf32>, %b: tensor<8x16xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<16x32xf32>, tensor<8x16xf32>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %product = arith.mulf %x, %y : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// CHECK-LABEL: func.func @contract
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} {transpose_lhs, transpose_rhs} : tensor<16x8xbf16>, tensor<32x16xbf16> -> tensor<8x32xf32>
func.func @contract(%a: tensor<16x8xbf16>, %b: tensor<32x16xbf16>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.contract
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<16x8xbf16>, tensor<32x16xbf16>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A unary op on a factor is no widening, though upstream calls this a
// contraction.
// CHECK-LABEL: func.func @exp_of_factor
// CHECK-NOT: tgemm.matmul
func.func @exp_of_factor(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{linalg.generic is not converted: its body is not a sum of products of its inputs, widened by arith.extf at most}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %e = math.exp %x : f32
    %product = arith.mulf %e, %y : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Products that are rounded before they are summed are something else, too.
// CHECK-LABEL: func.func @rounded_products
// CHECK-NOT: tgemm.matmul
func.func @rounded_products(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{its body is not a sum of products of its inputs}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %product = arith.mulf %x, %y : f16
    %wide = arith.extf %product : f16 to f32
    %sum = arith.addf %acc, %wide : f32
    linalg.yield %sum : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
