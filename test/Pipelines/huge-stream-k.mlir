// RUN: not grout-compile %s --target=h200 -o %t.grout 2>&1 | FileCheck %s

// 2^46 tiles in parts are modelled in rounds, not one after the other.
// CHECK: error: cannot be compiled: 'tensor<536870912x536870912xf16>' in its signature has more than 1099511627776 bytes
func.func @f(%a: tensor<536870912x256xf16>, %b: tensor<256x536870912xf16>) -> tensor<536870912x536870912xf16> {
  %0 = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 3>}
      : tensor<536870912x256xf16>, tensor<256x536870912xf16> -> tensor<536870912x536870912xf16>
  return %0 : tensor<536870912x536870912xf16>
}
