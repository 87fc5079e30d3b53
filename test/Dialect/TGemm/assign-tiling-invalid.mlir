// RUN: grout-opt %s -tgemm-assign-tiling=target=h200 -split-input-file -verify-diagnostics
// RUN: not grout-opt %s -tgemm-assign-tiling=target=z80 -split-input-file 2>&1 | FileCheck %s

// CHECK: error: unknown target 'z80'; known are cpu, h200

func.func @f32(%x: tensor<128x128xf32>) {
  // expected-error @+1 {{multiplies f32, but h200 has matrix instructions for f16 and bf16}}
  %0 = tgemm.matmul %x, %x : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  return
}

// -----

// Chosen or not, every op is checked.
func.func @several(%x: tensor<128x128xf32>) {
  // expected-error @+1 {{multiplies f32}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  // expected-error @+1 {{multiplies f32}}
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
  // expected-error @+1 {{needs tiles with m of 64, 128, 192 or 256 on h200, got 320}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 320, n = 64, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  // expected-error @+1 {{needs tiles with m of 64, 128, 192 or 256 on h200, got 96}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 96, n = 64, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  return
}

// -----

func.func @n(%x: tensor<128x128xf16>) {
  // expected-error @+1 {{needs tiles with n a multiple of 16 up to 256 on h200, got 8}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 8, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  // expected-error @+1 {{needs tiles with n a multiple of 16 up to 256 on h200, got 272}}
  %1 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 272, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
  return
}

// -----

func.func @accumulators(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{tile needs 256 accumulators in each thread, but h200 has room for 200}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 256, n = 256, k = 64>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  // expected-error @+1 {{tile needs 192 accumulators in each thread, but h200 has room for 128}}
  %1 = tgemm.matmul %x, %x, %x {tiling = #tgemm.tiling<m = 192, n = 192, k = 64>} : tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16> {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  return
}

// -----

// 5 stages of (128 + 256) x 64 x 2 bytes, two pairs of buffers of 8 KiB to store
// from, and 2 KiB.
func.func @shared_memory(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{tile needs 280576 bytes of shared memory, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 5>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// Sizes do not overflow.
func.func @huge(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{tile needs 9223372036854775807 bytes of shared memory, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 256, k = 4611686018427387904, stages = 4611686018427387904>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// Rows of an rhs that is not transposed come 64 at a time: 80 take as much as
// 128. Transposed, they do not, and 8 stages fit.
func.func @blocks(%x: tensor<512x512xf16>) {
  // expected-error @+1 {{tile needs 296960 bytes of shared memory, but h200 has 232448}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 80, k = 64, stages = 8>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %1 = tgemm.matmul %x, %x {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 80, k = 64, stages = 11>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return
}

// -----

// No tile is small enough; the message is that of the smallest.
func.func @too_many_products(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{tile needs 224 accumulators in each thread, but h200 has room for 184}}
  %0 = tgemm.matmul %x, %x, %x, %x, %x, %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32):
    tgemm.yield %a0 : f32
  }
  return
}

// -----

func.func @columns_beside_192_rows(%x: tensor<512x512xf16>) -> tensor<512x512xf16> {
  // expected-error @+1 {{needs tiles with n up to 192 beside m of 192 on h200, got 256}}
  %0 = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 192, n = 256, k = 64>} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return %0 : tensor<512x512xf16>
}
