// RUN: not grout-compile %s --target=cpu --explain -o %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t.errors

// A chain whose mode the target does not have is explained, without what the
// model says of modes of GPUs, and refused.

// CHECK: chain 0, mode pdl, target cpu
// CHECK: kernel matmul1
// CHECK-NOT: by tile
// ERROR: error: {{.*}} cannot be compiled for cpu: it has no programmatic dependent launch

func.func @early(%x: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %0 = tsync.chain mode(pdl) : tensor<256x256xf16> {
    %h = tgemm.matmul %x, %x : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    %y = tgemm.matmul %x, %h : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    tsync.yield %y : tensor<256x256xf16>
  }
  return %0 : tensor<256x256xf16>
}
