// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s --check-prefix=PLAN
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// What operands and results may look like. Every chain here is serial, so that
// each tile kernel is a kernel of its own.

// REPORT-DAG: gated_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: gated_chain0_kernel1: 160 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: transposed_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: transposed_chain0_kernel1: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: batch_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: ring_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: floats_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: kept_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// A gated layer in bf16: two products of one lhs. The second kernel adds a
// residual, two elements at a time.

// PLAN-LABEL: launch.plan @gated
// PLAN:       launch.kernel "gated_chain0_kernel0"
// PLAN-SAME:    grids {{\[\[}}4, 86]] order [#{{.*}}] {block = 384
// PLAN:       launch.kernel "gated_chain0_kernel1"
// PLAN-SAME:    #launch.arg<buffer, operand = 3>
// PLAN-SAME:    grids {{\[\[}}8, 16]] order [#{{.*}}] {block = 256

// CHECK-LABEL: .entry gated_chain0_kernel0(
// CHECK-NOT:     ld.acquire
// CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// CHECK:         ex2.approx.ftz.f32
// CHECK:         div.approx.ftz.f32
// CHECK:         cvt.rn.bf16x2.f32
// CHECK-NOT:     red.release
// CHECK-LABEL: .entry gated_chain0_kernel1(
// CHECK:         .maxnreg 160
// CHECK:         setmaxnreg.inc.sync.aligned.u32 232;
// CHECK:         ld.global.b32
// CHECK:         cvt.f32.bf16
// CHECK:         add.f32
func.func @gated(%x: tensor<512x4096xbf16>, %wg: tensor<4096x11008xbf16>,
                 %wu: tensor<4096x11008xbf16>, %w2: tensor<11008x4096xbf16>)
    -> tensor<512x4096xbf16> {
  %0 = tsync.chain mode(serial) : tensor<512x4096xbf16> {
    %h = tgemm.matmul %x, %wg, %wu {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<512x4096xbf16>, tensor<4096x11008xbf16>,
        tensor<4096x11008xbf16> -> tensor<512x11008xbf16> {
    ^bb0(%g: f32, %u: f32):
      %one = arith.constant 1.0 : f32
      %n = arith.negf %g : f32
      %e = math.exp %n : f32
      %d = arith.addf %e, %one : f32
      %s = arith.divf %g, %d : f32
      %p = arith.mulf %s, %u : f32
      %o = arith.truncf %p : f32 to bf16
      tgemm.yield %o : bf16
    }
    %o = tgemm.matmul %h, %w2 epilogue(%x : tensor<512x4096xbf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 256, k = 64, stages = 4>
    } : tensor<512x11008xbf16>, tensor<11008x4096xbf16>
        -> tensor<512x4096xbf16> {
    ^bb0(%a: f32, %r: bf16):
      %r32 = arith.extf %r : bf16 to f32
      %s = arith.addf %a, %r32 : f32
      %o = arith.truncf %s : f32 to bf16
      tgemm.yield %o : bf16
    }
    tsync.dependence %h -> %o operand 0
        : tensor<512x11008xbf16>, tensor<512x4096xbf16>
    tsync.yield %o : tensor<512x4096xbf16>
  }
  return %0 : tensor<512x4096xbf16>
}

// Either operand either way round, sizes that the tiles do not divide, an f32
// result from a view, and steps of two chunks. The edge is clipped by the copies;
// reads of the bias are clamped.

// PLAN-LABEL: launch.plan @transposed
// PLAN:       launch.kernel "transposed_chain0_kernel0"
// PLAN-SAME:    sizes = [136, 256], strides = [272], box = [64, 64], swizzle = b128
// PLAN-SAME:    sizes = [256, 520], strides = [512], box = [64, 96], swizzle = b128
// PLAN-SAME:    sizes = [520, 136], strides = [1040], box = [32, 64], swizzle = b64
// PLAN:       launch.kernel "transposed_chain0_kernel1"
// PLAN-SAME:    offset = 32, sizes = [504, 136], strides = [1040], box = [64, 128], swizzle = b128
// PLAN-SAME:    sizes = [104, 136], strides = [416], box = [32, 64], swizzle = b128

// CHECK-LABEL: .entry transposed_chain0_kernel0(
// CHECK:         min.u32
// CHECK:         wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 {{.*}}, %keeps, 1, 1, 1, 0;
// CHECK-LABEL: .entry transposed_chain0_kernel1(
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, %keeps, 1, 1, 0, 1;
// CHECK:         st.shared.v2.b32
func.func @transposed(%x: tensor<256x136xf16>, %w1: tensor<520x256xf16>,
                      %b: tensor<520xf32>, %w2: tensor<504x104xf16>)
    -> tensor<136x104xf32> {
  %0 = tsync.chain mode(serial) : tensor<136x104xf32> {
    %h = tgemm.matmul %x, %w1 epilogue(%b : tensor<520xf32>) {
      transpose_lhs, transpose_rhs,
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 64, n = 96, k = 64, stages = 4>
    } : tensor<256x136xf16>, tensor<520x256xf16> -> tensor<136x520xf16> {
    ^bb0(%a: f32, %bias: f32):
      %s = arith.addf %a, %bias : f32
      %o = arith.truncf %s : f32 to f16
      tgemm.yield %o : f16
    }
    %u = tensor.extract_slice %h[0, 16] [136, 504] [1, 1]
      : tensor<136x520xf16> to tensor<136x504xf16>
    %o = tgemm.matmul %u, %w2 {
      tiling = #tgemm.tiling<m = 128, n = 64, k = 128, stages = 3>
    } : tensor<136x504xf16>, tensor<504x104xf16> -> tensor<136x104xf32>
    tsync.dependence %h -> %o operand 0
        : tensor<136x520xf16>, tensor<136x104xf32>
    tsync.yield %o : tensor<136x104xf32>
  }
  return %0 : tensor<136x104xf32>
}

// A batch, with an operand that all of it shares. Caches are told that the other
// is read once: each of its matrices is read by the one tile of its batch.

// PLAN-LABEL: launch.plan @batch
// PLAN:         sizes = [64, 128], strides = [128], box = [64, 128], swizzle = b128
// PLAN-SAME:    sizes = [64, 192, 12], strides = [128, 24576], box = [64, 192, 1], swizzle = b128
// PLAN-SAME:    sizes = [192, 128, 12], strides = [384, 49152], box = [64, 64, 1], swizzle = b128
// PLAN-SAME:    grids {{\[\[}}12, 1, 1]]

// CHECK-LABEL: .entry batch_chain0_kernel0(
// CHECK-DAG:     cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [
// CHECK-DAG:     cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [
// CHECK-DAG:     cp.async.bulk.tensor.3d.global.shared::cta
func.func @batch(%q: tensor<128x64xf16>, %k: tensor<12x192x64xf16>)
    -> tensor<12x128x192xf16> {
  %0 = tsync.chain mode(serial) : tensor<12x128x192xf16> {
    %p = tgemm.matmul %q, %k {
      transpose_rhs,
      tiling = #tgemm.tiling<m = 128, n = 192, k = 64, stages = 4>
    } : tensor<128x64xf16>, tensor<12x192x64xf16> -> tensor<12x128x192xf16>
    tsync.yield %p : tensor<12x128x192xf16>
  }
  return %0 : tensor<12x128x192xf16>
}

// Four stages of 256 x 192 leave no room for the result, which is staged where
// the last step had its lhs. The warpgroup makes sure of that, and the storer
// frees the stage, with the arrivals of eight warps.

// PLAN-LABEL: launch.plan @ring
// PLAN:         shared_memory = 229568

// CHECK-LABEL: .entry ring_chain0_kernel0(
// CHECK:         wgmma.wait_group.sync.aligned 0;
// CHECK-NOT:     stmatrix
// CHECK:         bar.sync %{{r[0-9]+}}, 128;
// CHECK:         stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK:         cp.async.bulk.wait_group.read 0;
// CHECK:         mbarrier.arrive.shared.b64 %{{rd[0-9]+}}, [%{{rd[0-9]+}}], %{{r[0-9]+}};
func.func @ring(%x: tensor<2048x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<2048x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<2048x6144xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 4>
    } : tensor<2048x4096xf16>, tensor<4096x6144xf16> -> tensor<2048x6144xf16>
    tsync.yield %h : tensor<2048x6144xf16>
  }
  return %0 : tensor<2048x6144xf16>
}

// Rows of f32 are staged in whole groups of eight columns, so that an odd number
// of 16 bytes is none: 80 columns are five buffers of 16, and as many copies.

// PLAN-LABEL: launch.plan @floats
// PLAN:         sizes = [80, 128], strides = [320], box = [16, 64], swizzle = b64>
// PLAN-LABEL: llvm.func @floats_chain0_kernel0(
// PLAN:         scf.for %{{.*}} = %c0_i32{{.*}} to %c5_i32{{.*}} step
// PLAN:           nvvm.cp.async.bulk.tensor.global.shared.cta

// CHECK-LABEL: .entry floats_chain0_kernel0(
// CHECK-COUNT-20: st.shared.v2.b32
// CHECK-NOT:     st.shared.v2.b32
// CHECK:         cp.async.bulk.tensor.2d.global.shared::cta
func.func @floats(%x: tensor<128x256xf16>, %w: tensor<256x80xf16>)
    -> tensor<128x80xf32> {
  %0 = tsync.chain mode(serial) : tensor<128x80xf32> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 128, n = 80, k = 64, stages = 4>
    } : tensor<128x256xf16>, tensor<256x80xf16> -> tensor<128x80xf32>
    tsync.yield %y : tensor<128x80xf32>
  }
  return %0 : tensor<128x80xf32>
}

// Where all tiles run at once, nobody waits for the stages of a tile's last
// steps. So the last two of 64 are kept, and have a buffer of 40 columns each, in
// the rows of lhs that only the warpgroup has read: no buffer is filled twice.

// PLAN-LABEL: launch.plan @kept
// PLAN:         sizes = [2560, 512], strides = [5120], box = [40, 64]>
// PLAN:         shared_memory = 229632

// CHECK-LABEL: .entry kept_chain0_kernel0(
// CHECK:         wgmma.wait_group.sync.aligned 1;
// CHECK:         setp.lt.u32 %{{p[0-9]+}}, %{{r[0-9]+}}, -62;
// CHECK:         wgmma.wait_group.sync.aligned 0;
// CHECK-NOT:     stmatrix
// CHECK:         bar.sync %{{r[0-9]+}}, 128;
// CHECK-COUNT-2: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK:         stmatrix.sync.aligned.m8n8.x2.shared.b16
// CHECK:         cp.async.bulk.tensor.2d.global.shared::cta
// CHECK:         cp.async.bulk.wait_group.read 0;
// CHECK-COUNT-2: mbarrier.arrive.shared.b64 %{{rd[0-9]+}}, [%{{rd[0-9]+}}], %{{r[0-9]+}};
func.func @kept(%x: tensor<512x4096xf16>, %w: tensor<4096x2560xf16>)
    -> tensor<512x2560xf16> {
  %0 = tsync.chain mode(serial) : tensor<512x2560xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 128, n = 80, k = 64, stages = 8>
    } : tensor<512x4096xf16>, tensor<4096x2560xf16> -> tensor<512x2560xf16>
    tsync.yield %h : tensor<512x2560xf16>
  }
  return %0 : tensor<512x2560xf16>
}
