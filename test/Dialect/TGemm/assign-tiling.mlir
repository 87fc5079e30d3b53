// RUN: grout-opt %s -split-input-file --grout-set-target=name=h200 --tgemm-assign-tiling | FileCheck %s --check-prefixes=CHECK,H200
// RUN: grout-opt %s -split-input-file --grout-set-target=name=h200 --tgemm-assign-tiling="mode=persistent" | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: grout-opt %s -split-input-file --grout-set-target=name=cpu --tgemm-assign-tiling | FileCheck %s --check-prefixes=CHECK,CPU

// What the model prefers is tuned, so most of what is checked here is what any
// choice must have. The model's own tests are in unittests/TGemm.

// The MLP of GPT-3 on 8 GPUs. With many rows, blocks are large.
// CHECK-LABEL: func.func @gpt3_1024
// H200-COUNT-2: tiling = #tgemm.tiling<m = {{256|512}}, n = {{128|160|192|256}}, k = 64, stages = {{[3-6]}}
// CPU-COUNT-2: tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
func.func @gpt3_1024(%x: tensor<1024x12288xf16>, %w1: tensor<12288x6144xf16>, %w2: tensor<6144x12288xf16>) -> tensor<1024x12288xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<1024x12288xf16>, tensor<12288x6144xf16> -> tensor<1024x6144xf16>
  %o = tgemm.matmul %h, %w2 : tensor<1024x6144xf16>, tensor<6144x12288xf16> -> tensor<1024x12288xf16>
  return %o : tensor<1024x12288xf16>
}

// -----

// Few rows and a long reduction: narrow blocks, or several that split a tile,
// so that more processors read weights.
// CHECK-LABEL: func.func @gpt3_64
// H200-COUNT-2: tiling = #tgemm.tiling<m = 64, {{n = (64|128),|.*(cluster_n|split_k) = [24]>}}
// CPU: tiling = #tgemm.tiling<m = 32, n = 64, k = 64>
func.func @gpt3_64(%x: tensor<64x12288xf16>, %w1: tensor<12288x6144xf16>, %w2: tensor<6144x12288xf16>) -> tensor<64x12288xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  %o = tgemm.matmul %h, %w2 : tensor<64x6144xf16>, tensor<6144x12288xf16> -> tensor<64x12288xf16>
  return %o : tensor<64x12288xf16>
}

// -----

// Two products share the accumulators of a thread and the shared memory, so
// blocks are half as wide: at most 96 columns beside 256 rows.
// CHECK-LABEL: func.func @gated
// H200: tiling = #tgemm.tiling<m = {{[0-9]+}}, n = {{[0-9]+}}, k = 64, stages = {{[3-9]}}
func.func @gated(%x: tensor<1024x8192xf16>, %g: tensor<8192x4096xf16>, %u: tensor<8192x4096xf16>) -> tensor<1024x4096xf16> {
  %0 = tgemm.matmul %x, %g, %u : tensor<1024x8192xf16>, tensor<8192x4096xf16>, tensor<8192x4096xf16> -> tensor<1024x4096xf16> {
  ^bb0(%a: f32, %b: f32):
    %product = arith.mulf %a, %b : f32
    %out = arith.truncf %product : f32 to f16
    tgemm.yield %out : f16
  }
  return %0 : tensor<1024x4096xf16>
}

// -----

// One step is not split.
// CHECK-LABEL: func.func @batched
// H200-NOT: split_k
// H200: tiling = #tgemm.tiling<m = {{[0-9]+}}, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}
// H200-NOT: split_k
// H200: return
func.func @batched(%x: tensor<66x256x64xf16>, %w: tensor<66x64x256xf16>) -> tensor<66x256x256xf16> {
  %0 = tgemm.matmul %x, %w : tensor<66x256x64xf16>, tensor<66x64x256xf16> -> tensor<66x256x256xf16>
  return %0 : tensor<66x256x256xf16>
}

// -----

// Neither a block nor a cluster is larger than what there is to do: these are 7
// rows and a step.
// On a CPU, an extent below 128 is cut finer, and a tile never exceeds it.
// CHECK-LABEL: func.func @small
// H200: tiling = #tgemm.tiling<m = {{8|64}}, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}{{(, cluster_n = 2)?(, swap_ab = true)?}}>
// CPU: tiling = #tgemm.tiling<m = 7, n = 32, k = 32>
func.func @small(%x: tensor<7x64xf16>, %w: tensor<64x96xf16>) -> tensor<7x96xf16> {
  %0 = tgemm.matmul %x, %w : tensor<7x64xf16>, tensor<64x96xf16> -> tensor<7x96xf16>
  return %0 : tensor<7x96xf16>
}

// -----

// What the user chose stays. In one kernel, the others follow: as many blocks in
// a cluster, and where they split steps, to as many.
// CHECK-LABEL: func.func @kept_single
// CHECK: tiling = #tgemm.tiling<m = 64, n = 16, k = 128, stages = 2>
// ONE: tiling = #tgemm.tiling<m = {{[0-9]+}}, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}{{(, stream_k = [0-9]+, tail = [0-9]+)?}}>
func.func @kept_single(%x: tensor<64x12288xf16>, %w: tensor<12288x6144xf16>) -> (tensor<64x6144xf16>, tensor<64x6144xf16>) {
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 16, k = 128, stages = 2>} : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  %1 = tgemm.matmul %x, %w : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  return %0, %1 : tensor<64x6144xf16>, tensor<64x6144xf16>
}

// -----

// CHECK-LABEL: func.func @kept_pair
// ONE: tiling = #tgemm.tiling<m = {{[0-9]+}}, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}, {{cluster_m|cluster_n|split_k}} = 2{{(, stream_k = [0-9]+, tail = [0-9]+)?}}>
// CHECK: tiling = #tgemm.tiling<m = 128, n = 64, k = 64, stages = 4, cluster_m = 2>
func.func @kept_pair(%x: tensor<64x12288xf16>, %w: tensor<12288x6144xf16>) -> (tensor<64x6144xf16>, tensor<64x6144xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  %1 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64, stages = 4, cluster_m = 2>} : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  return %0, %1 : tensor<64x6144xf16>, tensor<64x6144xf16>
}

// -----

// CHECK-LABEL: func.func @kept_four
// CHECK: tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 4>
// ONE: tiling = #tgemm.tiling<m = {{[0-9]+}}, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}, {{(cluster_m|cluster_n|split_k) = [24],?.*}}>
func.func @kept_four(%x: tensor<1024x12288xf16>, %w: tensor<12288x6144xf16>) -> (tensor<1024x6144xf16>, tensor<1024x6144xf16>) {
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 4>} : tensor<1024x12288xf16>, tensor<12288x6144xf16> -> tensor<1024x6144xf16>
  %1 = tgemm.matmul %x, %w : tensor<1024x12288xf16>, tensor<12288x6144xf16> -> tensor<1024x6144xf16>
  return %0, %1 : tensor<1024x6144xf16>, tensor<1024x6144xf16>
}

// -----

// Blocks of a tile of 192 rows have few registers for each thread, and so do the
// others in their kernel: 192 columns beside 128 rows still fit, beside 256 not.
// CHECK-LABEL: func.func @kept_rows
// CHECK: tiling = #tgemm.tiling<m = 192, n = 192, k = 64, stages = 3>
// ONE-NOT: m = 256, n = 192
// ONE: tiling = #tgemm.tiling<m = {{[0-9]+}}, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}{{(, stream_k = [0-9]+, tail = [0-9]+)?}}>
func.func @kept_rows(%x: tensor<1024x12288xf16>, %w: tensor<12288x6144xf16>) -> (tensor<1024x6144xf16>, tensor<1024x6144xf16>) {
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 192, n = 192, k = 64, stages = 3>} : tensor<1024x12288xf16>, tensor<12288x6144xf16> -> tensor<1024x6144xf16>
  %1 = tgemm.matmul %x, %w : tensor<1024x12288xf16>, tensor<12288x6144xf16> -> tensor<1024x6144xf16>
  return %0, %1 : tensor<1024x6144xf16>, tensor<1024x6144xf16>
}

// -----

// What does not go together is left to whoever makes one kernel of it.
// CHECK-LABEL: func.func @kept_both
// CHECK: tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 4>
// CHECK: tiling = #tgemm.tiling<m = 128, n = 64, k = 64, stages = 4, cluster_m = 2>
func.func @kept_both(%x: tensor<64x12288xf16>, %w: tensor<12288x6144xf16>) -> (tensor<64x6144xf16>, tensor<64x6144xf16>) {
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 4>} : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  %1 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64, stages = 4, cluster_m = 2>} : tensor<64x12288xf16>, tensor<12288x6144xf16> -> tensor<64x6144xf16>
  return %0, %1 : tensor<64x6144xf16>, tensor<64x6144xf16>
}

// -----

// Where one warpgroup computes, and the reduction is a multiple: steps of 128 in a
// kernel of its own, not in one with other products.
// CHECK-LABEL: func.func @deep_steps
// H200: tiling = #tgemm.tiling<m = {{.*}} k = 128, stages = 6
// H200: tiling = #tgemm.tiling<m = {{.*}} k = 64, stages = 12
// ONE-COUNT-2: k = 64,
func.func @deep_steps(%x: tensor<512x4096xf16>, %w: tensor<4096x1024xf16>, %y: tensor<512x4032xf16>, %v: tensor<4032x1024xf16>) -> (tensor<512x1024xf16>, tensor<512x1024xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<512x4096xf16>, tensor<4096x1024xf16> -> tensor<512x1024xf16>
  %1 = tgemm.matmul %y, %v : tensor<512x4032xf16>, tensor<4032x1024xf16> -> tensor<512x1024xf16>
  return %0, %1 : tensor<512x1024xf16>, tensor<512x1024xf16>
}

// -----

// A convolution of which four blocks split steps, and which leaves some
// processors free, takes six stages in a kernel of its own; another one as many
// as fit.
// CHECK-LABEL: func.func @few_stages
// H200: tgemm.conv2d {{.*}} tiling = #tgemm.tiling<{{.*}} stages = 6
// H200: tgemm.conv2d {{.*}} tiling = #tgemm.tiling<{{.*}} stages = 12
// ONE: tgemm.conv2d {{.*}} tiling = #tgemm.tiling<{{.*}} stages = 12
func.func @few_stages(%x: tensor<1x14x14x256xf16>, %w: tensor<256x3x3x256xf16>, %y: tensor<4x28x28x128xf16>, %v: tensor<128x3x3x128xf16>) -> (tensor<196x256xf16>, tensor<3136x128xf16>) {
  %0 = tgemm.conv2d %x, %w {dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : tensor<1x14x14x256xf16>, tensor<256x3x3x256xf16> -> tensor<196x256xf16>
  %1 = tgemm.conv2d %y, %v {dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : tensor<4x28x28x128xf16>, tensor<128x3x3x128xf16> -> tensor<3136x128xf16>
  return %0, %1 : tensor<196x256xf16>, tensor<3136x128xf16>
}
