// RUN: grout-opt %s --tsync-verify=residents=64 | FileCheck %s

// What waits for the same in all of its 2^34 steps is looked at once, where the
// order is one in which tiles wait for later ones.

// CHECK: tsync.chain mode(serial) order {{.*}} residents(5)
#tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>
func.func @order(%x: tensor<128x1099511627776xf16>, %w: tensor<1099511627776x512xf16>)
    -> tensor<128x512xf16> {
  %0 = tsync.chain mode(serial)
      order [affine_map<(i, j, p) -> (1, i, j, p)>, affine_map<(i, j) -> (0, i, j, 0)>]
      : tensor<128x512xf16> {
    %s = tgemm.partial_sums %x, %w {tiling = #tiling}
      : tensor<128x1099511627776xf16>, tensor<1099511627776x512xf16> -> tensor<2x2x3x4096xf32>
    %y = tgemm.matmul %x, %w partial_sums(%s : tensor<2x2x3x4096xf32>) {tiling = #tiling}
      : tensor<128x1099511627776xf16>, tensor<1099511627776x512xf16> -> tensor<128x512xf16>
    tsync.dependence %s -> %y operand 2 policy
        <semaphore = affine_map<(i, j, p) -> (i, j)>, shape = [2, 2], counts = [3],
         lower = affine_map<(i, j, k) -> (i, j - 6)>,
         upper = affine_map<(i, j, k) -> (i, j - 6)>,
         guard = affine_map<(i, j) -> (j - 6)>>
        : tensor<2x2x3x4096xf32>, tensor<128x512xf16>
    tsync.yield %y : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}
