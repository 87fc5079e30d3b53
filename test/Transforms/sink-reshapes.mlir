// RUN: grout-opt %s --linalg-sink-reshapes | FileCheck %s

#row = affine_map<(b, i, n) -> (n)>
#all = affine_map<(b, i, n) -> (b, i, n)>
#keep = affine_map<(b, i, n) -> (b, i)>

// A product of all rows of a batch, a bias, a residual: all of it is on the
// matrix, and reshaped at the end.

// CHECK-LABEL: func.func @residual
// CHECK-SAME:    %[[X:.*]]: tensor<16x8xf32>, %[[W:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4xf32>, %[[R:.*]]: tensor<2x8x4xf32>
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[B]] : tensor<16x4xf32>, tensor<4xf32>)
// CHECK:         %[[RC:.*]] = tensor.collapse_shape %[[R]] {{\[\[}}0, 1], [2]]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[RC]] : tensor<16x4xf32>, tensor<16x4xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]]
// CHECK:         return %[[E]]
func.func @residual(%x: tensor<16x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>, %r: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x4xf32>) outs(%z : tensor<16x4xf32>) -> tensor<16x4xf32>
  %c = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %e3 = tensor.empty() : tensor<2x8x4xf32>
  %s = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x8x4xf32>, tensor<4xf32>) outs(%e3 : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %t = arith.addf %a, %d : f32
    linalg.yield %t : f32
  } -> tensor<2x8x4xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %r : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%e3 : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %t = arith.addf %a, %d : f32
    linalg.yield %t : f32
  } -> tensor<2x8x4xf32>
  return %y : tensor<2x8x4xf32>
}

// What is no product, or is used by a reduction, stays as it is.

// CHECK-LABEL: func.func @others
// CHECK:         %[[C:.*]] = tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%[[C]] : tensor<2x8x4xf32>)
// CHECK:         linalg.matmul
// CHECK:         %[[D:.*]] = tensor.expand_shape
// CHECK:         linalg.generic {{.*}} "reduction"]} ins(%[[D]] : tensor<2x8x4xf32>)
func.func @others(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>) -> (tensor<2x8x4xf32>, tensor<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %e3 = tensor.empty() : tensor<2x8x4xf32>
  %n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x8x4xf32>) outs(%e3 : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<2x8x4xf32>
  %e = tensor.empty() : tensor<16x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x4xf32>) outs(%z : tensor<16x4xf32>) -> tensor<16x4xf32>
  %d = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %e2 = tensor.empty() : tensor<2x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %s = linalg.generic {indexing_maps = [#all, #keep], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d : tensor<2x8x4xf32>) outs(%z2 : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x8xf32>
  return %n, %s : tensor<2x8x4xf32>, tensor<2x8xf32>
}

// Loops of extent 1 that are joined with others leave no remainders behind, so
// that a causal mask stays one.

// CHECK-LABEL: func.func @mask
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 1
// CHECK-NOT:       arith.remsi
// CHECK:           %[[J:.*]] = linalg.index 2
// CHECK:           arith.cmpi sle, %[[J]], %[[I]]
// CHECK:         tensor.expand_shape
func.func @mask(%q: tensor<4x8x16xf32>, %k: tensor<4x16x8xf32>) -> tensor<4x1x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.batch_matmul ins(%q, %k : tensor<4x8x16xf32>, tensor<4x16x8xf32>) outs(%z : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %s = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [4, 1, 8, 8] : tensor<4x8x8xf32> into tensor<4x1x8x8xf32>
  %e4 = tensor.empty() : tensor<4x1x8x8xf32>
  %m = linalg.generic {
    indexing_maps = [affine_map<(b, r, i, j) -> (b, r, i, j)>, affine_map<(b, r, i, j) -> (b, r, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%s : tensor<4x1x8x8xf32>) outs(%e4 : tensor<4x1x8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi sle, %j, %i : index
    %t = arith.select %c, %a, %zero : f32
    linalg.yield %t : f32
  } -> tensor<4x1x8x8xf32>
  return %m : tensor<4x1x8x8xf32>
}
