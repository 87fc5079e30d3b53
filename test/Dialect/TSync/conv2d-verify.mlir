// RUN: grout-opt %s -split-input-file -tsync-verify -verify-diagnostics

// Policies that miss a part of a convolution's halo.

// cuSync's own policy for convolutions: a tile waits for the tile of the same
// rows. With a filter of three rows, it reads a row of the tile below, too.

func.func @cusync(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    // expected-error @+1 {{tile conv2d1[6, 0] at step 6 reads what is written by tile conv2d0[7, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// Two products that read only their own rows are what it is for: a filter of one
// row, though of five columns, is right with it.

func.func @cusync_columns(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x1x5x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 2, 2>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x1x5x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// So are tiles that are whole images, with any filter.

func.func @cusync_images(%x: tensor<4x7x7x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<196x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<196x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 49, n = 64, k = 64>} : tensor<4x7x7x64xf16>, tensor<64x3x3x64xf16> -> tensor<196x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [4, 7, 7, 64] : tensor<196x64xf16> into tensor<4x7x7x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 49, n = 64, k = 64>} : tensor<4x7x7x64xf16>, tensor<64x3x3x64xf16> -> tensor<196x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [4], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<196x64xf16>, tensor<196x64xf16>
    tsync.yield %y : tensor<196x64xf16>
  }
  return %0 : tensor<196x64xf16>
}

// -----

// But not two thirds of one.

func.func @cusync_parts(%x: tensor<4x7x7x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<196x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<196x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 35, n = 64, k = 64>} : tensor<4x7x7x64xf16>, tensor<64x3x3x64xf16> -> tensor<196x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [4, 7, 7, 64] : tensor<196x64xf16> into tensor<4x7x7x64xf16>
    // expected-error @+1 {{tile conv2d1[4, 0] at step 6 reads what is written by tile conv2d0[5, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 35, n = 64, k = 64>} : tensor<4x7x7x64xf16>, tensor<64x3x3x64xf16> -> tensor<196x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [6], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<196x64xf16>, tensor<196x64xf16>
    tsync.yield %y : tensor<196x64xf16>
  }
  return %0 : tensor<196x64xf16>
}

// -----

// Tiles above and below: right.

func.func @halo(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i - 1)>,
         upper = affine_map<(i, j, k) -> (i + 1)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// The tile above alone: the last row of the filter reads below.

func.func @no_row_below(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    // expected-error @+1 {{tile conv2d1[6, 0] at step 6 reads what is written by tile conv2d0[7, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i - 1)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// The tile below alone.

func.func @no_row_above(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    // expected-error @+1 {{tile conv2d1[7, 0] at step 2 reads what is written by tile conv2d0[6, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i + 1)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// A filter of five rows has a halo of two, which a tile of one row does not have.

func.func @two_rows(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x5x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 8, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    // expected-error @+1 {{tile conv2d1[15, 0] at step 0 reads what is written by tile conv2d0[13, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 2, 2, 1, 1>,
      tiling = #tgemm.tiling<m = 8, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x5x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [32], counts = [1],
         lower = affine_map<(i, j, k) -> (i - 1)>,
         upper = affine_map<(i, j, k) -> (i + 2)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// Steps wait as they go through rows of the filter, one of them a step too late.

func.func @late(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    // expected-error @+1 {{tile conv2d1[1, 0] at step 0 reads what is written by tile conv2d0[1, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> ((i * 6 + k - 3) floordiv 6)>,
         upper = affine_map<(i, j, k) -> (i + (k - 1) floordiv 6)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// A count of one, where two tiles have the features.

func.func @count(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 32, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    // expected-error @+1 {{semaphore [0] is posted 2 times, but its count is 1: a wait would cover too few tiles}}
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i - 1)>,
         upper = affine_map<(i, j, k) -> (i + 1)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// A tile of its own for each: the other half of the features is not waited for.
// Blocks of 64 channels come one after another, each with all of the filter.

func.func @features(%x: tensor<2x16x8x64xf16>, %w: tensor<128x3x3x64xf16>, %v: tensor<64x3x3x128xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<128x3x3x64xf16> -> tensor<256x128xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 128] : tensor<256x128xf16> into tensor<2x16x8x128xf16>
    // expected-error @+1 {{tile conv2d1[7, 0] at step 9 reads what is written by tile conv2d0[7, 1], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x128xf16>, tensor<64x3x3x128xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [16, 2], counts = [1],
         lower = affine_map<(i, j, k) -> (i - 1, 0)>,
         upper = affine_map<(i, j, k) -> (i + 1, 0)>>
        : tensor<256x128xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}

// -----

// In mode overlap, too.

func.func @overlap(%x: tensor<2x16x8x64xf16>, %w: tensor<64x3x3x64xf16>, %v: tensor<64x3x3x64xf16>) -> tensor<256x64xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<256x64xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 8, 64] : tensor<256x64xf16> into tensor<2x16x8x64xf16>
    // expected-error @+1 {{tile conv2d1[6, 0] at step 6 reads what is written by tile conv2d0[7, 0], but does not wait for it (operand 0)}}
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 16, n = 64, k = 64>} : tensor<2x16x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<256x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [16], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<256x64xf16>, tensor<256x64xf16>
    tsync.yield %y : tensor<256x64xf16>
  }
  return %0 : tensor<256x64xf16>
}
