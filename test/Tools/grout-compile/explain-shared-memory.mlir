// REQUIRES: grout-compile
// RUN: grout-compile %s --target=h200 --emit=ptx --explain -o %t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// A kernel's own shared memory is what its code declares, and its grid is fixed.

// CHECK:      launch transposed_kernel0
// CHECK-NEXT:   threads         256 in a block, 2048 blocks
// CHECK-NEXT:   shared memory   16640 of 232448 bytes
// PTX: .shared .align 16 .b8 {{.*}}[16640];
func.func @transposed(%x: tensor<4096x2048xf32>) -> tensor<2048x4096xf32> {
  %e = tensor.empty() : tensor<2048x4096xf32>
  %r = linalg.transpose ins(%x : tensor<4096x2048xf32>)
      outs(%e : tensor<2048x4096xf32>) permutation = [1, 0]
  return %r : tensor<2048x4096xf32>
}
