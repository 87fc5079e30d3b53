// RUN: grout-opt %s --linalg-sink-reshapes | FileCheck %s

// However many ops a reshape goes behind.

#each = {indexing_maps = [affine_map<(b, i, n) -> (b, i, n)>, affine_map<(b, i, n) -> (b, i, n)>], iterator_types = ["parallel", "parallel", "parallel"]}

// CHECK-LABEL: func.func @long
// CHECK-COUNT-16: linalg.generic {{.*}} outs(%{{.*}} : tensor<16x4xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape
// CHECK-NEXT:    return %[[E]]
func.func @long(%x: tensor<16x8xf32>, %w: tensor<8x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x4xf32>) outs(%z : tensor<16x4xf32>) -> tensor<16x4xf32>
  %y0 = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %o = tensor.empty() : tensor<2x8x4xf32>
  %y1 = linalg.generic #each ins(%y0 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y2 = linalg.generic #each ins(%y1 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y3 = linalg.generic #each ins(%y2 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y4 = linalg.generic #each ins(%y3 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y5 = linalg.generic #each ins(%y4 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y6 = linalg.generic #each ins(%y5 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y7 = linalg.generic #each ins(%y6 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y8 = linalg.generic #each ins(%y7 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y9 = linalg.generic #each ins(%y8 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y10 = linalg.generic #each ins(%y9 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y11 = linalg.generic #each ins(%y10 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y12 = linalg.generic #each ins(%y11 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y13 = linalg.generic #each ins(%y12 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y14 = linalg.generic #each ins(%y13 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y15 = linalg.generic #each ins(%y14 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = arith.negf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  %y16 = linalg.generic #each ins(%y15 : tensor<2x8x4xf32>) outs(%o : tensor<2x8x4xf32>) { ^bb0(%a: f32, %b: f32): %c = math.absf %a : f32 linalg.yield %c : f32 } -> tensor<2x8x4xf32>
  return %y16 : tensor<2x8x4xf32>
}
