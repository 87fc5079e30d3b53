// REQUIRES: grout-compile
// RUN: split-file %s %t
// RUN: grout-compile %t/prompt.mlir --target=h200 --mode=auto --no-reference --explain -o %t.grout | FileCheck %t/prompt.mlir
// RUN: grout-compile %t/prompt.mlir --target=cpu --no-reference --explain -o %t.grout | FileCheck %t/prompt.mlir --check-prefix=CPU
// RUN: grout-compile %t/decode.mlir --target=h200 --mode=auto --no-reference --explain -o %t.grout | FileCheck %t/decode.mlir

//--- prompt.mlir
// CHECK:      kernel attention0 (tgemm.attention)
// CHECK-NEXT:   problem     1 x 12 heads of 64, of f16, 512 x 512 (queries x keys), causal
// CHECK-NEXT:   tile        64 x 1 (queries x heads), steps of 128 keys, 4 stages
// CHECK-NEXT:   warpgroups  2, which split the steps
// CHECK-NEXT:   tiles       1 x 12 x 8 = 96, 4 steps each
// CPU:        kernel attention0 (tgemm.attention)
// CPU-NEXT:     problem     1 x 12 heads of 64, of f16, 512 x 512 (queries x keys), causal
// CPU-NEXT:     tile        64 x 1 (queries x heads), steps of 64 keys, 1 stage
// CPU-NEXT:     tiles
func.func @prompt(%x: tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16> {
  %0 = tgemm.attention %x, %x, %x {scale = 0.125 : f32, causal = 0} : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16> -> tensor<1x12x512x64xf16>
  return %0 : tensor<1x12x512x64xf16>
}

//--- decode.mlir
// CHECK:      kernel attention0 (tgemm.attention)
// CHECK-NEXT:   problem     1 x 32 heads of 128, of f16, 1 x 2048 (queries x keys)
// CHECK-NEXT:   tile        16 x 4 (queries x heads), steps of 64 keys, 2 stages
// CHECK-NEXT:   cluster     8 blocks, which split the steps
// CHECK-NEXT:   tiles       1 x 8 x 1 = 8, 32 steps each
func.func @decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x2048x128xf16>) -> tensor<1x32x1x128xf16> {
  %0 = tgemm.attention %q, %k, %k {scale = 0.125 : f32} : tensor<1x32x1x128xf16>, tensor<1x8x2048x128xf16>, tensor<1x8x2048x128xf16> -> tensor<1x32x1x128xf16>
  return %0 : tensor<1x32x1x128xf16>
}
