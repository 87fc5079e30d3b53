// RUN: grout-opt %s --linalg-collapse-contractions -split-input-file | FileCheck %s

// Two dimensions of the batch and two of what is summed up become one each; the
// operands have them in the same order, and nothing is moved. What the sums
// start from is made anew.

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @in_order(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x8x4x16xf16>, %[[Y:.*]]: tensor<2x3x4x16x5xf16>)
// CHECK-NOT:   linalg.transpose
// CHECK:       %[[L:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2], [3, 4]] : {{.*}} into tensor<6x8x64xf16>
// CHECK:       %[[R:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0, 1], [2, 3], [4]] : {{.*}} into tensor<6x64x5xf16>
// CHECK:       %[[I:.*]] = linalg.fill {{.*}} -> tensor<6x8x5xf16>
// CHECK:       %[[P:.*]] = linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[L]], %[[R]] : {{.*}}) outs(%[[I]]
// CHECK:         arith.mulf
// CHECK:       %[[E:.*]] = tensor.expand_shape %[[P]] {{\[}}[0, 1], [2], [3]] output_shape [2, 3, 8, 5]
// CHECK-NEXT:  return %[[E]]
func.func @in_order(%x: tensor<2x3x8x4x16xf16>, %y: tensor<2x3x4x16x5xf16>)
    -> tensor<2x3x8x5xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<2x3x8x5xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<2x3x8x5xf16>)
      -> tensor<2x3x8x5xf16>
  %z = linalg.contract indexing_maps = [
      affine_map<(b, c, m, n, k, l) -> (b, c, m, k, l)>,
      affine_map<(b, c, m, n, k, l) -> (b, c, k, l, n)>,
      affine_map<(b, c, m, n, k, l) -> (b, c, m, n)>]
      ins(%x, %y : tensor<2x3x8x4x16xf16>, tensor<2x3x4x16x5xf16>)
      outs(%init : tensor<2x3x8x5xf16>) -> tensor<2x3x8x5xf16>
  return %z : tensor<2x3x8x5xf16>
}

// -----

// Heads are between rows and elements, and the result has its rows around the
// columns: both are transposed. What is added to is, too.

// CHECK-LABEL: func.func @moved(
// CHECK-SAME:    %[[X:.*]]: tensor<8x6x16xf32>, %[[Y:.*]]: tensor<6x4x16xf32>, %[[I:.*]]: tensor<8x6x4xf32>)
// CHECK:       %[[T:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [1, 0, 2]
// CHECK-NOT:   collapse_shape
// CHECK:       %[[S:.*]] = linalg.transpose ins(%[[I]] : {{.*}} permutation = [1, 0, 2]
// CHECK:       %[[P:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[Y]] : tensor<6x8x16xf32>, tensor<6x4x16xf32>) outs(%[[S]] : tensor<6x8x4xf32>)
// CHECK:       %[[B:.*]] = linalg.transpose ins(%[[P]] : {{.*}} permutation = [1, 0, 2]
// CHECK-NEXT:  return %[[B]]
func.func @moved(%x: tensor<8x6x16xf32>, %y: tensor<6x4x16xf32>,
                 %init: tensor<8x6x4xf32>) -> tensor<8x6x4xf32> {
  %z = linalg.contract indexing_maps = [
      affine_map<(m, h, n, k) -> (m, h, k)>,
      affine_map<(m, h, n, k) -> (h, n, k)>,
      affine_map<(m, h, n, k) -> (m, h, n)>]
      ins(%x, %y : tensor<8x6x16xf32>, tensor<6x4x16xf32>)
      outs(%init : tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
  return %z : tensor<8x6x4xf32>
}

// -----

// Products stay, in whatever order of rows and columns; so does what has no
// columns.

// CHECK-LABEL: func.func @products(
// CHECK-NOT:   {{collapse_shape|transpose|linalg.generic}}
// CHECK:       linalg.batch_matmul
// CHECK:       linalg.contract
// CHECK:       linalg.contract
// CHECK-NEXT:  return
func.func @products(%x: tensor<2x8x16xf32>, %y: tensor<2x16x4xf32>,
                    %i: tensor<2x8x4xf32>, %j: tensor<2x4x8xf32>,
                    %v: tensor<2x3x16xf32>, %w: tensor<2x3xf32>)
    -> (tensor<2x8x4xf32>, tensor<2x4x8xf32>, tensor<2x3xf32>) {
  %0 = linalg.batch_matmul ins(%x, %y : tensor<2x8x16xf32>, tensor<2x16x4xf32>)
      outs(%i : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %1 = linalg.contract indexing_maps = [
      affine_map<(b, m, n, k) -> (b, m, k)>,
      affine_map<(b, m, n, k) -> (b, k, n)>,
      affine_map<(b, m, n, k) -> (b, n, m)>]
      ins(%x, %y : tensor<2x8x16xf32>, tensor<2x16x4xf32>)
      outs(%j : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %2 = linalg.contract indexing_maps = [
      affine_map<(b, m, k) -> (b, m, k)>, affine_map<(b, m, k) -> (b, m, k)>,
      affine_map<(b, m, k) -> (b, m)>]
      ins(%v, %v : tensor<2x3x16xf32>, tensor<2x3x16xf32>)
      outs(%w : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x8x4xf32>, tensor<2x4x8xf32>, tensor<2x3xf32>
}

// -----

// Neither do what multiplies by a scalar, or complex numbers.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:   {{collapse_shape|transpose}}
// CHECK:       return
func.func @others(%x: tensor<2x8x3x16xf32>, %s: f32,
                  %u: tensor<2x3x8x16xcomplex<f32>>,
                  %v: tensor<2x3x16x4xcomplex<f32>>,
                  %w: tensor<2x3x8x4xcomplex<f32>>)
    -> (tensor<2x8x3x16xf32>, tensor<2x3x8x4xcomplex<f32>>) {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>,
                       affine_map<(a, b, c, d) -> ()>,
                       affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x8x3x16xf32>, f32) outs(%x : tensor<2x8x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x8x3x16xf32>
  %1 = linalg.contract indexing_maps = [
      affine_map<(b, c, m, n, k) -> (b, c, m, k)>,
      affine_map<(b, c, m, n, k) -> (b, c, k, n)>,
      affine_map<(b, c, m, n, k) -> (b, c, m, n)>]
      ins(%u, %v : tensor<2x3x8x16xcomplex<f32>>, tensor<2x3x16x4xcomplex<f32>>)
      outs(%w : tensor<2x3x8x4xcomplex<f32>>) -> tensor<2x3x8x4xcomplex<f32>>
  return %0, %1 : tensor<2x8x3x16xf32>, tensor<2x3x8x4xcomplex<f32>>
}
