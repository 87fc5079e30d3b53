// REQUIRES: grout-compile
// RUN: grout-compile %s --target=h200 --no-reference --explain -o %t.grout | FileCheck %s

// CHECK: problem     64 x 4096 x 512 (M x N x K), 1 product of bf16, summed over 4 ranks
// CHECK: each alone {{.*}}, ranks {{[1-9][0-9.]+}}, clusters
func.func @f(%x: tensor<64x512xbf16>, %w: tensor<512x4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = tgemm.matmul %x, %w : tensor<64x512xbf16>, tensor<512x4096xbf16> -> tensor<64x4096xbf16>
  %1 = collective.all_reduce %0 ranks 4 channel 0 : tensor<64x4096xbf16>
  return %1 : tensor<64x4096xbf16>
}
