// RUN: grout-opt %s -split-input-file -verify-diagnostics

func.func @rank(%x: tensor<6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{operand #0 must be static 4-D tensor of f16, bf16 or f32, but got 'tensor<6x7x16xf16>'}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @dynamic(%x: tensor<2x?x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{operand #0 must be static 4-D tensor}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x?x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @filter_rank(%x: tensor<2x6x7x16xf16>, %w: tensor<8x9x16xf16>) {
  // expected-error @+1 {{operand #1 must be static 4-D tensor}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x9x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @result_rank(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{result #0 must be static 2-D tensor of f16, bf16 or f32, but got 'tensor<2x4x5x8xf16>'}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<2x4x5x8xf16>
  return
}

// -----

func.func @integers(%x: tensor<2x6x7x16xi8>, %w: tensor<8x3x3x16xi8>) {
  // expected-error @+1 {{operand #0 must be static 4-D tensor of f16, bf16 or f32}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xi8>, tensor<8x3x3x16xi8> -> tensor<40x8xf16>
  return
}

// -----

func.func @empty_images(%x: tensor<0x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<0x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<0x8xf16>
  return
}

// -----

func.func @empty_channels_zero(%x: tensor<2x6x7x0xf16>, %w: tensor<8x3x3x0xf16>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x0xf16>, tensor<8x3x3x0xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @empty_taps(%x: tensor<2x6x7x16xf16>, %w: tensor<8x0x3x16xf16>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x0x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @empty_features_zero(%x: tensor<2x6x7x16xf16>, %w: tensor<0x3x3x16xf16>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<0x3x3x16xf16> -> tensor<40x0xf16>
  return
}

// -----

func.func @large(%x: tensor<1073741824x1073741824x8x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{has a tensor of more than 2^63 bytes, 'tensor<1073741824x1073741824x8x16xf16>'}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<1073741824x1073741824x8x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @one_stride(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs 2 strides, but has 1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @three_dilations(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs 2 dilations, but has 3}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @two_paddings(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs 4 paddings, but has 2}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @no_strides(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs 2 strides, but has 0}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @zero_stride(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs strides of 1 up to 2^31 - 1, got 0}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 0>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @negative_stride(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs strides of 1 up to 2^31 - 1, got -1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: -1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @huge_stride(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs strides of 1 up to 2^31 - 1, got 2147483648}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 2147483648, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @zero_dilation(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs dilations of 1 up to 2^31 - 1, got 0}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 0, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @huge_dilation(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs dilations of 1 up to 2^31 - 1, got 9223372036854775807}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 9223372036854775807>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @negative_padding(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs paddings of 0 up to 2^31 - 1, got -1}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, -1, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @huge_padding(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs paddings of 0 up to 2^31 - 1, got 2147483648}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 2147483648, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @filter_type(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xbf16>) {
  // expected-error @+1 {{its filter has elements of 'bf16', but its input of 'f16'}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xbf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @channels(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{its filter has 4 channels, but its input 16}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @reach_rows(%x: tensor<2x6x7x16xf16>, %w: tensor<8x8x3x16xf16>) {
  // expected-error @+1 {{has a filter of 8 rows with dilation 1, which is larger than the padded image, of 6 + 1 + 0 rows}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x8x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @reach_columns(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{has a filter of 3 columns with dilation 4, which is larger than the padded image, of 7 + 0 + 1 columns}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 4>, padding = array<i64: 0, 0, 0, 1>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @reach_overflow(%x: tensor<2x6x7x1xf16>, %w: tensor<1x4611686018427387903x1x1xf16>) {
  // expected-error @+1 {{has a filter of 4611686018427387903 rows with dilation 2147483647, which is larger than the padded image}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 2147483647, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x1xf16>, tensor<1x4611686018427387903x1x1xf16> -> tensor<40x1xf16>
  return
}

// -----

func.func @rows(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{has 2 x 4 x 5 pixels, but its result has 41 rows}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<41x8xf16>
  return
}

// -----

// The last row of images is left out: a stride does not round up.
func.func @strided_rows(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{has 2 x 2 x 3 pixels, but its result has 40 rows}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

// More pixels than a number of 64 bits counts.
func.func @too_many_pixels(%x: tensor<4294967296x1x1x1xf16>, %w: tensor<8x1x1x1xf16>) {
  // expected-error @+1 {{has 4294967296 x 2147483646 x 2147483646 pixels, but its result has 40 rows}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1073741823, 1073741822, 1073741823, 1073741822>} : tensor<4294967296x1x1x1xf16>, tensor<8x1x1x1xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @features(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{its filter has 8 features, but its result 9 columns}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x9xf16>
  return
}

// -----

func.func @k(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs tiles with k a multiple of 64 channels, got 32}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, tiling = #tgemm.tiling<m = 64, n = 64, k = 32>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @k_more(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs tiles with k a multiple of 64 channels, got 96}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, tiling = #tgemm.tiling<m = 64, n = 64, k = 96>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @stream_k(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{cannot use stream-K}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 3, tail = 1>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @maps(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{has 0 epilogue inputs but 1 epilogue maps}}
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @map_rank(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>, %b: tensor<8xf16>) {
  // expected-error @+1 {{epilogue map 0 must take 2 coordinates to 1}}
  %0 = tgemm.conv2d %x, %w epilogue(%b : tensor<8xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (m, n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32, %in: f16):
    tgemm.yield %in : f16
  }
  return
}

// -----

// Pixels are one dimension.
func.func @map_dims(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>, %b: tensor<8xf16>) {
  // expected-error @+1 {{epilogue map 0 must take 2 coordinates to 1}}
  %0 = tgemm.conv2d %x, %w epilogue(%b : tensor<8xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(b, m, n) -> (n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32, %in: f16):
    tgemm.yield %in : f16
  }
  return
}

// -----

func.func @map_sum(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>, %b: tensor<8xf16>) {
  // expected-error @+1 {{epilogue map 0 must be a projected permutation}}
  %0 = tgemm.conv2d %x, %w epilogue(%b : tensor<8xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (m + n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32, %in: f16):
    tgemm.yield %in : f16
  }
  return
}

// -----

func.func @map_extent(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>, %b: tensor<40xf16>) {
  // expected-error @+1 {{epilogue input 0 has 40 elements in dimension 0, but its map needs 8}}
  %0 = tgemm.conv2d %x, %w epilogue(%b : tensor<40xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32, %in: f16):
    tgemm.yield %in : f16
  }
  return
}

// -----

func.func @no_region(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>, %b: tensor<8xf16>) {
  // expected-error @+1 {{needs an epilogue region to combine several products or epilogue inputs}}
  %0 = tgemm.conv2d %x, %w epilogue(%b : tensor<8xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @arguments(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>, %b: tensor<8xf16>) {
  // expected-error @+1 {{epilogue must take ('f32', 'f16'), but takes ('f32')}}
  %0 = tgemm.conv2d %x, %w epilogue(%b : tensor<8xf16>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (n)>]} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32):
    %o = arith.truncf %acc : f32 to f16
    tgemm.yield %o : f16
  }
  return
}

// -----

func.func @yielded(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32):
    // expected-error @+1 {{yields 'f32', but the result has elements of 'f16'}}
    tgemm.yield %acc : f32
  }
  return
}

// -----

func.func @impure(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  %0 = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16> {
  ^bb0(%acc: f32):
    // expected-error @+1 {{is not allowed in an epilogue, which holds pure arith and math ops only}}
    %t = tensor.empty() : tensor<4xf16>
    %o = arith.truncf %acc : f32 to f16
    tgemm.yield %o : f16
  }
  return
}

// -----

func.func @no_groups(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{needs at least 1 group, got 0}}
  %0 = tgemm.conv2d %x, %w {groups = 0 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @channels_of_groups(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{its input has 16 channels, which 3 groups do not divide}}
  %0 = tgemm.conv2d %x, %w {groups = 3 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @features_of_groups(%x: tensor<2x6x7x16xf16>, %w: tensor<6x3x3x4xf16>) {
  // expected-error @+1 {{has 6 features, which 4 groups do not divide}}
  %0 = tgemm.conv2d %x, %w {groups = 4 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<6x3x3x4xf16> -> tensor<40x6xf16>
  return
}

// -----

func.func @filter_of_groups(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{its filter has 4 channels, but its input 8 in each group}}
  %0 = tgemm.conv2d %x, %w {groups = 2 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @block_of_one_group(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x16xf16>) {
  // expected-error @+1 {{needs several groups for blocks of features}}
  %0 = tgemm.conv2d %x, %w {feature_block = 4 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x16xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @no_block(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{needs blocks of 1 up to 2^31 - 1 features, got 0}}
  %0 = tgemm.conv2d %x, %w {groups = 4 : i64, feature_block = 0 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @huge_block(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{needs blocks of 1 up to 2^31 - 1 features, got 2147483648}}
  %0 = tgemm.conv2d %x, %w {groups = 4 : i64, feature_block = 2147483648 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}

// -----

func.func @tiles_of_groups(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x3x4xf16>) {
  // expected-error @+1 {{needs tiles with n that divides the 2 columns of a block, got 4}}
  %0 = tgemm.conv2d %x, %w {groups = 4 : i64, tiling = #tgemm.tiling<m = 8, n = 4, k = 64>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x6x7x16xf16>, tensor<8x3x3x4xf16> -> tensor<40x8xf16>
  return
}
