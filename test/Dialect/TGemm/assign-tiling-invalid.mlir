// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-assign-tiling -split-input-file -verify-diagnostics
// RUN: not grout-opt %s --grout-set-target=name=z80 --tgemm-assign-tiling -split-input-file 2>&1 | FileCheck %s
// RUN: not grout-opt %s --grout-set-target=name=h200 --tgemm-assign-tiling="mode=fast" -split-input-file 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: for the --mode option: Cannot find option named 'fast'!

// CHECK: error: unknown target 'z80'; known are {{.*}}cpu, {{.*}}h200

func.func @f32(%x: tensor<128x128xf32>) {
  // expected-error @+1 {{multiplies f32, but h200 has MMA instructions for f16 and bf16}}
  %0 = tgemm.matmul %x, %x : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  return
}

// -----

// Tilings that are given are checked before any is chosen.
func.func @several(%x: tensor<128x128xf32>) {
  // expected-error @+1 {{multiplies f32}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  %1 = tgemm.matmul %0, %x : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  return
}

// -----

func.func @k(%x: tensor<128x128xf16>) {
  // expected-error @+1 {{needs tiles with k a multiple of 64 on h200, got 32}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 32>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  return
}

// -----

func.func @m(%x: tensor<128x128xf16>) {
  // expected-error @+1 {{needs blocks with m of 64, 128, 192 or 256 on h200, got 320}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 320, n = 64, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  // expected-error @+1 {{needs blocks with m of 64, 128, 192 or 256 on h200, got 96}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 96, n = 64, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  return
}

// -----

func.func @n(%x: tensor<128x128xf16>) {
  // expected-error @+1 {{needs blocks with n a multiple of 16 up to 256 on h200, got 8}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 8, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  // expected-error @+1 {{needs blocks with n a multiple of 16 up to 256 on h200, got 272}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 272, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  return
}

// -----

func.func @accumulators(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs 256 accumulators in each thread for a tile, but h200 has room for 200}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 256, n = 256, k = 64>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs 192 accumulators in each thread for a tile, but h200 has room for 128}}
  %1 = tgemm.matmul %x, %x, %x {tiling = #tgemm.tiling<m = 192, n = 192, k = 64>} : tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16> {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  return
}

// -----

// 5 stages of (128 + 256) x 64 x 2 bytes, and 1 KiB for barriers. The result can
// be stored through the last stage.
func.func @shared_memory(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs 246784 bytes of shared memory for a tile, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 5>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// Sizes do not overflow.
func.func @huge(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs 9223372036854775807 bytes of shared memory for a tile, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 256, k = 4611686018427387904, stages = 4611686018427387904>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// Rows of an rhs that is not transposed come 32 at a time: 80 take as much as
// 96. Transposed, they do not, and as many stages fit.
func.func @blocks(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs 246784 bytes of shared memory for a tile, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 80, k = 64, stages = 12>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %1 = tgemm.matmul %x, %x {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 80, k = 64, stages = 12>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// No tile is small enough; the message is that of a small one. Seven products
// leave room for 64 x 32.
func.func @too_many_products(%x: tensor<64x64xf16>) {
  %0 = tgemm.matmul %x, %x, %x, %x, %x, %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32):
    tgemm.yield %a0 : f32
  }
  // expected-error @+1 {{needs 416 accumulators in each thread for a tile, but h200 has room for 184}}
  %1 = tgemm.matmul %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32, %a12: f32):
    tgemm.yield %a0 : f32
  }
  return
}

// -----

func.func @columns_beside_192_rows(%x: tensor<512x512xf16>) -> tensor<512x512xf16> {
  // expected-error @+1 {{needs blocks with n up to 192 beside m of 192 on h200, got 256}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 192, n = 256, k = 64>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return %0 : tensor<512x512xf16>
}

// -----

func.func @powers_of_two(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs a power of two for cluster_m on h200, got 3}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 192, n = 96, k = 64, cluster_m = 3, cluster_n = 3>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs a power of two for cluster_n on h200, got 3}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 96, k = 64, cluster_n = 3>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs a power of two for split_k on h200, got 6}}
  %2 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 96, k = 64, split_k = 6>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

func.func @cluster_size(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs clusters of up to 8 blocks on h200, got 16}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 256, n = 64, k = 64, cluster_m = 4, cluster_n = 2, split_k = 2>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // 2^64 blocks.
  // expected-error @+1 {{needs clusters of up to 8 blocks on h200, got 9223372036854775807}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 274877906944, n = 274877906944, k = 64, cluster_m = 4294967296, cluster_n = 4294967296>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %2 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 64, k = 64, cluster_m = 2, cluster_n = 2, split_k = 2>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// As many blocks as steps have one each.
func.func @steps(%x: tensor<512x192xf16>, %w: tensor<192x512xf16>) {
  // expected-error @+1 {{cannot split a K loop of 3 steps among 4 blocks}}
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 4>} : tensor<512x192xf16>, tensor<192x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{cannot split a K loop of 1 steps among 2 blocks}}
  %1 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 192, split_k = 2>} : tensor<512x192xf16>, tensor<192x512xf16> -> tensor<512x512xf16>
  %2 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 2>} : tensor<512x192xf16>, tensor<192x512xf16> -> tensor<512x512xf16>
  return
}

// -----

func.func @result_columns(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs a multiple of 8 columns for each of the 4 blocks that complete 48}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 48, k = 64, split_k = 4>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs a multiple of 8 columns for each of the 8 blocks that complete 32}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 32, k = 64, split_k = 8>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %2 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 32, k = 64, split_k = 4>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %3 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 96, k = 64, split_k = 4>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// With swapped operands, columns are what rows are else, and the other way round.
func.func @swapped(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{needs blocks with n of 64, 128, 192 or 256 with swap_ab on h200, got 80}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 80, k = 64, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs blocks with m a multiple of 8 up to 256 with swap_ab on h200, got 20}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 20, n = 64, k = 64, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs blocks with m up to 192 beside n of 192 with swap_ab on h200, got 200}}
  %2 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 200, n = 192, k = 64, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs 216 accumulators in each thread for a tile, but h200 has room for 200}}
  %3 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 216, n = 256, k = 64, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{needs a multiple of 8 rows for each of the 2 blocks that complete 40}}
  %4 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 40, n = 64, k = 64, split_k = 2, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{cannot multicast 40 rows of lhs from 2 blocks in groups of 8}}
  %5 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 40, n = 128, k = 64, cluster_n = 2, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{cannot be computed with swap_ab on h200, as its result is f32, and not of 16 bits}}
  %6 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 40, n = 64, k = 64, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf32>
  %7 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 200, n = 256, k = 64, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %8 = tgemm.matmul %x, %x {transpose_lhs, tiling = #tgemm.tiling<m = 40, n = 128, k = 64, cluster_n = 2, swap_ab = true>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// Where the reduction is contiguous, blocks load whole groups of 8 columns. Else
// they split the reduction.
func.func @shared_columns(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{cannot multicast 16 columns of rhs from 4 blocks in groups of 8}}
  %0 = tgemm.matmul %x, %x {transpose_rhs, tiling = #tgemm.tiling<m = 256, n = 16, k = 64, cluster_m = 4>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 256, n = 16, k = 64, cluster_m = 4>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// A block's limits are those of its share, and partial sums take memory, too:
// 64 x 64 x 4 bytes, beside 9 stages of (64 + 128) x 64 x 2 and 1 KiB.
func.func @partial_sums(%x: tensor<1024x1024xf16>) {
  // expected-error @+1 {{needs 238592 bytes of shared memory for a tile, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 9, cluster_m = 2, cluster_n = 2, split_k = 2>} : tensor<1024x1024xf16>, tensor<1024x1024xf16> -> tensor<1024x1024xf16>
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 256, n = 512, k = 64, stages = 4, cluster_m = 2, cluster_n = 2>} : tensor<1024x1024xf16>, tensor<1024x1024xf16> -> tensor<1024x1024xf16>
  return
}
