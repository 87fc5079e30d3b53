// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --rounding=operator --emit=ptx -o - | FileCheck %s --check-prefix=EXACT

// With --rounding=operator nothing fuses a product and a sum, and quotients are
// those of IEEE 754.

// CHECK:     cvt.f32.f16
// CHECK-NOT: mul.rn
// CHECK:     fma.rn.f32
// CHECK:     div.full.f32

// EXACT-NOT: fma.rn.f16
// EXACT:     mul.rn.f16
// EXACT-NOT: fma.rn.f16
// EXACT:     add.rn.f16
// EXACT:     div.rn.f32
func.func @chain(%x: tensor<64x256xf16>, %y: tensor<64x256xf16>) -> tensor<64x256xf16> {
  %e = tensor.empty() : tensor<64x256xf16>
  %t = linalg.mul ins(%y, %x : tensor<64x256xf16>, tensor<64x256xf16>)
      outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
  %u = linalg.add ins(%t, %y : tensor<64x256xf16>, tensor<64x256xf16>)
      outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
  %v = linalg.div ins(%u, %x : tensor<64x256xf16>, tensor<64x256xf16>)
      outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
  return %v : tensor<64x256xf16>
}
