// RUN: grout-compile %s --target=h200 --mode=pdl --no-reference --explain -o %t.grout | FileCheck %s

// What is said of tiles in parts.

// CHECK:      kernel partial_sums1 (tgemm.partial_sums)
// CHECK-NEXT:   tiles       1 x 12 x 1 = 12, 48 steps each
// CHECK-NEXT:   waves       0.18 of 66 clusters
// CHECK:        start       before matmul0 has ended
// CHECK-NEXT:   operand 0   loaded after the wait: matmul0 writes it
// CHECK-NEXT:   operand 1   loaded without a wait: no kernel of the chain writes it
// CHECK:      kernel matmul2 (tgemm.matmul)
// CHECK:        cluster     2 blocks of 128 x 192, rhs loaded once for 2
// CHECK-NEXT:   parts       2 of each of the last 12 tiles (12 columns), 48 steps each; sums take 2.4 MB
// CHECK-NEXT:   tiles       1 x 32 = 32, 96 steps each
// CHECK:        each alone {{.*}} sums {{[0-9.]+}}
// CHECK:        start       in one launch with partial_sums1
// CHECK:      edge matmul0 -> partial_sums1 (operand 0)
// CHECK:        policy      none: kernels wait for kernels
// CHECK:      edge partial_sums1 -> matmul2 (operand 2)
// CHECK:        semaphores  12 (0 to 11), complete after 1 posts each
// CHECK-NEXT:   waits       0 in the first tile of matmul2, of 96 steps
// CHECK:      proof         every read is covered, no overwrite is lost, no deadlock with 1 resident tile or more

func.func @two(%x: tensor<256x1024xf16>, %w1: tensor<1024x6144xf16>, %w2: tensor<6144x6144xf16>) -> tensor<256x6144xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 192, k = 64, stages = 4>}
    : tensor<256x1024xf16>, tensor<1024x6144xf16> -> tensor<256x6144xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 4, cluster_m = 2, stream_k = 2, tail = 12>}
    : tensor<256x6144xf16>, tensor<6144x6144xf16> -> tensor<256x6144xf16>
  return %y : tensor<256x6144xf16>
}
