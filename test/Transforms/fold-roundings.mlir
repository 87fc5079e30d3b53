// RUN: grout-opt %s --linalg-fold-roundings --split-input-file | FileCheck %s

#i = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @chain
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK:         %[[V:.*]] = tensor.expand_shape %[[S]] {{.*}} : tensor<8xf32> into tensor<2x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[V]] : tensor<2x4xf32>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %{{.*}}: f16):
// CHECK-NEXT:      math.exp %[[A]] : f32
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @chain(%x: tensor<8xf32>) -> tensor<2x4xf16> {
  %e = tensor.empty() : tensor<8xf16>
  %h = tensor.empty() : tensor<2x4xf16>
  %s = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a fastmath<contract> : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8xf16>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [2, 4] : tensor<8xf16> into tensor<2x4xf16>
  %u = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<2x4xf16>) outs(%h : tensor<2x4xf16>) {
  ^bb0(%a: f16, %o: f16):
    %w = arith.extf %a : f16 to f32
    %y = math.exp %w : f32
    %t = arith.truncf %y : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x4xf16>
  return %u : tensor<2x4xf16>
}

// -----

#i = affine_map<(d0) -> (d0)>

// Without the flag the rounding is done; so it is if the function returns it,
// or if it is not read as f32.

// CHECK-LABEL: func.func @kept
// CHECK-NOT:     tensor<8xf32>)
// CHECK:         arith.truncf %{{.*}} : f32 to f16
// CHECK:         arith.truncf %{{.*}} fastmath<contract> : f32 to f16
// CHECK:         arith.truncf %{{.*}} fastmath<contract> : f32 to f16
// CHECK:         arith.maximumf {{.*}} : f16
func.func @kept(%x: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) {
  %e = tensor.empty() : tensor<8xf16>
  %a = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%in: f16, %o: f16):
    %w = arith.extf %in : f16 to f32
    %t = arith.truncf %w : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8xf16>
  %b = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%in: f16, %o: f16):
    %w = arith.extf %in : f16 to f32
    %t = arith.truncf %w fastmath<contract> : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8xf16>
  %c = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%in: f16, %o: f16):
    %w = arith.extf %in : f16 to f32
    %t = arith.truncf %w fastmath<contract> : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8xf16>
  %d = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
      ins(%c, %x : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%in: f16, %y: f16, %o: f16):
    %t = arith.maximumf %in, %y : f16
    linalg.yield %t : f16
  } -> tensor<8xf16>
  return %a, %b, %d : tensor<8xf16>, tensor<8xf16>, tensor<8xf16>
}
