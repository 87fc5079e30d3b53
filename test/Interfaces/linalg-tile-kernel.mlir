// RUN: grout-opt %s -split-input-file -tsync-derive-dependences | FileCheck %s

// linalg ops take part in chains by an external model: everything is read off
// their loops and indexing maps.

// An elementwise op with a transposed operand, in tiles half as wide as those
// that it reads.
// CHECK-LABEL: func.func @generic
// CHECK: tsync.dependence {{.*}} relation "{ generic1[i0, i1, 0] -> matmul0[i1, o1] : i0 >= 0 and 0 <= i1 <= 1 and o1 <= 1 and -1 + i0 <= 2o1 <= i0 }"
func.func @generic(%x: tensor<64x64xf32>, %w: tensor<64x128xf32>, %y: tensor<64x128xf32>, %z: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %0 = tsync.chain mode(serial) : tensor<128x64xf32> {
    %h = linalg.matmul {grout.tile_sizes = array<i64: 32, 64, 16>} ins(%x, %w : tensor<64x64xf32>, tensor<64x128xf32>) outs(%y : tensor<64x128xf32>) -> tensor<64x128xf32>
    %t = linalg.generic {
      grout.tile_sizes = array<i64: 32, 32>,
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
    } ins(%h : tensor<64x128xf32>) outs(%z : tensor<128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = math.exp %in : f32
      linalg.yield %e : f32
    } -> tensor<128x64xf32>
    tsync.yield %t : tensor<128x64xf32>
  }
  return %0 : tensor<128x64xf32>
}

// -----

// A named transpose of a batch; each step of the product reads two of its tiles.
// CHECK-LABEL: func.func @batch
// CHECK: tsync.dependence {{.*}} relation "{ batch_matmul1[i0, 0, 0, i3] -> transpose0[i0, o1, i3] : 0 <= i0 <= 1 and 0 <= i3 <= 1 and 0 <= o1 <= 1 }"
func.func @batch(%x: tensor<2x64x32xf32>, %e: tensor<2x32x64xf32>, %w: tensor<2x64x16xf32>, %y: tensor<2x32x16xf32>) -> tensor<2x32x16xf32> {
  %0 = tsync.chain mode(serial) : tensor<2x32x16xf32> {
    %t = linalg.transpose ins(%x : tensor<2x64x32xf32>) outs(%e : tensor<2x32x64xf32>) permutation = [0, 2, 1] {grout.tile_sizes = array<i64: 1, 16, 32>}
    %o = linalg.batch_matmul {grout.tile_sizes = array<i64: 1, 32, 16, 32>} ins(%t, %w : tensor<2x32x64xf32>, tensor<2x64x16xf32>) outs(%y : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    tsync.yield %o : tensor<2x32x16xf32>
  }
  return %0 : tensor<2x32x16xf32>
}

// -----

// Windows of a 3 x 3 convolution: two rows of results read four, which may lie in
// two tiles of five.
// CHECK-LABEL: func.func @convolution
// CHECK: tsync.dependence {{.*}} relation "{ conv_2d_nhwc_hwcf1[0, i1, 0, 0, 0] -> conv_2d_nhwc_hwcf0[0, o1, 0, 0] : 0 <= i1 <= 3 and -4 + 2i1 <= 5o1 <= 3 + 2i1 }"
func.func @convolution(%x: tensor<1x12x12x4xf32>, %w: tensor<3x3x4x4xf32>, %y: tensor<1x10x10x4xf32>, %z: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %0 = tsync.chain mode(serial) : tensor<1x8x8x4xf32> {
    %h = linalg.conv_2d_nhwc_hwcf {grout.tile_sizes = array<i64: 1, 5, 10, 4, 3, 3, 4>} ins(%x, %w : tensor<1x12x12x4xf32>, tensor<3x3x4x4xf32>) outs(%y : tensor<1x10x10x4xf32>) -> tensor<1x10x10x4xf32>
    %o = linalg.conv_2d_nhwc_hwcf {grout.tile_sizes = array<i64: 1, 2, 8, 4, 3, 3, 4>} ins(%h, %w : tensor<1x10x10x4xf32>, tensor<3x3x4x4xf32>) outs(%z : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    tsync.yield %o : tensor<1x8x8x4xf32>
  }
  return %0 : tensor<1x8x8x4xf32>
}
