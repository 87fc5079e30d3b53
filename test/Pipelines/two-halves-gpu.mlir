// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=pdl" | grout-compile - --target=h200 --mode=pdl -o %t.grout
// RUN: grout-run %t.grout --info | FileCheck %s
// REQUIRES: grout-compile

// The kernels of a reference pass from half to half for a GPU, too.

// CHECK: plan on the GPU
// CHECK: launch 1 'two_chain0_kernel1'
// CHECK: reference plan on the GPU
// CHECK: launch 0 'two_reference_kernel0'
func.func @two(%x: tensor<256x128xf16>, %w1: tensor<128x256xf16>, %w2: tensor<256x128xf16>) -> tensor<256x128xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<256x128xf16>, tensor<128x256xf16> -> tensor<256x256xf16>
  %y = tgemm.matmul %h, %w2 : tensor<256x256xf16>, tensor<256x128xf16> -> tensor<256x128xf16>
  return %y : tensor<256x128xf16>
}
