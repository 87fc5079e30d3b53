// REQUIRES: grout-compile
// RUN: grout-compile %s --target=h200 --mode=persistent --no-reference --explain -o %t.grout 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.errors
// RUN: grout-run %t.grout --info | FileCheck %s --check-prefix=INFO

// A chain of the input keeps its mode, which is said, explained, and what the
// artifact says of itself.

// CHECK: chain 0, mode pdl
// CHECK: launch given_chain0_kernel1
// SAID: given-mode.mlir:[[@LINE+4]]:8: remark: the chain stays in mode pdl
// INFO: given for h200, mode pdl
// INFO: after launch 0, Programmatic
func.func @given(%x: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %0 = tsync.chain mode(pdl) : tensor<256x256xf16> {
    %h = tgemm.matmul %x, %x : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    %y = tgemm.matmul %x, %h : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    tsync.yield %y : tensor<256x256xf16>
  }
  return %0 : tensor<256x256xf16>
}
