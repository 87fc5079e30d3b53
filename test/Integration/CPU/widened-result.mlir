// A result of f16 of which sums are f32: the product stores f16.
//
// RUN: grout-compile %s --target=cpu -o %t.cpu
// RUN: grout-run %t.cpu --device=cpu --check | FileCheck %s
// RUN: grout-compile %s --target=h200 --mode=auto --explain -o %t.h200 | FileCheck %s --check-prefix=READS

// CHECK: passes
// READS: memory-bound kernel 0
// READS: reads input 0, f16, strides 72 1

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @main(%x: tensor<50x40xf16>, %w: tensor<40x72xf16>) -> tensor<50xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<50x72xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<50x72xf32>) -> tensor<50x72xf32>
  %p = linalg.matmul ins(%x, %w : tensor<50x40xf16>, tensor<40x72xf16>)
      outs(%init : tensor<50x72xf32>) -> tensor<50x72xf32>
  %e1 = tensor.empty() : tensor<50x72xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<50x72xf32>) outs(%e1 : tensor<50x72xf16>) {
  ^bb0(%v: f32, %_: f16):
    %0 = arith.truncf %v : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<50x72xf16>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<50x72xf16>) outs(%e0 : tensor<50x72xf32>) {
  ^bb0(%v: f16, %_: f32):
    %0 = arith.extf %v : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<50x72xf32>
  %e2 = tensor.empty() : tensor<50xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e2 : tensor<50xf32>) -> tensor<50xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<50x72xf32>) outs(%none : tensor<50xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %square = arith.mulf %v, %v : f32
    %0 = arith.addf %square, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<50xf32>
  return %sums : tensor<50xf32>
}
