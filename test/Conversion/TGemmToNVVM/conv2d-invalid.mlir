// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --split-input-file --verify-diagnostics

// What TMA does not copy.

func.func @f32(%x: tensor<1x10x10x64xf32>, %w: tensor<64x3x3x64xf32>) -> tensor<64x64xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf32> {
    // expected-error @+1 {{cannot be compiled for h200: it multiplies f32, but h200 has MMA instructions for f16 and bf16}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x10x10x64xf32>, tensor<64x3x3x64xf32> -> tensor<64x64xf32>
    tsync.yield %y : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

func.func @channels(%x: tensor<1x10x10x12xf16>, %w: tensor<64x3x3x12xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its input must have channels that start at multiples of 16 bytes, but its strides are (1200, 120, 12, 1) elements of 'f16'}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x10x10x12xf16>, tensor<64x3x3x12xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// The first convolution of most networks.
func.func @three_channels(%x: tensor<1x10x10x3xbf16>, %w: tensor<64x3x3x3xbf16>) -> tensor<64x64xbf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xbf16> {
    // expected-error @+1 {{cannot be compiled for h200: its input must have channels that start at multiples of 16 bytes, but its strides are (300, 30, 3, 1) elements of 'bf16'}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x10x10x3xbf16>, tensor<64x3x3x3xbf16> -> tensor<64x64xbf16>
    tsync.yield %y : tensor<64x64xbf16>
  }
  return %0 : tensor<64x64xbf16>
}

// -----

func.func @stride(%x: tensor<1x8x64x64xf16>, %w: tensor<64x1x1x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its stride is 9, and TMA's up to 8}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 9>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x8x64x64xf16>, tensor<64x1x1x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// Rows, too; a stride of 8 is no problem.
func.func @stride_8(%x: tensor<1x64x64x64xf16>, %w: tensor<64x1x1x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its stride is 9, and TMA's up to 8}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 9, 8>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x64x64x64xf16>, tensor<64x1x1x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @reach(%x: tensor<1x8x264x64xf16>, %w: tensor<64x1x2x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its filter reaches 256 elements from its first, and TMA up to 255}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 256>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x8x264x64xf16>, tensor<64x1x2x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @reach_rows(%x: tensor<1x264x8x64xf16>, %w: tensor<64x129x1x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its filter reaches 256 elements from its first, and TMA up to 255}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 2, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x264x8x64xf16>, tensor<64x129x1x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// 128 are no problem.
func.func @padding(%x: tensor<1x134x8x64xf16>, %w: tensor<64x256x1x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its padding of 129 and 0 with a filter that reaches 255 elements is more than TMA can address}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 129, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x134x8x64xf16>, tensor<64x256x1x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @low_end(%x: tensor<1x8x137x64xf16>, %w: tensor<64x1x2x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its padding of 0 and 0 with a filter that reaches 129 elements is more than TMA can address}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 129>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x8x137x64xf16>, tensor<64x1x2x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @high_end(%x: tensor<1x8x8x64xf16>, %w: tensor<64x1x1x64xf16>) -> tensor<1088x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<1088x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its padding of 0 and 128 with a filter that reaches 0 elements is more than TMA can address}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 128>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x8x8x64xf16>, tensor<64x1x1x64xf16> -> tensor<1088x64xf16>
    tsync.yield %y : tensor<1088x64xf16>
  }
  return %0 : tensor<1088x64xf16>
}

// -----

func.func @no_tiling(%x: tensor<1x10x10x64xf16>, %w: tensor<64x3x3x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: it has no tiling; run tgemm-assign-tiling}}
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x10x10x64xf16>, tensor<64x3x3x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// A slice of channels that begins in the middle of 16 bytes.
func.func @slice(%x: tensor<1x10x10x64xf16>, %w: tensor<64x3x3x32xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    %s = tensor.extract_slice %x[0, 0, 0, 4] [1, 10, 10, 32] [1, 1, 1, 1] : tensor<1x10x10x64xf16> to tensor<1x10x10x32xf16>
    // expected-error @+1 {{cannot be compiled for h200: its input must have channels that start at multiples of 16 bytes, but its strides are (6400, 640, 64, 1) elements of 'f16' from element 4}}
    %y = tgemm.conv2d %s, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<1x10x10x32xf16>, tensor<64x3x3x32xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// Blocks of features whose channels begin in the middle of 16 bytes.
func.func @groups(%x: tensor<1x10x10x24xf16>, %w: tensor<96x3x3x16xf16>) -> tensor<64x96xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x96xf16> {
    // expected-error @+1 {{cannot be compiled for h200: its features from 16 on are made of channels from 4 on, which is no multiple of 16 bytes}}
    %y = tgemm.conv2d %x, %w {groups = 6 : i64, feature_block = 16 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
      tiling = #tgemm.tiling<m = 64, n = 16, k = 64>} : tensor<1x10x10x24xf16>, tensor<96x3x3x16xf16> -> tensor<64x96xf16>
    tsync.yield %y : tensor<64x96xf16>
  }
  return %0 : tensor<64x96xf16>
}
