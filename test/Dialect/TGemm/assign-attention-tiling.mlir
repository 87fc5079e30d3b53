// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-assign-attention-tiling=mode=auto | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-assign-attention-tiling=mode=serial | FileCheck %s --check-prefix=GIVEN
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-assign-attention-tiling=mode=auto | FileCheck %s --check-prefix=CPU

// Without products, functions run by launches on a GPU, unless a mode is given.
// CHECK-LABEL: func.func @small_heads
// CHECK-SAME:    tsync.execution = #tsync.execution<pdl>
// GIVEN-LABEL: func.func @small_heads
// GIVEN-NOT:     tsync.execution
// CPU-LABEL:   func.func @small_heads
// CPU-NOT:       tsync.execution
func.func @small_heads(%x: tensor<8x16x512x64xf16>) -> tensor<8x16x512x64xf16> {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2>
  // CPU:   tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64>
  %0 = tgemm.attention %x, %x, %x {scale = 1.0 : f32} : tensor<8x16x512x64xf16>, tensor<8x16x512x64xf16>, tensor<8x16x512x64xf16> -> tensor<8x16x512x64xf16>
  return %0 : tensor<8x16x512x64xf16>
}

// Large blocks where there are tiles for all processors, small ones else.
// CHECK-LABEL: func.func @large_heads
func.func @large_heads(%x: tensor<1x32x2048x128xf16>, %y: tensor<1x32x512x128xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
  %0 = tgemm.attention %x, %x, %x {scale = 1.0 : f32} : tensor<1x32x2048x128xf16>, tensor<1x32x2048x128xf16>, tensor<1x32x2048x128xf16> -> tensor<1x32x2048x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2>
  %1 = tgemm.attention %y, %y, %y {scale = 1.0 : f32} : tensor<1x32x512x128xf16>, tensor<1x32x512x128xf16>, tensor<1x32x512x128xf16> -> tensor<1x32x512x128xf16>
  return
}

// One query: heads that read the same keys share a tile, and blocks split
// the keys while there are processors for them.
// CHECK-LABEL: func.func @decode
func.func @decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x2048x128xf16>, %many: tensor<8x32x1x128xf16>, %keys: tensor<8x8x2048x128xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2, heads = 4, splits = 8>
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32} : tensor<1x32x1x128xf16>, tensor<1x8x2048x128xf16>, tensor<1x8x2048x128xf16> -> tensor<1x32x1x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2, heads = 4, splits = 2>
  %1 = tgemm.attention %many, %keys, %keys {scale = 1.0 : f32} : tensor<8x32x1x128xf16>, tensor<8x8x2048x128xf16>, tensor<8x8x2048x128xf16> -> tensor<8x32x1x128xf16>
  return
}

// As many blocks as find processors: few keys for each are one step; one more
// key, and they are not.
// CHECK-LABEL: func.func @one_step
func.func @one_step(%q: tensor<1x16x1x64xf16>, %k: tensor<1x16x512x64xf16>, %more: tensor<1x16x513x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, splits = 4>
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32} : tensor<1x16x1x64xf16>, tensor<1x16x512x64xf16>, tensor<1x16x512x64xf16> -> tensor<1x16x1x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2, splits = 4>
  %1 = tgemm.attention %q, %more, %more {scale = 1.0 : f32} : tensor<1x16x1x64xf16>, tensor<1x16x513x64xf16>, tensor<1x16x513x64xf16> -> tensor<1x16x1x64xf16>
  return
}

// Two small blocks may share a processor, but not large ones, nor if each has one
// step.
// CHECK-LABEL: func.func @pairs
func.func @pairs(%small: tensor<8x12x1x64xf16>, %smallk: tensor<8x12x2048x64xf16>, %large: tensor<8x12x1x128xf16>, %largek: tensor<8x12x2048x128xf16>, %one: tensor<1x28x1x64xf16>, %onek: tensor<1x28x512x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2, splits = 2>
  %0 = tgemm.attention %small, %smallk, %smallk {scale = 1.0 : f32} : tensor<8x12x1x64xf16>, tensor<8x12x2048x64xf16>, tensor<8x12x2048x64xf16> -> tensor<8x12x1x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2>
  %1 = tgemm.attention %large, %largek, %largek {scale = 1.0 : f32} : tensor<8x12x1x128xf16>, tensor<8x12x2048x128xf16>, tensor<8x12x2048x128xf16> -> tensor<8x12x1x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, splits = 4>
  %2 = tgemm.attention %one, %onek, %onek {scale = 1.0 : f32} : tensor<1x28x1x64xf16>, tensor<1x28x512x64xf16>, tensor<1x28x512x64xf16> -> tensor<1x28x1x64xf16>
  return
}

// Warpgroups split the steps of a block that is alone on its processor,
// unless two or more blocks can split many keys.
// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<1x12x512x64xf16>, %y: tensor<1x60x64x64xf16>, %few: tensor<1x60x512x64xf16>, %many: tensor<1x60x1024x64xf16>, %step: tensor<1x12x128x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 4, warpgroups = 2>
  %0 = tgemm.attention %x, %x, %x {scale = 1.0 : f32} : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16> -> tensor<1x12x512x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 4, warpgroups = 2>
  %1 = tgemm.attention %y, %few, %few {scale = 1.0 : f32} : tensor<1x60x64x64xf16>, tensor<1x60x512x64xf16>, tensor<1x60x512x64xf16> -> tensor<1x60x64x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2, splits = 2>
  %2 = tgemm.attention %y, %many, %many {scale = 1.0 : f32} : tensor<1x60x64x64xf16>, tensor<1x60x1024x64xf16>, tensor<1x60x1024x64xf16> -> tensor<1x60x64x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128>
  %3 = tgemm.attention %step, %step, %step {scale = 1.0 : f32} : tensor<1x12x128x64xf16>, tensor<1x12x128x64xf16>, tensor<1x12x128x64xf16> -> tensor<1x12x128x64xf16>
  return
}

// Few keys are split, too.
// CHECK-LABEL: func.func @few_keys
func.func @few_keys(%q: tensor<1x12x1x64xf16>, %k: tensor<1x12x512x64xf16>, %few: tensor<1x12x128x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64, splits = 8>
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32} : tensor<1x12x1x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16> -> tensor<1x12x1x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64, splits = 2>
  %1 = tgemm.attention %q, %few, %few {scale = 1.0 : f32} : tensor<1x12x1x64xf16>, tensor<1x12x128x64xf16>, tensor<1x12x128x64xf16> -> tensor<1x12x1x64xf16>
  return
}

// No more keys than there are, in steps of 16.
// CHECK-LABEL: func.func @few
func.func @few(%x: tensor<1x4x20x256xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 32>
  // CPU:   tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 20, n = 20>
  %0 = tgemm.attention %x, %x, %x {scale = 1.0 : f32} : tensor<1x4x20x256xf16>, tensor<1x4x20x256xf16>, tensor<1x4x20x256xf16> -> tensor<1x4x20x256xf16>
  return
}

// All heads that read the same keys are in one tile, or in as many as take the
// fewest.
// CHECK-LABEL: func.func @groups
func.func @groups(%q: tensor<4x28x1x128xf16>, %k: tensor<4x4x1024x128xf16>, %q71: tensor<4x71x1x64xf16>, %k1: tensor<4x1x2048x64xf16>, %q16: tensor<4x28x16x128xf16>, %long: tensor<4x28x100x128xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 63, n = 64, stages = 2, heads = 7, splits = 4>
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32} : tensor<4x28x1x128xf16>, tensor<4x4x1024x128xf16>, tensor<4x4x1024x128xf16> -> tensor<4x28x1x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 36, n = 128, stages = 2, heads = 36, splits = 8>
  %1 = tgemm.attention %q71, %k1, %k1 {scale = 1.0 : f32} : tensor<4x71x1x64xf16>, tensor<4x1x2048x64xf16>, tensor<4x1x2048x64xf16> -> tensor<4x71x1x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 63, {{.*}}heads = 7
  %2 = tgemm.attention %q16, %k, %k {scale = 1.0 : f32} : tensor<4x28x16x128xf16>, tensor<4x4x1024x128xf16>, tensor<4x4x1024x128xf16> -> tensor<4x28x16x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2>
  %3 = tgemm.attention %long, %k, %k {scale = 1.0 : f32} : tensor<4x28x100x128xf16>, tensor<4x4x1024x128xf16>, tensor<4x4x1024x128xf16> -> tensor<4x28x100x128xf16>
  return
}

// Two warpgroups split the steps of a block with many keys, of a cluster,
// too; two small blocks share a processor where half of them had none else; one
// waits for memory.
// CHECK-LABEL: func.func @decode_long
func.func @decode_long(%q: tensor<1x24x1x128xf16>, %k: tensor<1x8x8192x128xf16>, %q16: tensor<16x12x1x128xf16>, %k16: tensor<16x2x2048x128xf16>, %k64: tensor<1x8x32768x128xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 63, n = 64, stages = 4, heads = 3, splits = 8, warpgroups = 2>
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32} : tensor<1x24x1x128xf16>, tensor<1x8x8192x128xf16>, tensor<1x8x8192x128xf16> -> tensor<1x24x1x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 60, n = 64, stages = 2, heads = 6, splits = 4>
  %1 = tgemm.attention %q16, %k16, %k16 {scale = 1.0 : f32} : tensor<16x12x1x128xf16>, tensor<16x2x2048x128xf16>, tensor<16x2x2048x128xf16> -> tensor<16x12x1x128xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 63, n = 128, stages = 2, heads = 3, splits = 8>
  %2 = tgemm.attention %q, %k64, %k64 {scale = 1.0 : f32} : tensor<1x24x1x128xf16>, tensor<1x8x32768x128xf16>, tensor<1x8x32768x128xf16> -> tensor<1x24x1x128xf16>
  return
}

// CHECK-LABEL: func.func @given
func.func @given(%x: tensor<1x4x20x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 16, stages = 3>
  %0 = tgemm.attention %x, %x, %x {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 128, n = 16, stages = 3>} : tensor<1x4x20x64xf16>, tensor<1x4x20x64xf16>, tensor<1x4x20x64xf16> -> tensor<1x4x20x64xf16>
  return
}

// CHECK-LABEL: func.func @none
// CHECK-NOT:     tsync.execution
func.func @none() {
  return
}

// Heads that end inside of a sector: large blocks, unless there are few tiles.
// CHECK-LABEL: func.func @slow_heads
func.func @slow_heads(%x: tensor<1x16x1024x40xf16>, %y: tensor<1x8x512x40xf16>, %z: tensor<1x12x1024x72xf16>, %u: tensor<1x12x1024x80xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
  %0 = tgemm.attention %x, %x, %x {scale = 1.0 : f32} : tensor<1x16x1024x40xf16>, tensor<1x16x1024x40xf16>, tensor<1x16x1024x40xf16> -> tensor<1x16x1024x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128
  %1 = tgemm.attention %y, %y, %y {scale = 1.0 : f32} : tensor<1x8x512x40xf16>, tensor<1x8x512x40xf16>, tensor<1x8x512x40xf16> -> tensor<1x8x512x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
  %2 = tgemm.attention %z, %z, %z {scale = 1.0 : f32} : tensor<1x12x1024x72xf16>, tensor<1x12x1024x72xf16>, tensor<1x12x1024x72xf16> -> tensor<1x12x1024x72xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 64
  %3 = tgemm.attention %u, %u, %u {scale = 1.0 : f32} : tensor<1x12x1024x80xf16>, tensor<1x12x1024x80xf16>, tensor<1x12x1024x80xf16> -> tensor<1x12x1024x80xf16>
  return
}

// Tall blocks take fewer waves, each of which is longer. Heads end inside of a
// sector, or not.
// CHECK-LABEL: func.func @tall_blocks
func.func @tall_blocks(%a: tensor<8x8x4096x24xf16>, %b: tensor<2x8x4096x40xf16>, %c: tensor<8x8x4096x40xf16>, %d: tensor<8x8x4096x40xf16>, %e: tensor<8x8x1024x40xf16>, %f: tensor<8x8x1024x56xf16>, %g: tensor<8x16x2048x32xf16>, %h: tensor<8x8x4096x48xf16>, %i: tensor<4x16x4096x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %0 = tgemm.attention %a, %a, %a {scale = 1.0 : f32} : tensor<8x8x4096x24xf16>, tensor<8x8x4096x24xf16>, tensor<8x8x4096x24xf16> -> tensor<8x8x4096x24xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %1 = tgemm.attention %b, %b, %b {scale = 1.0 : f32} : tensor<2x8x4096x40xf16>, tensor<2x8x4096x40xf16>, tensor<2x8x4096x40xf16> -> tensor<2x8x4096x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %2 = tgemm.attention %c, %c, %c {scale = 1.0 : f32} : tensor<8x8x4096x40xf16>, tensor<8x8x4096x40xf16>, tensor<8x8x4096x40xf16> -> tensor<8x8x4096x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %3 = tgemm.attention %d, %d, %d {scale = 1.0 : f32, causal = 0} : tensor<8x8x4096x40xf16>, tensor<8x8x4096x40xf16>, tensor<8x8x4096x40xf16> -> tensor<8x8x4096x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %4 = tgemm.attention %e, %e, %e {scale = 1.0 : f32} : tensor<8x8x1024x40xf16>, tensor<8x8x1024x40xf16>, tensor<8x8x1024x40xf16> -> tensor<8x8x1024x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %5 = tgemm.attention %f, %f, %f {scale = 1.0 : f32} : tensor<8x8x1024x56xf16>, tensor<8x8x1024x56xf16>, tensor<8x8x1024x56xf16> -> tensor<8x8x1024x56xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %6 = tgemm.attention %g, %g, %g {scale = 1.0 : f32} : tensor<8x16x2048x32xf16>, tensor<8x16x2048x32xf16>, tensor<8x16x2048x32xf16> -> tensor<8x16x2048x32xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %7 = tgemm.attention %h, %h, %h {scale = 1.0 : f32} : tensor<8x8x4096x48xf16>, tensor<8x8x4096x48xf16>, tensor<8x8x4096x48xf16> -> tensor<8x8x4096x48xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %8 = tgemm.attention %i, %i, %i {scale = 1.0 : f32} : tensor<4x16x4096x64xf16>, tensor<4x16x4096x64xf16>, tensor<4x16x4096x64xf16> -> tensor<4x16x4096x64xf16>
  return
}

// Two waves of large blocks are as many as of tall ones. With many keys, large
// blocks have more stages. Few keys are faster in small blocks.
// CHECK-LABEL: func.func @other_blocks
func.func @other_blocks(%a: tensor<1x8x4096x40xf16>, %b: tensor<1x8x2048x40xf16>, %c: tensor<8x16x512x64xf16>, %d: tensor<64x12x197x64xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 4>
  %0 = tgemm.attention %a, %a, %a {scale = 1.0 : f32} : tensor<1x8x4096x40xf16>, tensor<1x8x4096x40xf16>, tensor<1x8x4096x40xf16> -> tensor<1x8x4096x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
  %1 = tgemm.attention %b, %b, %b {scale = 1.0 : f32} : tensor<1x8x2048x40xf16>, tensor<1x8x2048x40xf16>, tensor<1x8x2048x40xf16> -> tensor<1x8x2048x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2>
  %2 = tgemm.attention %c, %c, %c {scale = 1.0 : f32} : tensor<8x16x512x64xf16>, tensor<8x16x512x64xf16>, tensor<8x16x512x64xf16> -> tensor<8x16x512x64xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 2>
  %3 = tgemm.attention %d, %d, %d {scale = 1.0 : f32} : tensor<64x12x197x64xf16>, tensor<64x12x197x64xf16>, tensor<64x12x197x64xf16> -> tensor<64x12x197x64xf16>
  return
}

// Blocks may be tall if values have another size than keys, if queries do not fill
// tiles, and if there are few keys. The model does not know the time of a bias.
// CHECK-LABEL: func.func @other_tall_blocks
func.func @other_tall_blocks(%q: tensor<8x8x1000x8xf16>, %k: tensor<8x8x4000x8xf16>, %v: tensor<8x8x4000x40xf16>, %few: tensor<7x8x2100x40xf16>, %few_k: tensor<7x8x40x40xf16>, %x: tensor<8x8x4096x40xf16>, %bias: tensor<4096x4096xf16>) {
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 96, stages = 4>
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<8x8x1000x8xf16>, tensor<8x8x4000x8xf16>, tensor<8x8x4000x40xf16> -> tensor<8x8x1000x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 192, n = 48>
  %1 = tgemm.attention %few, %few_k, %few_k {scale = 1.0 : f32} : tensor<7x8x2100x40xf16>, tensor<7x8x40x40xf16>, tensor<7x8x40x40xf16> -> tensor<7x8x2100x40xf16>
  // CHECK: tgemm.attention {{.*}} tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
  %2 = tgemm.attention %x, %x, %x bias(%bias : tensor<4096x4096xf16>) {scale = 1.0 : f32, bias_map = affine_map<(b, h, i, j) -> (i, j)>} : tensor<8x8x4096x40xf16>, tensor<8x8x4096x40xf16>, tensor<8x8x4096x40xf16> -> tensor<8x8x4096x40xf16>
  return
}
