// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3
// RUN: grout-compile %s --mode=persistent -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3
// RUN: grout-compile %s --target=h200 -o %t.grout
// REQUIRES: grout-compile

// Operands that no statement reads, of any rank: a tile depends on nothing of
// them, or on all.

func.func @unread(%x: tensor<64x32xf32>, %scalar: tensor<f32>, %row: tensor<32xf32>, %e: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = scop.kernel ins(%x, %scalar, %row : tensor<64x32xf32>, tensor<f32>, tensor<32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%X: memref<64x32xf32>, %S: memref<f32>, %R: memref<32xf32>, %Y: memref<64x32xf32>):
    scop.stmt @S domain [64, 32]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<64x32xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x32xf32>) {
    ^bb0(%a: f32):
      %c = arith.addf %a, %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64x32xf32>
}
