// RUN: grout-compile %s --target=h200 --mode=serial --no-reference --emit=mlir -o - | FileCheck %s

// A mean and a variance of groups of a concatenation. Both reductions have
// launches of their own, which read the same concatenation: one launch makes it.

// CHECK:     launch.buffer {{.*}} : memref<2621440xf16>
// CHECK-NOT: launch.buffer {{.*}} : memref<2621440x

#id = affine_map<(g, c, p) -> (g, c, p)>
#group = affine_map<(g, c, p) -> (g)>
#one = affine_map<(g) -> (g)>

func.func @groups(%a: tensor<320x4096xf16>, %b: tensor<320x4096xf16>) -> (tensor<32xf32>, tensor<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = tensor.concat dim(0) %a, %b : (tensor<320x4096xf16>, tensor<320x4096xf16>) -> tensor<640x4096xf16>
  %g = tensor.expand_shape %x [[0, 1], [2]] output_shape [32, 20, 4096] : tensor<640x4096xf16> into tensor<32x20x4096xf16>
  %e = tensor.empty() : tensor<32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #group], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%g : tensor<32x20x4096xf16>) outs(%start : tensor<32xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<32xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%sum : tensor<32xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.constant 81920.0 : f32
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<32xf32>
  %squares = linalg.generic {indexing_maps = [#id, #group, #group], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%g, %mean : tensor<32x20x4096xf16>, tensor<32xf32>) outs(%start : tensor<32xf32>) {
  ^bb0(%in: f16, %m: f32, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.subf %0, %m : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %out : f32
    linalg.yield %3 : f32
  } -> tensor<32xf32>
  return %mean, %squares : tensor<32xf32>, tensor<32xf32>
}
