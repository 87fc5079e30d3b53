// RUN: grout-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{tile sizes must be positive, got m = 64, n = 0, k = 32}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 0, k = 32> }

// -----

// expected-error @+1 {{needs at least one stage, got 0}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, stages = 0> }

// -----

// expected-error @+1 {{"tgemm.tiling" must be a #tgemm.tiling, got 64 : i64}}
func.func private @tiling() attributes { tgemm.tiling = 64 }

// -----

// expected-error @+1 {{the tgemm dialect has no attribute "tgemm.tile"}}
func.func private @tiling() attributes { tgemm.tile = 64 }

// -----

// expected-error @+1 {{needs positive shares of a cluster, got cluster_m = 0, cluster_n = 1, split_k = 1}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_m = 0> }

// -----

// expected-error @+1 {{needs positive shares of a cluster, got cluster_m = 1, cluster_n = -2, split_k = 1}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_n = -2> }

// -----

// expected-error @+1 {{needs positive shares of a cluster, got cluster_m = 1, cluster_n = 1, split_k = 0}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, split_k = 0> }

// -----

// expected-error @+1 {{cannot split 64 rows among 3 blocks}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_m = 3> }

// -----

// expected-error @+1 {{cannot split 64 columns among 3 times 1 blocks}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_n = 3> }

// -----

// Columns are split twice: to those that multiply, then to those that sum.
// expected-error @+1 {{cannot split 96 columns among 4 times 16 blocks}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 96, k = 32, cluster_n = 4, split_k = 16> }

// -----

// With swapped operands it is rows.
// expected-error @+1 {{cannot split 64 rows among 2 times 64 blocks}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_m = 2, split_k = 64, swap_ab = true> }

// -----

// expected-error @+1 {{cannot split 64 columns among 3 blocks}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_n = 3, swap_ab = true> }

// -----

// The product of the two is 2^64.
// expected-error @+1 {{cannot split 64 columns among 4294967296 times 4294967296 blocks}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, cluster_n = 4294967296, split_k = 4294967296> }

// -----

func.func @dynamic(%x: tensor<?x8xf16>, %w: tensor<8x8xf16>) {
  // expected-error @+1 {{operand #0 must be static 2-D or 3-D tensor of f16, bf16 or f32}}
  %0 = tgemm.matmul %x, %w : tensor<?x8xf16>, tensor<8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

func.func @element_type(%x: tensor<8x8xi8>) {
  // expected-error @+1 {{operand #0 must be static 2-D or 3-D tensor of f16, bf16 or f32}}
  %0 = tgemm.matmul %x, %x : tensor<8x8xi8>, tensor<8x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @no_rhs(%x: tensor<8x8xf16>) {
  // expected-error @+1 {{needs at least one rhs}}
  %0 = "tgemm.matmul"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({}) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  return
}

// -----

func.func @empty(%x: tensor<0x8xf16>, %w: tensor<8x8xf16>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.matmul %x, %w : tensor<0x8xf16>, tensor<8x8xf16> -> tensor<0x8xf16>
  return
}

// -----

func.func @empty_reduction(%x: tensor<8x0xf16>, %w: tensor<0x8xf16>) {
  // expected-error @+1 {{needs a reduction of at least 1}}
  %0 = tgemm.matmul %x, %w : tensor<8x0xf16>, tensor<0x8xf16> -> tensor<8x8xf16>
  return
}

// -----

func.func @batch(%x: tensor<3x8x8xf16>, %w: tensor<8x8xf16>) {
  // expected-error @+1 {{lhs has a batch of 3, but the result's is 2}}
  %0 = tgemm.matmul %x, %w : tensor<3x8x8xf16>, tensor<8x8xf16> -> tensor<2x8x8xf16>
  return
}

// -----

func.func @no_batch(%x: tensor<8x8xf16>, %w: tensor<3x8x8xf16>) {
  // expected-error @+1 {{rhs 0 has a batch of 3, but the result's is absent}}
  %0 = tgemm.matmul %x, %w : tensor<8x8xf16>, tensor<3x8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

func.func @lhs_shape(%x: tensor<8x4xf16>, %w: tensor<4x16xf16>) {
  // expected-error @+1 {{lhs must be 9 x 4, but is 8 x 4}}
  %0 = tgemm.matmul %x, %w : tensor<8x4xf16>, tensor<4x16xf16> -> tensor<9x16xf16>
  return
}

// -----

func.func @rhs_shape(%x: tensor<8x4xf16>, %w: tensor<16x5xf16>) {
  // expected-error @+1 {{rhs 0 must be 4 x 16 after transposition, but is 5 x 16}}
  %0 = tgemm.matmul %x, %w {transpose_rhs} : tensor<8x4xf16>, tensor<16x5xf16> -> tensor<8x16xf16>
  return
}

// -----

func.func @mixed_types(%x: tensor<8x4xf16>, %w: tensor<4x16xbf16>) {
  // expected-error @+1 {{rhs 0 has elements of 'bf16', but lhs of 'f16'}}
  %0 = tgemm.matmul %x, %w : tensor<8x4xf16>, tensor<4x16xbf16> -> tensor<8x16xf32>
  return
}

// -----

func.func @unequal_rhs(%x: tensor<2x8x8xf32>, %v: tensor<8x8xf32>, %w: tensor<2x8x8xf32>) {
  // expected-error @+1 {{all rhs must have the same type}}
  %0 = tgemm.matmul %x, %v, %w : tensor<2x8x8xf32>, tensor<8x8xf32>, tensor<2x8x8xf32> -> tensor<2x8x8xf32> {
  ^bb0(%a: f32, %b: f32):
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @map_count(%x: tensor<8x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{has 1 epilogue inputs but 0 epilogue maps}}
  %0 = tgemm.matmul %x, %x epilogue(%b : tensor<8xf32>) : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32, %bias: f32):
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @map_rank(%x: tensor<8x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{epilogue map 0 must take 2 coordinates to 1}}
  %0 = tgemm.matmul %x, %x epilogue(%b : tensor<8xf32>) {epilogue_maps = [affine_map<(m, n) -> (m, n)>]}
      : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32, %bias: f32):
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @map_form(%x: tensor<8x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{epilogue map 0 must be a projected permutation}}
  %0 = tgemm.matmul %x, %x epilogue(%b : tensor<8xf32>) {epilogue_maps = [affine_map<(m, n) -> (m + n)>]}
      : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32, %bias: f32):
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @input_size(%x: tensor<8x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{epilogue input 0 has 4 elements in dimension 0, but its map needs 8}}
  %0 = tgemm.matmul %x, %x epilogue(%b : tensor<4xf32>) {epilogue_maps = [affine_map<(m, n) -> (n)>]}
      : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32, %bias: f32):
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @row_size(%x: tensor<8x8xf32>, %b: tensor<2x8xf32>) {
  // expected-error @+1 {{epilogue input 0 has 2 elements in dimension 0, but its map needs 1}}
  %0 = tgemm.matmul %x, %x epilogue(%b : tensor<2x8xf32>) {epilogue_maps = [affine_map<(m, n) -> (0, n)>]}
      : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32, %bias: f32):
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @no_region(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{needs an epilogue region to combine several products or epilogue inputs}}
  %0 = tgemm.matmul %x, %x, %x : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @arguments(%x: tensor<8x8xf16>) {
  // expected-error @+1 {{epilogue must take ('f32'), but takes ('f16')}}
  %0 = tgemm.matmul %x, %x : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf16> {
  ^bb0(%a: f16):
    tgemm.yield %a : f16
  }
  return
}

// -----

func.func @body(%x: tensor<8x8xf32>) {
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{'tensor.from_elements' op is not allowed in an epilogue, which holds pure arith and math ops only}}
    %t = tensor.from_elements %a : tensor<1xf32>
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @impure(%x: tensor<8x8xf32>) {
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32):
    %i = arith.fptosi %a : f32 to i32
    // expected-error @+1 {{'arith.divsi' op is not allowed in an epilogue}}
    %d = arith.divsi %i, %i : i32
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @captured(%x: tensor<8x8xf32>, %s: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{using value defined outside the region}}
    %scaled = arith.mulf %a, %s : f32
    tgemm.yield %scaled : f32
  }
  return
}

// -----

func.func @terminator(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{epilogue must end with tgemm.yield}}
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%a: f32):
    llvm.unreachable
  }
  return
}

// -----

func.func @yield_type(%x: tensor<8x8xf32>) {
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf16> {
  ^bb0(%a: f32):
    // expected-error @+1 {{yields 'f32', but the result has elements of 'f16'}}
    tgemm.yield %a : f32
  }
  return
}

// -----

func.func @stray_yield(%a: f32) {
  // expected-error @+1 {{ends the epilogue of a product, and is in none}}
  tgemm.yield %a : f32
}

// -----

// expected-error @+1 {{needs a positive stream_k and a tail of at least 0, got stream_k = 0, tail = 1}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 0, tail = 1> }

// -----

// expected-error @+1 {{needs stream_k above 1 and a tail together, got stream_k = 4, tail = 0}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 4> }

// -----

// expected-error @+1 {{needs stream_k above 1 and a tail together, got stream_k = 1, tail = 2}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, tail = 2> }

// -----

// expected-error @+1 {{cannot split the K loop both by split-K and by stream-K, got split_k = 2, stream_k = 2}}
func.func private @tiling() attributes { t = #tgemm.tiling<m = 64, n = 64, k = 32, split_k = 2, stream_k = 2, tail = 1> }

// -----

func.func @tail(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  // expected-error @+1 {{has a tail of 3 columns of tiles, but only 2}}
  %0 = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 3>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<128x128xf16>
  return %0 : tensor<128x128xf16>
}

// -----

func.func @parts(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  // expected-error @+1 {{cannot split a K loop of 4 steps into 3 stream-K parts of 2}}
  %0 = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 3, tail = 1>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<128x128xf16>
  return %0 : tensor<128x128xf16>
}

// -----

func.func @batch(%a: tensor<2x128x256xf16>, %b: tensor<256x128xf16>) -> tensor<2x128x128xf16> {
  // expected-error @+1 {{cannot use stream-K in a batch}}
  %0 = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<2x128x256xf16>, tensor<256x128xf16> -> tensor<2x128x128xf16>
  return %0 : tensor<2x128x128xf16>
}

// -----

func.func @whose_sums(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>, %s: tensor<2x1x1x4096xf32>) -> tensor<128x128xf16> {
  // expected-error @+1 {{takes partial sums only of a tgemm.partial_sums with its own operands and tiling}}
  %0 = tgemm.matmul %a, %b partial_sums(%s : tensor<2x1x1x4096xf32>)
    {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<128x128xf16>
  return %0 : tensor<128x128xf16>
}

// -----

func.func @other_tiling(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<128x128xf16> {
  %s = tgemm.partial_sums %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<2x1x1x4096xf32>
  // expected-error @+1 {{takes partial sums only of a tgemm.partial_sums with its own operands and tiling}}
  %0 = tgemm.matmul %a, %b partial_sums(%s : tensor<2x1x1x4096xf32>)
    {tiling = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 2, tail = 1>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<128x128xf16>
  return %0 : tensor<128x128xf16>
}

// -----

func.func @sums_shape(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<2x1x2x4096xf32> {
  // expected-error @+1 {{needs sums of shape 2, 1, 1, 4096}}
  %s = tgemm.partial_sums %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<2x1x2x4096xf32>
  return %s : tensor<2x1x2x4096xf32>
}

// -----

func.func @no_parts(%a: tensor<128x256xf16>, %b: tensor<256x128xf16>) -> tensor<2x1x1x4096xf32> {
  // expected-error @+1 {{needs a tiling with parts}}
  %s = tgemm.partial_sums %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<2x1x1x4096xf32>
  return %s : tensor<2x1x1x4096xf32>
}

// -----

func.func @sums_factors(%a: tensor<128x256xf16>, %b: tensor<128x256xf16>) -> tensor<2x1x1x4096xf32> {
  // expected-error @+1 {{needs each rhs to fit lhs}}
  %s = tgemm.partial_sums %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<128x256xf16>, tensor<128x256xf16> -> tensor<2x1x1x4096xf32>
  return %s : tensor<2x1x1x4096xf32>
}

// -----

func.func @sums_batch(%a: tensor<2x128x256xf16>, %b: tensor<256x128xf16>) -> tensor<2x1x1x4096xf32> {
  // expected-error @+1 {{cannot use stream-K in a batch}}
  %s = tgemm.partial_sums %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<2x128x256xf16>, tensor<256x128xf16> -> tensor<2x1x1x4096xf32>
  return %s : tensor<2x1x1x4096xf32>
}

// -----

func.func @sum_depth(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
  // expected-error @+1 {{attribute 'sum_depth' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = tgemm.matmul %x, %x {sum_depth = 0} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

func.func @sum_of_one(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{attribute 'sum_ranks' failed to satisfy constraint}}
  %0 = tgemm.matmul %x, %x {sum_ranks = 1} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

func.func @channel_of_no_sum(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{has a sum_channel, but no sum_ranks}}
  %0 = tgemm.matmul %x, %x {sum_channel = 0} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

func.func @sum_of_batch(%x: tensor<2x64x64xf16>) -> tensor<2x64x64xf16> {
  // expected-error @+1 {{cannot sum a batch over ranks}}
  %0 = tgemm.matmul %x, %x {sum_ranks = 2} : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf16>
  return %0 : tensor<2x64x64xf16>
}

// -----

func.func @sum_of_parts(%x: tensor<64x256xf16>, %w: tensor<256x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{cannot use stream-K and sum over ranks}}
  %0 = tgemm.matmul %x, %w {sum_ranks = 2, tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
    : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

func.func @sum_beside(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{sums over ranks, so it has a launch of its own}}
  %0 = tgemm.matmul %x, %x {sum_ranks = 2, launched_with_next} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
