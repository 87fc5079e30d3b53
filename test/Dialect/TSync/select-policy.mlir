// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=row -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,ROW
// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=tile -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,TILE
// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=kernel -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,KERNEL
// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -tsync-select-policy=granularity=auto -tsync-assign-order -tsync-verify | FileCheck %s --check-prefixes=CHECK,ROW
// RUN: grout-opt %s -split-input-file -tsync-select-policy=granularity=row -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: grout-opt %s -split-input-file -tsync-select-policy=granularity=auto 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: not grout-opt %s -split-input-file -tsync-select-policy=granularity=fine 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: for the --granularity option: Cannot find option named 'fine'!

// ROW-DAG: #[[I:.*]] = affine_map<(d0, d1) -> (d0)>
// ROW-DAG: #[[WAIT_I:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// TILE-DAG: #[[IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// TILE-DAG: #[[WAIT_STEP:.*]] = affine_map<(d0, d1, d2) -> (d0, d2 floordiv 4)>
// KERNEL-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> ()>

// A consumer tile needs a row of producer tiles, and each step of it a tile.
// CHECK-LABEL: func.func @mlp
// CHECK: tsync.dependence {{.*}} operand 0
// ROW-SAME: semaphore = #[[I]], shape = [8], counts = [4], lower = #[[WAIT_I]], upper = #[[WAIT_I]]>
// TILE-SAME: semaphore = #[[IJ]], shape = [8, 4], counts = [1], lower = #[[WAIT_STEP]], upper = #[[WAIT_STEP]]>
// KERNEL-SAME: semaphore = #[[ONE]], shape = [], counts = [32]
func.func @mlp(%x: tensor<1000x768xf16>, %w1: tensor<768x1024xf16>, %w2: tensor<1024x768xf16>) -> tensor<1000x768xf16> {
  %0 = tsync.chain mode(persistent) : tensor<1000x768xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 256, k = 64>} : tensor<1000x768xf16>, tensor<768x1024xf16> -> tensor<1000x1024xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>} : tensor<1000x1024xf16>, tensor<1024x768xf16> -> tensor<1000x768xf16>
    tsync.yield %o : tensor<1000x768xf16>
  }
  return %0 : tensor<1000x768xf16>
}

// -----

// (i, j) -> (i, j mod 12): three slices of one producer share semaphores: cuSync's StridedSync.
// ROW: affine_map<(d0, d1) -> (d0, d1 mod 12)>
// TILE: affine_map<(d0, d1) -> (d0, d1 mod 12)>
// CHECK-LABEL: func.func @heads
// ROW-COUNT-3: tsync.dependence {{.*}}semaphore = #{{.*}}, shape = [4, 12], counts = [3]
// TILE-COUNT-3: tsync.dependence {{.*}}semaphore = #{{.*}}, shape = [4, 12], counts = [3]
// KERNEL-COUNT-3: tsync.dependence {{.*}} shape = [], counts = [144]
func.func @heads(%x: tensor<256x768xf16>, %w: tensor<768x1152xf16>) -> tensor<256x384xf16> {
  %0 = tsync.chain mode(persistent) : tensor<256x384xf16> {
    %qkv = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 32, k = 64>} : tensor<256x768xf16>, tensor<768x1152xf16> -> tensor<256x1152xf16>
    %q = tensor.extract_slice %qkv[0, 0] [256, 384] [1, 1] : tensor<256x1152xf16> to tensor<256x384xf16>
    %k = tensor.extract_slice %qkv[0, 384] [256, 384] [1, 1] : tensor<256x1152xf16> to tensor<256x384xf16>
    %v = tensor.extract_slice %qkv[0, 768] [256, 384] [1, 1] : tensor<256x1152xf16> to tensor<256x384xf16>
    %e = tensor.empty() : tensor<256x384xf16>
    %s = linalg.generic {grout.tile_sizes = array<i64: 64, 32>, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q, %k, %v : tensor<256x384xf16>, tensor<256x384xf16>, tensor<256x384xf16>) outs(%e : tensor<256x384xf16>) {
    ^bb0(%a: f16, %b: f16, %c: f16, %o: f16):
      %p = arith.mulf %a, %b : f16
      %r = arith.addf %p, %c : f16
      linalg.yield %r : f16
    } -> tensor<256x384xf16>
    tsync.yield %s : tensor<256x384xf16>
  }
  return %0 : tensor<256x384xf16>
}

// -----

// Through the other operand, a consumer tile needs a column.
// CHECK-LABEL: func.func @fan_in_rhs
// CHECK: tsync.dependence {{.*}} operand 1
// ROW-SAME: shape = [4], counts = [4]
// TILE-SAME: shape = [4, 4], counts = [1]
// KERNEL-SAME: shape = [], counts = [16]
func.func @fan_in_rhs(%x: tensor<128x64xf16>, %w: tensor<64x256xf16>, %y: tensor<64x128xf16>) -> tensor<64x256xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x256xf16> {
    %k = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 32, n = 64, k = 64>} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf16>
    %a = tgemm.matmul %y, %k {tiling = #tgemm.tiling<m = 32, n = 64, k = 32>} : tensor<64x128xf16>, tensor<128x256xf16> -> tensor<64x256xf16>
    tsync.yield %a : tensor<64x256xf16>
  }
  return %0 : tensor<64x256xf16>
}

// -----

// What the epilogue reads is waited for once, whatever the granularity.
// CHECK-LABEL: func.func @residual
// CHECK: tsync.dependence {{.*}} operand 2
// ROW-SAME: shape = [2, 2], counts = [2]
// TILE-SAME: shape = [2, 2], counts = [2]
// KERNEL-SAME: shape = [], counts = [8]
func.func @residual(%x: tensor<128x128xf16>, %w: tensor<128x128xf16>) -> tensor<128x128xf16> {
  %0 = tsync.chain mode(persistent) : tensor<128x128xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 32, n = 64, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    %o = tgemm.matmul %x, %w epilogue(%h : tensor<128x128xf16>) {epilogue_maps = [affine_map<(m, n) -> (m, n)>], tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16> {
    ^bb0(%acc: f32, %r: f16):
      %e = arith.extf %r : f16 to f32
      %s = arith.addf %acc, %e : f32
      %t = arith.truncf %s : f32 to f16
      tgemm.yield %t : f16
    }
    tsync.yield %o : tensor<128x128xf16>
  }
  return %0 : tensor<128x128xf16>
}

// -----

// Rows for one operand and columns for the other would cover all tiles if they
// shared semaphores.
// CHECK-LABEL: func.func @batch
// ROW: tsync.dependence {{.*}} operand 0 {{.*}} shape = [4, 2], counts = [4]
// ROW: tsync.dependence {{.*}} operand 1 {{.*}} shape = [4, 2], counts = [4]
func.func @batch(%x: tensor<4x128x64xf16>, %w: tensor<4x64x128xf16>) -> tensor<4x128x128xf16> {
  %0 = tsync.chain mode(persistent) : tensor<4x128x128xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 32, n = 64, k = 64>} : tensor<4x128x64xf16>, tensor<4x64x128xf16> -> tensor<4x128x128xf16>
    %o = tgemm.matmul %h, %h {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<4x128x128xf16>, tensor<4x128x128xf16> -> tensor<4x128x128xf16>
    tsync.yield %o : tensor<4x128x128xf16>
  }
  return %0 : tensor<4x128x128xf16>
}

// -----

// Where kernels wait for kernels, there is nothing to be fine or coarse.
// UNUSED: warning: granularity row is not used: in mode serial its kernels wait for kernels; in modes persistent and overlap tiles wait for tiles
// AUTO-NOT: warning: granularity
// AUTO: func.func @serial
// CHECK-LABEL: func.func @serial
func.func @serial(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
