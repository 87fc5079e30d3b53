// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-schedule{tree=auto},scop-explain))' -o /dev/null | FileCheck %s

// CHECK:      memory-bound kernel 0
// CHECK-NEXT:   loop 0      4096, blocks
// CHECK-NEXT:   loop 1      1023, neighbouring threads, 8 at once, masked
// CHECK:          reads     input 0, f16, strides 1023 1: 1 instruction, 17 sectors a warp, 16 needed
func.func @odd_rows(%x: tensor<4096x1023xf16>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x1023xf16>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f16, %s: f32):
    %w = arith.extf %a : f16 to f32
    %c = arith.addf %s, %w : f32
    linalg.yield %c : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
