// RUN: grout-opt %s -split-input-file -tsync-derive-dependences | FileCheck %s --check-prefix=RELATION
// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=row -tsync-assign-order -tsync-verify | FileCheck %s --check-prefix=ROW
// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=tile -tsync-assign-order -tsync-verify | FileCheck %s --check-prefix=TILE
// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=kernel -tsync-assign-order -tsync-verify | FileCheck %s --check-prefix=KERNEL

// A tile of a convolution waits for the tiles that it reads a halo of.

// Two rows of an image are a tile: it reads two more, which the tiles above and
// below wrote, and both tiles of their features. Not those of another image.

// RELATION-LABEL: func.func @halo
// RELATION:       tsync.dependence {{.*}} operand 0 relation "{ conv2d1[i0, 0, i2] -> conv2d0[o0, o1] :
// RELATION-SAME:    -8 + 6i0 + i2 <= 6o0 <= 6i0 + i2 and 0 <= o1 <= 1 and -7 + o0 <= 8*floor((i0)/8) <= o0 }"

// ROW-DAG:   #[[POST:.*]] = affine_map<(d0, d1) -> (d0)>
// ROW-DAG:   #[[ABOVE:.*]] = affine_map<(d0, d1, d2) -> (d0 - 1)>
// ROW-DAG:   #[[BELOW:.*]] = affine_map<(d0, d1, d2) -> (d0 + 1)>
// ROW-LABEL: func.func @halo
// ROW:       tsync.dependence {{.*}} policy <semaphore = #[[POST]], shape = [16], counts = [2], lower = #[[ABOVE]], upper = #[[BELOW]]>

// The filter's first row needs the tile above, and its last one that below: three
// steps of each.

// TILE-DAG:   #[[POST:.*]] = affine_map<(d0, d1) -> (d0)>
// TILE-DAG:   #[[FROM:.*]] = affine_map<(d0, d1, d2) -> ((d0 * 6 + d2 - 3) floordiv 6)>
// TILE-DAG:   #[[TO:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2 floordiv 6)>
// TILE-LABEL: func.func @halo
// TILE:       tsync.dependence {{.*}} policy <semaphore = #[[POST]], shape = [16], counts = [2], lower = #[[FROM]], upper = #[[TO]]>

// KERNEL-LABEL: func.func @halo
// KERNEL:       tsync.dependence {{.*}} policy <semaphore = #{{.*}}, shape = [], counts = [32]
func.func @halo(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<256x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 32, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// A filter of one row has no halo, whatever its columns are.

// RELATION-LABEL: func.func @columns
// RELATION:       relation "{ conv2d1[i0, 0, i2] -> conv2d0[i0, 0] :
// ROW-DAG:   #[[SAME:.*]] = affine_map<(d0, d1, d2) -> (d0, 0)>
// ROW-LABEL: func.func @columns
// ROW:       shape = [16, 1], counts = [1], lower = #[[SAME]], upper = #[[SAME]]>
func.func @columns(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x1x5x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<256x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 2, 2>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x1x5x64xf16> -> tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// Dilated by four, rows are read that are two tiles away, and none between.

// RELATION-LABEL: func.func @dilated
// RELATION:       relation "{ conv2d1[i0, 0, i2] -> conv2d0[o0, 0] : (i0 + o0) mod 2 = 0 and
// ROW-DAG:   #[[ABOVE:.*]] = affine_map<(d0, d1, d2) -> (d0 - 2, 0)>
// ROW-LABEL: func.func @dilated
// ROW:       shape = [16, 1], counts = [1], lower = #[[ABOVE]],
func.func @dilated(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<256x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 4, 1>, padding = array<i64: 4, 4, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// With a stride, a tile of two rows reads five: those of two tiles, and one of the
// tile above. Tiles have semaphores of their own, though those that nothing else
// reads could share one.

// RELATION-LABEL: func.func @strided
// RELATION:       relation "{ conv2d1[i0, 0, i2] -> conv2d0[o0, 0] : i0 <= 7 and 0 <= i2 <= 8 and o0 >= -1 + 2i0 and 0 <= o0 <= 1 + 2i0 }"
// ROW-DAG:   #[[ABOVE:.*]] = affine_map<(d0, d1, d2) -> (d0 * 2 - 1, 0)>
// ROW-DAG:   #[[BELOW:.*]] = affine_map<(d0, d1, d2) -> (d0 * 2 + 1, 0)>
// ROW-LABEL: func.func @strided
// ROW:       shape = [16, 1], counts = [1], lower = #[[ABOVE]], upper = #[[BELOW]]>
func.func @strided(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 0, 1, 0>,
      tiling = #tgemm.tiling<m = 8, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// Tiles that are no whole rows, of an image and of its half: a line bounds what
// each waits for: 0 to 4, 2 to 8 and so on, and a tile more on either side.

// ROW-DAG:   #[[FROM:.*]] = affine_map<(d0, d1, d2) -> (d0 * 4 - 3, 0)>
// ROW-DAG:   #[[TO:.*]] = affine_map<(d0, d1, d2) -> (d0 * 4 + 5, 0)>
// ROW-LABEL: func.func @split_rows
// ROW:       shape = [49, 1], counts = [1], lower = #[[FROM]], upper = #[[TO]]>
func.func @split_rows(%x: tensor<1x56x56x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<784x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<784x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16> -> tensor<3136x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [1, 56, 56, 64] : tensor<3136x64xf16> into tensor<1x56x56x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 0, 1, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16> -> tensor<784x64xf16>
    tsync.yield %y : tensor<784x64xf16>
  }
  return %0 : tensor<784x64xf16>
}

// -----

// Whole images are tiles: each waits for its own.

// ROW-DAG:   #[[SAME:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// ROW-LABEL: func.func @images
// ROW:       shape = [4], counts = [2], lower = #[[SAME]], upper = #[[SAME]]>
func.func @images(%x: tensor<4x7x7x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<196x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<196x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 49, n = 32, k = 64>} : tensor<4x7x7x64xf16>, tensor<64x3x3x64xf16> -> tensor<196x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [4, 7, 7, 64] : tensor<196x64xf16> into tensor<4x7x7x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 49, n = 64, k = 64>} : tensor<4x7x7x64xf16>, tensor<64x3x3x64xf16> -> tensor<196x64xf16>
    tsync.yield %y : tensor<196x64xf16>
  }
  return %0 : tensor<196x64xf16>
}

// -----

// Through the epilogue, a tile reads its own pixels, once; through the filter, the
// tiles of its features, and in a step the one of an element of it.

// RELATION-LABEL: func.func @operands
// RELATION:       operand 1 relation "{ conv2d2[i0, i1, i2] -> matmul1[i1, o1] :
// RELATION:       operand 2 relation "{ conv2d2[i0, i1, i2] -> conv2d0[i0, i1] :
// ROW-LABEL: func.func @operands
// ROW:       operand 1 {{.*}} shape = [2], counts = [9]
// ROW:       operand 2 {{.*}} shape = [16, 2], counts = [1]
// TILE-DAG:   #[[STEP:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// TILE-LABEL: func.func @operands
// TILE:       operand 1 {{.*}} shape = [2, 9], counts = [1], lower = #[[STEP]], upper = #[[STEP]]>
func.func @operands(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x576xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<256x64xf16> {
    %r = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 32, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %m = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 32, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x576xf16> -> tensor<64x576xf16>
    %v = tensor.expand_shape %m [[0], [1, 2, 3]] output_shape [64, 3, 3, 64] : tensor<64x576xf16> into tensor<64x3x3x64xf16>
    %y = tgemm.conv2d %x, %v epilogue(%r : tensor<256x64xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 16, n = 32, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// Of two groups, a tile waits for the tiles that have the channels of its own.

// RELATION-LABEL: func.func @groups
// RELATION:       relation "{ conv2d1[i0, i1, 0] -> conv2d0[i0, i1] :
// ROW-LABEL: func.func @groups
// TILE-LABEL: func.func @groups
func.func @groups(%x: tensor<1x16x8x64xf16>, %w: tensor<128x3x3x64xf16>, %v: tensor<64x1x1x64xf16>) -> tensor<128x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<128x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<1x16x8x64xf16>, tensor<128x3x3x64xf16> -> tensor<128x128xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [1, 16, 8, 128] : tensor<128x128xf16> into tensor<1x16x8x128xf16>
    %y = tgemm.conv2d %i, %v {groups = 2 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 16, n = 32, k = 64>} : tensor<1x16x8x128xf16>, tensor<64x1x1x64xf16> -> tensor<128x64xf16>
    tsync.yield %y : tensor<128x64xf16>
  }
  return %0 : tensor<128x64xf16>
}
