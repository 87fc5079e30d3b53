// REQUIRES: grout-compile
// RUN: grout-compile %s --target=h200 --no-reference --explain -o %t.grout | FileCheck %s
// RUN: grout-run %t.grout --info | FileCheck %s --check-prefix=INFO
// RUN: grout-compile %s --target=h200 --no-reference --mode=serial -o %t.serial.grout
// RUN: grout-run %t.serial.grout --info | FileCheck %s --check-prefix=SERIAL
// RUN: grout-compile %s --target=h200 --no-reference --mode=pdl -o %t.pdl.grout
// RUN: grout-run %t.pdl.grout --info | FileCheck %s --check-prefix=PDL

// Clusters are explained, and the runtime is told their size. A task is a tile,
// whatever the number of blocks that compute it.

// CHECK:      kernel matmul0
// CHECK:        tile        256 x 128, steps of 64, 4 stages
// CHECK-NEXT:   cluster     2 blocks of 128 x 128, rhs loaded once for 2
// CHECK-NEXT:   tiles       2 x 4 = 8, 4 steps each
// CHECK-NEXT:   waves       0.12 of 66 clusters
// CHECK:      kernel matmul1
// CHECK:        tile        128 x 128, steps of 64, 4 stages
// CHECK-NEXT:   cluster     2 blocks of 128 x 128, split-K by 2
// CHECK-NEXT:   tiles       4 x 8 = 32, 8 steps each
// CHECK:        semaphores  2 (0 to 1), complete after 4 posts each

// Kernels of their own have clusters of their own sizes, in mode overlap, too. In
// one kernel they must agree.
// RUN: sed -e 's/split_k = 2/split_k = 4/' %s > %t.sizes.mlir
// RUN: grout-compile %t.sizes.mlir --target=h200 --no-reference --mode=overlap -o %t.overlap.grout
// RUN: grout-run %t.overlap.grout --info | FileCheck %s --check-prefix=OVERLAP
// RUN: not grout-compile %t.sizes.mlir --target=h200 --no-reference -o %t.sizes.grout 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: its tiles take clusters of 4 blocks, but other tiles of its kernel clusters of 2

// OVERLAP: launch 0 'two_chain0_kernel0'
// OVERLAP:   clusters of 2,
// OVERLAP:   8 tasks, 2 semaphores
// OVERLAP: launch 1 'two_chain0_kernel1'
// OVERLAP:   clusters of 4,
// OVERLAP:   32 tasks, 0 semaphores

// INFO: launch 0 'two_chain0'
// INFO:   384 threads, clusters of 2,
// INFO:   40 tasks, 2 semaphores

// SERIAL: launch 0 'two_chain0_kernel0'
// SERIAL:   clusters of 2,
// SERIAL:   8 tasks, 0 semaphores
// SERIAL: launch 1 'two_chain0_kernel1'
// SERIAL:   clusters of 2,
// SERIAL:   32 tasks, 0 semaphores

// PDL: launch 1 'two_chain0_kernel1'
// PDL:   clusters of 2,
// PDL:   after launch 0, Programmatic

func.func @two(%x: tensor<512x256xf16>, %w1: tensor<256x512xf16>,
               %w2: tensor<512x1024xf16>) -> tensor<512x1024xf16> {
  %h = tgemm.matmul %x, %w1 {
    tiling = #tgemm.tiling<m = 256, n = 128, k = 64, stages = 4, cluster_m = 2>
  } : tensor<512x256xf16>, tensor<256x512xf16> -> tensor<512x512xf16>
  %o = tgemm.matmul %h, %w2 {
    tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4, split_k = 2>
  } : tensor<512x512xf16>, tensor<512x1024xf16> -> tensor<512x1024xf16>
  return %o : tensor<512x1024xf16>
}
