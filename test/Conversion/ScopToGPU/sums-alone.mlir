// RUN: grout-compile %s --target=h200 --emit=ptx -o %t.ptx && FileCheck %s --input-file=%t.ptx
// REQUIRES: grout-compile

// A thread that sums up few points alone has code for each of them, with their
// loads on their way at once, and exchanges nothing.

// CHECK-LABEL:    .entry alone_kernel0(
// CHECK-NOT:      bar.sync
// CHECK-NOT:      shfl
// CHECK-COUNT-25: ld.global.v4.b16
// CHECK-NOT:      ld.global
// CHECK:          ret
func.func @alone(%x: tensor<64x25x1024xf16>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x25x1024xf16>) outs(%z : tensor<64x1024xf32>) {
  ^bb0(%a: f16, %s: f32):
    %f = arith.extf %a : f16 to f32
    %next = arith.addf %s, %f : f32
    linalg.yield %next : f32
  } -> tensor<64x1024xf32>
  return %y : tensor<64x1024xf32>
}
