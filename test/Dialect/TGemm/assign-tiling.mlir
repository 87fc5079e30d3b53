// RUN: grout-opt %s -tgemm-assign-tiling=target=h200 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: grout-opt %s -tgemm-assign-tiling | FileCheck %s --check-prefixes=CHECK,CPU

// The MLP of GPT-3 on 8 GPUs. Large tiles, as many waves as are full: 128 and
// 256 tiles on 132 processors.
// CHECK-LABEL: func.func @gpt3_1024
// H200: tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 3>
// H200: tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 3>
// CPU-COUNT-2: tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
func.func @gpt3_1024(%x: tensor<1024x12288xf16>, %w1: tensor<12288x6144xf16>, %w2: tensor<6144x12288xf16>) -> tensor<1024x12288xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<1024x12288xf16>, tensor<12288x6144xf16> -> tensor<1024x6144xf16>
  %o = tgemm.matmul %h, %w2 : tensor<1024x6144xf16>, tensor<6144x12288xf16> -> tensor<1024x12288xf16>
  return %o : tensor<1024x12288xf16>
}

// Few rows: narrow tiles, so that more processors read weights.
// CHECK-LABEL: func.func @gpt3_64
// H200: tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 6>
// H200: tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
// CPU: tiling = #tgemm.tiling<m = 32, n = 64, k = 64>
func.func @gpt3_64(%x: tensor<64x12288xf16>, %w1: tensor<12288x6144xf16>, %w2: tensor<6144x12288xf16>) -> tensor<64x12288xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  %o = tgemm.matmul %h, %w2 : tensor<64x6144xf16>, tensor<6144x12288xf16> -> tensor<64x12288xf16>
  return %o : tensor<64x12288xf16>
}

// Sizes that do not divide by a power of two: three rows of 192.
// CHECK-LABEL: func.func @uneven
// H200: tiling = #tgemm.tiling<m = 192, n = 192, k = 64, stages = 3>
func.func @uneven(%x: tensor<384x6144xf16>, %w: tensor<6144x12288xf16>) -> tensor<384x12288xf16> {
  %0 = tgemm.matmul %x, %w : tensor<384x6144xf16>, tensor<6144x12288xf16> -> tensor<384x12288xf16>
  return %0 : tensor<384x12288xf16>
}

// Two products share the accumulators of a thread and the shared memory, so
// tiles are half as wide.
// CHECK-LABEL: func.func @gated
// H200: tiling = #tgemm.tiling<m = 256, n = 64, k = 64, stages = 4>
func.func @gated(%x: tensor<1024x8192xf16>, %g: tensor<8192x4096xf16>, %u: tensor<8192x4096xf16>) -> tensor<1024x4096xf16> {
  %0 = tgemm.matmul %x, %g, %u : tensor<1024x8192xf16>, tensor<8192x4096xf16>, tensor<8192x4096xf16> -> tensor<1024x4096xf16> {
  ^bb0(%a: f32, %b: f32):
    %product = arith.mulf %a, %b : f32
    %out = arith.truncf %product : f32 to f16
    tgemm.yield %out : f16
  }
  return %0 : tensor<1024x4096xf16>
}

// The batch counts as tiles.
// CHECK-LABEL: func.func @batched
// H200: tiling = #tgemm.tiling<m = 256, n = 128, k = 64, stages = 4>
func.func @batched(%x: tensor<66x256x64xf16>, %w: tensor<66x64x256xf16>) -> tensor<66x256x256xf16> {
  %0 = tgemm.matmul %x, %w : tensor<66x256x64xf16>, tensor<66x64x256xf16> -> tensor<66x256x256xf16>
  return %0 : tensor<66x256x256xf16>
}

// On a CPU, an extent below 128 is cut finer, and a tile never exceeds it.
// CHECK-LABEL: func.func @small
// H200: tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 6>
// CPU: tiling = #tgemm.tiling<m = 7, n = 32, k = 32>
func.func @small(%x: tensor<7x64xf16>, %w: tensor<64x96xf16>) -> tensor<7x96xf16> {
  %0 = tgemm.matmul %x, %w : tensor<7x64xf16>, tensor<64x96xf16> -> tensor<7x96xf16>
  return %0 : tensor<7x96xf16>
}

// What the user chose stays.
// CHECK-LABEL: func.func @kept
// CHECK: tiling = #tgemm.tiling<m = 64, n = 16, k = 128, stages = 2>
func.func @kept(%x: tensor<1024x8192xf16>, %w: tensor<8192x4096xf16>) -> tensor<1024x4096xf16> {
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 16, k = 128, stages = 2>} : tensor<1024x8192xf16>, tensor<8192x4096xf16> -> tensor<1024x4096xf16>
  return %0 : tensor<1024x4096xf16>
}
