// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-schedule{tree=auto},scop-explain))' -o /dev/null | FileCheck %s

// What is read across goes through shared memory: a warp reads it along the
// other loop, in whole sectors.

// CHECK:      memory-bound kernel 0
// CHECK-NEXT:   loop 0      2048, other threads of a block
// CHECK-NEXT:   loop 1      4096, neighbouring threads, 8 at once
// CHECK-NEXT:   tile        64 of loop 0, 64 of loop 1
// CHECK-NEXT:   statement S0 loops 0 1
// CHECK-NEXT:     reads     input 0, f16, strides 1 2048, along loop 0 to shared memory: 1 instruction, 16 sectors a warp, 16 needed
// CHECK-NEXT:     reads     input 1, f16, strides 1 0: 1 instruction, 1 sector a warp, 1 needed
// CHECK-NEXT:     writes    output 0, f16, strides 4096 1: 1 instruction, 16 sectors a warp, 16 needed
func.func @transposed(%x: tensor<4096x2048xf16>, %b: tensor<2048xf16>) -> tensor<2048x4096xf16> {
  %e = tensor.empty() : tensor<2048x4096xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4096x2048xf16>, tensor<2048xf16>) outs(%e : tensor<2048x4096xf16>) {
  ^bb0(%a: f16, %c: f16, %o: f16):
    %s = arith.addf %a, %c : f16
    linalg.yield %s : f16
  } -> tensor<2048x4096xf16>
  return %r : tensor<2048x4096xf16>
}
