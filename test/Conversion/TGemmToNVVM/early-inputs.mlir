// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s

// Epilogue inputs are read before the steps of a tile, where they may be then and
// registers are left for them.

// A warp reads a bias once, two columns a lane of 64, and shares it out: three
// loads, and 24 exchanges for 192 columns. 192 accumulators leave room for no
// more.

// CHECK-LABEL: .entry bias_chain0_kernel0(
// CHECK:         setmaxnreg.inc
// CHECK-COUNT-3: ld.global.b32
// CHECK-NOT:     ld.global
// CHECK:         wgmma.mma_async
// CHECK-NOT:     ld.global
// CHECK-COUNT-24: shfl.sync.idx.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r
// CHECK-NOT:     {{ld.global|shfl.sync.idx.b32 %r[0-9]+, %r[0-9]+, %r}}
// CHECK:         ret;
func.func @bias(%x: tensor<512x256xf16>, %w: tensor<256x768xf16>,
                %b: tensor<768xf16>) -> tensor<512x768xf16> {
  %0 = tsync.chain mode(serial) : tensor<512x768xf16> {
    %y = tgemm.matmul %x, %w epilogue(%b : tensor<768xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 4>
    } : tensor<512x256xf16>, tensor<256x768xf16> -> tensor<512x768xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<512x768xf16>
  }
  return %0 : tensor<512x768xf16>
}

// Of f32 they are two exchanges, where half of a warp's columns are.

// CHECK-LABEL: .entry wide_chain0_kernel0(
// CHECK:         setmaxnreg.inc
// CHECK:         ld.global.v2.b32
// CHECK:         wgmma.mma_async
// CHECK-NOT:     ld.global
// CHECK-COUNT-8: shfl.sync.idx.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r
// CHECK-NOT:     {{ld.global|shfl.sync.idx.b32 %r[0-9]+, %r[0-9]+, %r}}
// CHECK:         ret;
func.func @wide(%x: tensor<64x256xf16>, %w: tensor<256x768xf16>,
                %b: tensor<768xf32>) -> tensor<64x768xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x768xf32> {
    %y = tgemm.matmul %x, %w epilogue(%b : tensor<768xf32>) {
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 4>
    } : tensor<64x256xf16>, tensor<256x768xf16> -> tensor<64x768xf32> {
    ^bb0(%acc: f32, %in: f32):
      %sum = arith.addf %acc, %in : f32
      tgemm.yield %sum : f32
    }
    tsync.yield %y : tensor<64x768xf32>
  }
  return %0 : tensor<64x768xf32>
}

// What depends on the row, as with swapped operands a bias does, is an element
// for each row; a residual is read whole, if its registers are free (64 here, and
// 64 accumulators).

// CHECK-LABEL: .entry rows_chain0_kernel0(
// CHECK:         setmaxnreg.inc
// CHECK-COUNT-34: ld.global
// CHECK-NOT:     ld.global
// CHECK:         wgmma.mma_async
// CHECK-NOT:     {{ld.global|shfl.sync.idx.b32 %r[0-9]+, %r[0-9]+, %r}}
// CHECK:         ret;
func.func @rows(%x: tensor<256x256xf16>, %w: tensor<256x768xf16>,
                %s: tensor<256xf32>, %r: tensor<256x768xf16>) -> tensor<256x768xf16> {
  %0 = tsync.chain mode(serial) : tensor<256x768xf16> {
    %y = tgemm.matmul %x, %w epilogue(%s, %r : tensor<256xf32>, tensor<256x768xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<256x256xf16>, tensor<256x768xf16> -> tensor<256x768xf16> {
    ^bb0(%acc: f32, %scale: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %scaled = arith.mulf %acc, %scale : f32
      %sum = arith.addf %scaled, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<256x768xf16>
  }
  return %0 : tensor<256x768xf16>
}

// Of many steps, the last 16 hide the loads of a residual: as many are left when
// it is read. What is smaller is read before the first.

// CHECK-LABEL: .entry steps_chain0_kernel0(
// CHECK:         setmaxnreg.inc
// CHECK-COUNT-2: ld.global.b32
// CHECK-NOT:     ld.global
// CHECK:         setp.ne.b32 %p{{[0-9]+}}, %r{{[0-9]+}}, 24;
// CHECK-NOT:     ld.global
// CHECK:         wgmma.mma_async
// CHECK-COUNT-32: ld.global.b32
// CHECK-NOT:     ld.global
// CHECK:         wgmma.mma_async
// CHECK-NOT:     ld.global
// CHECK:         ret;
func.func @steps(%x: tensor<256x2560xf16>, %w: tensor<2560x768xf16>,
                 %s: tensor<256xf32>, %r: tensor<256x768xf16>) -> tensor<256x768xf16> {
  %0 = tsync.chain mode(serial) : tensor<256x768xf16> {
    %y = tgemm.matmul %x, %w epilogue(%s, %r : tensor<256xf32>, tensor<256x768xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<256x2560xf16>, tensor<2560x768xf16> -> tensor<256x768xf16> {
    ^bb0(%acc: f32, %scale: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %scaled = arith.mulf %acc, %scale : f32
      %sum = arith.addf %scaled, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<256x768xf16>
  }
  return %0 : tensor<256x768xf16>
}

// What a launch before makes is read once that has ended, which rows of lhs wait
// for anyway. Where these need none, the steps do not wait for it. (Where tiles
// wait for tiles, they do not either: overlap.mlir.)

// CHECK-LABEL: .entry launches_chain0_kernel1(
// CHECK:         setmaxnreg.inc
// CHECK:         griddepcontrol.wait
// CHECK:         ld.global.b32
// CHECK:         wgmma.mma_async
// CHECK-NOT:     ld.global
// CHECK:         ret;
func.func @launches(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %0 = tsync.chain mode(pdl) : tensor<256x256xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    %y = tgemm.matmul %h, %w epilogue(%h : tensor<256x256xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<256x256xf16>
  }
  return %0 : tensor<256x256xf16>
}

// CHECK-LABEL: .entry residual_chain0_kernel1(
// CHECK:         setmaxnreg.inc
// CHECK-NOT:     ld.global
// CHECK:         wgmma.mma_async
// CHECK:         griddepcontrol.wait
// CHECK:         ld.global.b32
// CHECK:         ret;
func.func @residual(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %0 = tsync.chain mode(pdl) : tensor<256x256xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    %y = tgemm.matmul %x, %w epilogue(%h : tensor<256x256xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<256x256xf16>
  }
  return %0 : tensor<256x256xf16>
}
