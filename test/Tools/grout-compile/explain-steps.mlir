// RUN: not grout-compile %s --target=cpu --explain -o %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors

// Steps that wait for the same are not looked at one by one.

// CHECK: edge kernel0 -> generic1
// CHECK: waits       1 in the first tile of generic1, of 21990232556 steps
// ERROR: error: cannot be compiled: 'tensor<8x1099511627776xf16>' in its signature has more than

func.func @steps(%a: tensor<8x1099511627776xf16>, %b: tensor<1099511627776x8xf16>, %c: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %product = linalg.matmul {grout.tile_sizes = array<i64: 4, 4, 50>}
    ins(%a, %b : tensor<8x1099511627776xf16>, tensor<1099511627776x8xf16>) outs(%c : tensor<8x8xf16>) -> tensor<8x8xf16>
  return %product : tensor<8x8xf16>
}
