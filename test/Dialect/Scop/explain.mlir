// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-schedule{tree=auto},scop-explain))' -o /dev/null | FileCheck %s
// RUN: not grout-opt %s --pass-pipeline='builtin.module(func.func(convert-linalg-to-scop,scop-explain))' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'scop.kernel' op has no schedule; run scop-schedule first

// CHECK:      memory-bound kernel 0
// CHECK-NEXT:   loop 0      4096, blocks
// CHECK-NEXT:   loop 1      768, neighbouring threads, 8 at once
// CHECK-NEXT:   statement S0 loop 0
// CHECK-NEXT:     writes    output 0, f32, strides 1 0: 1 instruction, 1 sector a warp, 1 needed
// CHECK-NEXT:   statement S1 loops 0 1, combines
// CHECK-NEXT:     reads     input 0, f16, strides 768 1: 1 instruction, 16 sectors a warp, 16 needed
// CHECK-NEXT:     reads     output 0, f32, strides 1 0: 1 instruction, 1 sector a warp, 1 needed
// CHECK-NEXT:     writes    output 0, f32, strides 1 0: 1 instruction, 1 sector a warp, 1 needed
func.func @rows(%x: tensor<4096x768xf16>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x768xf16>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f16, %s: f32):
    %w = arith.extf %a : f16 to f32
    %c = arith.addf %s, %w : f32
    linalg.yield %c : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
