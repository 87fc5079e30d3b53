// RUN: grout-opt %s --canonicalize --linalg-fold-roundings | FileCheck %s

#i = affine_map<(d0) -> (d0)>

// Once the maximum is folded, an extension to f32 is the first op of its body
// and the element's first use. The pass erases it, and then an op follows that
// needs the rounded element.

// CHECK:      linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf64>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32, %{{.*}}: f64):
// CHECK-NEXT:   %[[T:.*]] = arith.truncf %[[A]] : f32 to bf16
// CHECK-NEXT:   %[[W:.*]] = arith.extf %[[T]] : bf16 to f64
// CHECK-NEXT:   linalg.yield %[[A]], %[[W]] : f32, f64
func.func @two_types(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf64>) {
  %e = tensor.empty() : tensor<8xbf16>
  %f = tensor.empty() : tensor<8xf32>
  %g = tensor.empty() : tensor<8xf64>
  %s = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a fastmath<contract> : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8xbf16>
  %u:2 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
      ins(%s : tensor<8xbf16>) outs(%f, %g : tensor<8xf32>, tensor<8xf64>) {
  ^bb0(%a: bf16, %o: f32, %p: f64):
    %m = arith.maximumf %a, %a : bf16
    %n = arith.extf %m : bf16 to f32
    %w = arith.extf %a : bf16 to f64
    linalg.yield %n, %w : f32, f64
  } -> (tensor<8xf32>, tensor<8xf64>)
  return %u#0, %u#1 : tensor<8xf32>, tensor<8xf64>
}
