// RUN: grout-opt %s --convert-linalg-to-tgemm=remark-memory-bound=false | FileCheck %s

// An output of which an op keeps nothing is no use of what it starts as; one of
// which it writes a part is.

// CHECK-LABEL: func.func @replaced
// CHECK-NOT:     linalg.fill
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK:         linalg.exp {{.*}} outs(%[[EMPTY]]
func.func @replaced(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%ones : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @every_second
// CHECK:         %[[ONES:.*]] = linalg.fill
// CHECK:         linalg.generic {{.*}} outs(%[[ONES]]
func.func @every_second(%x: tensor<4xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%ones : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
