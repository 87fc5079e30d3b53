// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=ROWS < %t.mlir
// RUN: FileCheck %s --check-prefix=ROWS-CONSUMER < %t.mlir
// RUN: FileCheck %s --check-prefix=BOTH < %t.mlir
// RUN: FileCheck %s --check-prefix=SPLIT < %t.mlir
// RUN: FileCheck %s --check-prefix=SPLIT4 < %t.mlir
// RUN: FileCheck %s --check-prefix=RING < %t.mlir
// RUN: FileCheck %s --check-prefix=KEPT < %t.mlir
// RUN: FileCheck %s --check-prefix=EARLY < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Tiles that several blocks compute. Barriers are told by their place in shared
// memory, which is in the names of constants. The helpers' code is in the order
// of their warps: independent loader, waiting loader, scheduler, storer;
// consumers last.

// REPORT-DAG: rows_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: both_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: split_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: split4_chain0_kernel0: 160 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: gated_split_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: four_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: early_chain0_kernel1: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: ring_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// Two blocks split the rows. Each copies half of rhs, 32 of the 64 rows of a
// step, to both, and counts all of it: 2 x 64 x 64 x 2 bytes. Its own rows of
// lhs it copies for itself. Stages are full at 163840, empty at 163872.

// ROWS-LABEL: launch.kernel "rows_chain0_kernel0"
// ROWS-SAME:    sizes = [4096, 1024], strides = [8192], box = [64, 128], swizzle = b128>
// ROWS-SAME:    sizes = [6144, 4096], strides = [12288], box = [64, 32], swizzle = b128>
// ROWS-SAME:    grids {{\[\[}}4, 48]]
// ROWS-SAME:    block = 384 : i64, cluster = 2 : i64
// ROWS-LABEL: llvm.func @rows_chain0_kernel0(
// ROWS-SAME:    nvvm.cluster_dim = array<i32: 2, 1, 1>
// ROWS:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// ROWS:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// ROWS:         nvvm.elect.sync
// ROWS:           arith.addi %{{.*}}, %c163872_i32
// ROWS:           nvvm.mbarrier.try_wait
// ROWS:           arith.addi %{{.*}}, %c163840_i32
// ROWS:           nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c16384_i32
// ROWS:           %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// ROWS:           %[[FIRST:.*]] = arith.subi %[[RANK]], %[[SHARE]]
// ROWS:           %[[BITS:.*]] = arith.shli %c3_i32, %[[FIRST]]
// ROWS:           %[[MASK:.*]] = arith.trunci %[[BITS]] : i32 to i16
// ROWS:           %[[STEP:.*]] = arith.muli %[[SHARE]], %c32_i32
// ROWS:           %[[BYTES:.*]] = arith.muli %[[SHARE]], %c4096_i32
// ROWS:           %[[STAGE:.*]] = arith.addi %{{.*}}, %[[BYTES]]
// ROWS:           %[[K:.*]] = arith.addi %{{.*}}, %[[STEP]]
// ROWS:           %[[ADDRESS:.*]] = arith.addi %[[STAGE]], %c16384_i32
// ROWS:           %[[TO:.*]] = llvm.inttoptr %[[ADDRESS]] : i32 to !llvm.ptr<7>
// ROWS:           nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %arg1, %[[FULL]], box[%{{.*}}, %[[K]]] multicast_mask = %[[MASK]] :
// ROWS:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, %[[FULL]], box[%{{.*}}, %[[K]]] multicast_mask = %[[MASK]] :
// ROWS:         nvvm.elect.sync
// ROWS:           %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// ROWS:           %[[ROWS_BEFORE:.*]] = arith.muli %[[SHARE]], %c128_i32
// ROWS:           %[[ROW:.*]] = arith.addi %{{.*}}, %[[ROWS_BEFORE]]
// ROWS:           nvvm.mbarrier.try_wait
// ROWS:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %{{.*}}, box[%{{.*}}, %[[ROW]]] :
// ROWS:         nvvm.elect.sync
// ROWS:         nvvm.elect.sync
// ROWS:           %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// ROWS:           %[[ROWS_BEFORE:.*]] = arith.muli %[[SHARE]], %c128_i32
// ROWS:           %[[ROW:.*]] = arith.addi %{{.*}}, %[[ROWS_BEFORE]]
// ROWS:           nvvm.cp.async.bulk.tensor.global.shared.cta %arg2, %{{.*}}, box[%{{.*}}, %[[ROW]]] :

// In a cluster, addresses have the block's number above what a descriptor has
// room for. A warp's first two lanes tell a block each that the stage is free.

// ROWS-CONSUMER-LABEL: llvm.func @rows_chain0_kernel0(
// ROWS-CONSUMER:       nvvm.setmaxregister increase
// ROWS-CONSUMER:       nvvm.wgmma.fence.aligned
// ROWS-CONSUMER:       %[[LHS:.*]] = arith.shrui %{{.*}}, %c4_i32
// ROWS-CONSUMER-NEXT:  arith.andi %[[LHS]], %c16383_i32
// ROWS-CONSUMER:       %[[RHS:.*]] = arith.shrui %{{.*}}, %c4_i32
// ROWS-CONSUMER-NEXT:  arith.andi %[[RHS]], %c16383_i32
// ROWS-CONSUMER:       nvvm.wgmma.wait.group.sync.aligned 1
// ROWS-CONSUMER:       arith.addi %{{.*}}, %c163872_i32
// ROWS-CONSUMER:       %[[TELLS:.*]] = arith.cmpi ult, %[[LANE:.*]], %c2_i32
// ROWS-CONSUMER-NEXT:  scf.if %[[TELLS]] {
// ROWS-CONSUMER:         %[[EMPTY:.*]] = nvvm.mapa %{{.*}}, %[[LANE]] :
// ROWS-CONSUMER-NEXT:    nvvm.mbarrier.arrive %[[EMPTY]] : !llvm.ptr<7>
// ROWS-CONSUMER:       nvvm.wgmma.wait.group.sync.aligned 0
// ROWS-CONSUMER:       arith.addi %{{.*}}, %c163872_i32
// ROWS-CONSUMER:       %[[TELLS:.*]] = arith.cmpi ult, %[[LANE]], %c2_i32
// ROWS-CONSUMER-NEXT:  scf.if %[[TELLS]] {
// ROWS-CONSUMER:         %[[EMPTY:.*]] = nvvm.mapa %{{.*}}, %[[LANE]] :
// ROWS-CONSUMER-NEXT:    nvvm.mbarrier.arrive %[[EMPTY]] : !llvm.ptr<7>
// ROWS-CONSUMER:       nvvm.stmatrix

// LLVM keeps this order, and says the cluster's size to whoever loads the code.
// The first task is computed; a loader says at once that it has it, and waits for
// the second after the loads of the first.

// PTX-LABEL: .entry rows_chain0_kernel0(
// PTX:         .reqnctapercluster 2, 1, 1
// PTX-NOT:     ld.global
// PTX:         fence.mbarrier_init.release.cluster;
// PTX-NEXT:    fence.proxy.async.shared::cta;
// PTX-NOT:     bar.sync
// PTX:         barrier.cluster.arrive.relaxed;
// PTX-NEXT:    barrier.cluster.wait;
// PTX-NOT:     mbarrier
// PTX:         mbarrier.arrive.shared::cluster.b64
// PTX-NOT:     mbarrier
// PTX:         mbarrier.try_wait.parity.shared.b64
// PTX:         mbarrier.arrive.expect_tx.shared.b64
// PTX-NOT:     mbarrier
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// PTX-NOT:     mbarrier.arrive.shared::cluster
// PTX:         mbarrier.try_wait.parity.acquire.cluster.shared.b64
// PTX:         ld.shared.v4.b32
func.func @rows(%x: tensor<1024x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<1024x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<1024x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 256, n = 128, k = 64, stages = 4,
                             cluster_m = 2>
    } : tensor<1024x4096xf16>, tensor<4096x6144xf16> -> tensor<1024x6144xf16>
    tsync.yield %y : tensor<1024x6144xf16>
  }
  return %0 : tensor<1024x6144xf16>
}

// Four blocks split rows and columns. Blocks 0 and 1, and 2 and 3, have the
// same columns; 0 and 2, and 1 and 3, the same rows. Where the reduction is
// contiguous, what is split is rows of a block of lhs, or columns of rhs:
// 32 of 64, and 64 of 128.

// BOTH-LABEL: launch.kernel "both_chain0_kernel0"
// BOTH-SAME:    sizes = [4096, 1024], strides = [8192], box = [64, 32], swizzle = b128>
// BOTH-SAME:    sizes = [4096, 6144], strides = [8192], box = [64, 64], swizzle = b128>
// BOTH-SAME:    cluster = 4 : i64
// BOTH-LABEL: llvm.func @both_chain0_kernel0(
// BOTH:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// BOTH:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// BOTH:         nvvm.mbarrier.init %{{.*}}, %c2_i32
// BOTH:         nvvm.mbarrier.init %{{.*}}, %c16_i32
// BOTH:         nvvm.elect.sync
// BOTH:           %[[SHARE:.*]] = arith.shrui %[[RANK]], %c1_i32
// BOTH:           nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// BOTH:           %[[M:.*]] = arith.andi %[[RANK]], %c1_i32
// BOTH:           %[[FIRST:.*]] = arith.subi %[[RANK]], %[[M]]
// BOTH:           %[[BITS:.*]] = arith.shli %c3_i32, %[[FIRST]]
// BOTH:           %[[MASK:.*]] = arith.trunci %[[BITS]] : i32 to i16
// BOTH:           %[[COLUMNS:.*]] = arith.muli %[[M]], %c64_i32
// BOTH:           %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[COLUMNS]]
// BOTH:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, %{{.*}}, box[%{{.*}}, %[[COLUMN]]] multicast_mask = %[[MASK]] :
// BOTH:         nvvm.elect.sync
// BOTH:           nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c8192_i32
// BOTH:           %[[N:.*]] = arith.shrui %[[RANK]], %c1_i32
// BOTH:           %[[TWICE:.*]] = arith.muli %[[N]], %c2_i32
// BOTH:           %[[FIRST:.*]] = arith.subi %[[RANK]], %[[TWICE]]
// BOTH:           %[[BITS:.*]] = arith.shli %c5_i32, %[[FIRST]]
// BOTH:           %[[MASK:.*]] = arith.trunci %[[BITS]] : i32 to i16
// BOTH:           %[[ROWS_BEFORE:.*]] = arith.muli %[[N]], %c32_i32
// BOTH:           %[[ROW:.*]] = arith.addi %{{.*}}, %[[ROWS_BEFORE]]
// BOTH:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %{{.*}}, box[%{{.*}}, %[[ROW]]] multicast_mask = %[[MASK]] :
// BOTH:         nvvm.setmaxregister increase
// BOTH:         %[[TELLS:.*]] = arith.cmpi ult, %[[LANE:.*]], %c4_i32
// BOTH-NEXT:    scf.if %[[TELLS]] {
func.func @both(%x: tensor<1024x4096xf16>, %w: tensor<6144x4096xf16>)
    -> tensor<1024x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<1024x6144xf16> {
    %y = tgemm.matmul %x, %w {
      transpose_rhs,
      tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4,
                             cluster_m = 2, cluster_n = 2>
    } : tensor<1024x4096xf16>, tensor<6144x4096xf16> -> tensor<1024x6144xf16>
    tsync.yield %y : tensor<1024x6144xf16>
  }
  return %0 : tensor<1024x6144xf16>
}

// Two blocks split the steps, 32 each of 64. Nothing is copied to another
// block, so stages concern nobody else. What they have for the columns of the
// other, 16 accumulators of 128 threads, they send to 81920 of its memory. The
// barrier of that is full at 90224 and empty at 90232. Then each stores half of
// the columns.

// SPLIT-LABEL: launch.kernel "split_chain0_kernel0"
// SPLIT-SAME:    sizes = [6144, 64], strides = [12288], box = [32, 64], swizzle = b64>
// SPLIT-SAME:    cluster = 2 : i64
// SPLIT-LABEL: llvm.func @split_chain0_kernel0(
// SPLIT:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// SPLIT:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// SPLIT:         nvvm.mbarrier.init %{{.*}}, %c2_i32
// SPLIT:         nvvm.mbarrier.init %{{.*}}, %c4_i32
// SPLIT:         nvvm.elect.sync
// SPLIT:           %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// SPLIT:           %[[STEPS:.*]] = arith.muli %[[SHARE]], %c32_i32
// SPLIT:           scf.for %[[I:.*]] = %c0_i32 to %c32_i32
// SPLIT:             %[[STEP:.*]] = arith.addi %[[STEPS]], %[[I]]
// SPLIT:             %[[K:.*]] = arith.muli %[[STEP]], %c64_i32
// SPLIT:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, %{{.*}}, box[%{{.*}}, %[[K]]] l2_cache_hint = %{{.*}} :
// SPLIT:         nvvm.elect.sync
// SPLIT:           %[[STEPS:.*]] = arith.muli %{{.*}}, %c32_i32
// SPLIT:           scf.for %[[I:.*]] = %c0_i32 to %c32_i32
// SPLIT:             %[[STEP:.*]] = arith.addi %[[STEPS]], %[[I]]
// SPLIT:             %[[K:.*]] = arith.muli %[[STEP]], %c64_i32
// SPLIT:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %{{.*}}, box[%[[K]], %{{.*}}] :
// SPLIT:         nvvm.elect.sync
// SPLIT:         nvvm.elect.sync
// SPLIT:           %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// SPLIT:           %[[COLUMNS:.*]] = arith.muli %[[SHARE]], %c32_i32
// SPLIT:           %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[COLUMNS]]
// SPLIT:           nvvm.cp.async.bulk.tensor.global.shared.cta %arg2, %{{.*}}, box[%[[COLUMN]], %{{.*}}] :
// SPLIT:         nvvm.setmaxregister increase
// SPLIT:         nvvm.wgmma.wait.group.sync.aligned 1
// SPLIT-NOT:     nvvm.mapa
// SPLIT:         nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
// SPLIT:         nvvm.wgmma.wait.group.sync.aligned 0
// SPLIT-NOT:     nvvm.mapa
// SPLIT:         nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
// One thread says what will come, and all make sure that the other block has
// read what they sent before.
// SPLIT:         arith.addi %{{.*}}, %c90224_i32
// SPLIT:         %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// SPLIT:         nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c8192_i32
// SPLIT:         %[[EMPTIES:.*]] = arith.addi %{{.*}}, %c90232_i32
// SPLIT-NEXT:    %[[EMPTY32:.*]] = arith.addi %[[EMPTIES]], %{{.*}}
// SPLIT-NEXT:    %[[WRITER:.*]] = arith.xori %[[PARITY:.*]], %c1_i32
// SPLIT-NEXT:    %[[EMPTY:.*]] = llvm.inttoptr %[[EMPTY32]]
// SPLIT:         nvvm.mbarrier.try_wait %[[EMPTY]], %[[WRITER]] :
// Block 1 sends what block 0 completes, and the other way round.
// SPLIT:         %[[TO0:.*]] = arith.cmpi ne, %[[SHARE]], %c0_i32
// SPLIT-NEXT:    scf.if %[[TO0]] {
// SPLIT:           %[[FIRST:.*]] = arith.subi %[[RANK]], %[[SHARE]]
// SPLIT:           arith.addi %{{.*}}, %c81920_i32
// SPLIT:           nvvm.mapa %{{.*}}, %[[FIRST]] :
// SPLIT:           nvvm.mapa %{{.*}}, %[[FIRST]] :
// SPLIT:           llvm.extractvalue %[[SUMS:.*]][0]
// SPLIT-COUNT-4:   st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// SPLIT-NOT:       st.async
// SPLIT:         %[[TO1:.*]] = arith.cmpi ne, %[[SHARE]], %c1_i32
// SPLIT-NEXT:    scf.if %[[TO1]] {
// SPLIT:           %[[FIRST:.*]] = arith.subi %[[RANK]], %[[SHARE]]
// SPLIT:           %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1_i32
// SPLIT:           nvvm.mapa %{{.*}}, %[[SECOND]] :
// SPLIT:           nvvm.mapa %{{.*}}, %[[SECOND]] :
// SPLIT:           llvm.extractvalue %[[SUMS]][16]
// SPLIT-COUNT-4:   st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// SPLIT-NOT:       st.async
// What comes is acquired from the cluster, added, and only then given back.
// SPLIT:         nvvm.mbarrier.try_wait %{{.*}}, %[[PARITY]] {scope = #nvvm.mem_scope<cluster>} :
// SPLIT-NOT:     nvvm.mbarrier
// SPLIT:         %[[MINE:.*]] = arith.cmpi eq, %[[SHARE]], %c1_i32
// SPLIT:         arith.select %[[MINE]]
// SPLIT-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// SPLIT-NOT:     {{llvm.load|nvvm.mapa}}
// SPLIT:         nvvm.bar.warp.sync
// SPLIT-NEXT:    %[[OTHER:.*]] = arith.cmpi ne, %[[LANE:.*]], %[[SHARE]]
// SPLIT-NEXT:    %[[SHARES:.*]] = arith.cmpi ult, %[[LANE]], %c2_i32
// SPLIT-NEXT:    %[[TELLS:.*]] = arith.andi %[[SHARES]], %[[OTHER]]
// SPLIT-NEXT:    scf.if %[[TELLS]] {
// SPLIT-NEXT:      %[[FIRST:.*]] = arith.subi %[[RANK]], %[[SHARE]]
// SPLIT-NEXT:      %[[WHO:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// SPLIT-NEXT:      %[[THEIRS:.*]] = nvvm.mapa %[[EMPTY]], %[[WHO]] :
// SPLIT-NEXT:      nvvm.mbarrier.arrive %[[THEIRS]] : !llvm.ptr<7>
// SPLIT:         nvvm.stmatrix
// At the end, they wait for the other block to have told that.
// SPLIT:         nvvm.bar.warp.sync
// SPLIT:         nvvm.bar.warp.sync
// SPLIT:         nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// SPLIT:         arith.addi %{{.*}}, %c90232_i32
// SPLIT-NOT:     llvm.return
// SPLIT:         nvvm.mbarrier.try_wait
// SPLIT:         llvm.return

// PTX-LABEL: .entry split_chain0_kernel0(
// PTX:         setmaxnreg.inc
// PTX:         wgmma.wait_group.sync.aligned 0;
// PTX:         mbarrier.arrive.expect_tx.shared.b64
// PTX:         mbarrier.try_wait.parity.shared.b64
// PTX-COUNT-8: st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// PTX-NOT:     ld.shared
// PTX:         mbarrier.try_wait.parity.acquire.cluster.shared.b64
// PTX-COUNT-4: ld.shared.v4.b32
// PTX-NOT:     ld.shared
// PTX:         bar.warp.sync
// PTX:         mbarrier.arrive.shared::cluster.b64
// PTX-NOT:     mbarrier.arrive
// PTX:         stmatrix
func.func @split(%x: tensor<64x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<64x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 2>
    } : tensor<64x4096xf16>, tensor<4096x6144xf16> -> tensor<64x6144xf16>
    tsync.yield %y : tensor<64x6144xf16>
  }
  return %0 : tensor<64x6144xf16>
}

// Among four, a block gets three parts of 64 columns: 3 x 32 accumulators of
// 128 threads, from 12 warps. Five steps are two for each.

// SPLIT4-LABEL: llvm.func @split4_chain0_kernel0(
// SPLIT4:         nvvm.mbarrier.init %{{.*}}, %c12_i32
// SPLIT4:         nvvm.elect.sync
// SPLIT4:           %[[SHARE:.*]] = arith.andi %{{.*}}, %c3_i32
// SPLIT4:           arith.muli %[[SHARE]], %c2_i32
// SPLIT4:           scf.for %{{.*}} = %c0_i32 to %c2_i32
// SPLIT4:         nvvm.setmaxregister increase
// SPLIT4:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c49152_i32
// SPLIT4-COUNT-32: st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// SPLIT4-NOT:     st.async
// SPLIT4:         nvvm.mbarrier.try_wait
// SPLIT4-COUNT-24: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// SPLIT4-NOT:     {{llvm.load|nvvm.mapa}}
// SPLIT4:         nvvm.bar.warp.sync
func.func @split4(%x: tensor<64x320xf16>, %w: tensor<320x6144xf16>)
    -> tensor<64x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 256, k = 64, stages = 3, split_k = 4>
    } : tensor<64x320xf16>, tensor<320x6144xf16> -> tensor<64x6144xf16>
    tsync.yield %y : tensor<64x6144xf16>
  }
  return %0 : tensor<64x6144xf16>
}

// Two products at once, each of which is summed. Only that ptxas finds registers
// for it is checked.
func.func @gated_split(%x: tensor<128x4096xbf16>, %wg: tensor<4096x11008xbf16>,
                       %wu: tensor<4096x11008xbf16>)
    -> tensor<128x11008xbf16> {
  %0 = tsync.chain mode(serial) : tensor<128x11008xbf16> {
    %h = tgemm.matmul %x, %wg, %wu {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 3, split_k = 2>
    } : tensor<128x4096xbf16>, tensor<4096x11008xbf16>,
        tensor<4096x11008xbf16> -> tensor<128x11008xbf16> {
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
    tsync.yield %h : tensor<128x11008xbf16>
  }
  return %0 : tensor<128x11008xbf16>
}

// The same of rows and steps split among four blocks, with an activation.
func.func @four(%x: tensor<256x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<256x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<256x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 256, n = 256, k = 64, stages = 3,
                             cluster_m = 2, split_k = 2>
    } : tensor<256x4096xf16>, tensor<4096x6144xf16> -> tensor<256x6144xf16> {
    ^bb0(%acc: f32):
      %t = math.tanh %acc : f32
      %o = arith.truncf %t : f32 to f16
      tgemm.yield %o : f16
    }
    tsync.yield %y : tensor<256x6144xf16>
  }
  return %0 : tensor<256x6144xf16>
}

// Blocks of 256 x 192 are staged where the last step had its lhs. So it is the
// storer who frees that stage, for eight warps and in both blocks. It arrives one
// by one: in a round of few arrivals, eight at once could be too many.

// RING-LABEL: launch.kernel "ring_chain0_kernel0"
// RING-SAME:    cluster = 2 : i64, shared_memory = 229568 : i64
// RING-LABEL: llvm.func @ring_chain0_kernel0(
// RING:         nvvm.cp.async.bulk.tensor.global.shared.cta
// RING:         nvvm.cp.async.bulk.wait_group 0 {read}
// RING:         arith.addi %{{.*}}, %c229408_i32
// RING:         scf.for %{{.*}} = %c0_i32 to %c8_i32 step %c1_i32
// RING:           %[[HERE:.*]] = nvvm.mapa %{{.*}}, %c0_i32
// RING-NEXT:      nvvm.mbarrier.arrive %[[HERE]] : !llvm.ptr<7>
// RING:           %[[THERE:.*]] = nvvm.mapa %{{.*}}, %c1_i32
// RING-NEXT:      nvvm.mbarrier.arrive %[[THERE]] : !llvm.ptr<7>
// RING:         nvvm.wgmma.wait.group.sync.aligned 0
// RING-NOT:     nvvm.mapa
// RING:         nvvm.stmatrix
func.func @ring(%x: tensor<2048x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<2048x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<2048x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 512, n = 192, k = 64, stages = 4,
                             cluster_m = 2>
    } : tensor<2048x4096xf16>, tensor<4096x6144xf16> -> tensor<2048x6144xf16>
    tsync.yield %y : tensor<2048x6144xf16>
  }
  return %0 : tensor<2048x6144xf16>
}

// Where all tiles run at once, the stages of three steps are kept, for six buffers,
// and freed in both blocks.

// KEPT-LABEL: llvm.func @kept_chain0_kernel0(
// KEPT:         nvvm.cp.async.bulk.tensor.global.shared.cta
// KEPT:         nvvm.cp.async.bulk.wait_group 0 {read}
// KEPT:         scf.for %{{.*}} = %c0_i32 to %c8_i32 step %c1_i32
// KEPT-COUNT-6:   nvvm.mapa
// KEPT:           nvvm.cp.async.bulk.wait_group 0
// KEPT:         nvvm.wgmma.wait.group.sync.aligned 1
// KEPT:         %[[BEFORE:.*]] = arith.addi %{{.*}}, %c-1_i32
// KEPT:         arith.cmpi ult, %[[BEFORE]], %c93_i32
func.func @kept(%x: tensor<1024x6144xf16>, %w: tensor<6144x6144xf16>)
    -> tensor<1024x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<1024x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 512, n = 192, k = 64, stages = 4,
                             cluster_m = 2>
    } : tensor<1024x6144xf16>, tensor<6144x6144xf16> -> tensor<1024x6144xf16>
    tsync.yield %y : tensor<1024x6144xf16>
  }
  return %0 : tensor<1024x6144xf16>
}

// In mode pdl, each block waits for the launch before as one that is alone does:
// before its first copy of what that writes, to whichever block, and before its
// first store. What another block copied here has been waited for there.

// EARLY-LABEL: launch.kernel "early_chain0_kernel1"
// EARLY-SAME:    after programmatic(
// EARLY-SAME:    cluster = 2 : i64
// EARLY-LABEL: llvm.func @early_chain0_kernel1(
// EARLY:         nvvm.cluster.wait
// EARLY-NOT:     griddepcontrol
// EARLY:         nvvm.elect.sync
// EARLY-NOT:     griddepcontrol
// EARLY:         nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, {{.*}}] :
// EARLY-NOT:     griddepcontrol
// EARLY:         %[[IS_ONE:.*]] = nvvm.elect.sync
// EARLY-NEXT:    scf.if %[[IS_ONE]] {
// EARLY-NEXT:      "griddepcontrol.wait;", "~{memory}"
// EARLY:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, {{.*}} multicast_mask
// EARLY:         nvvm.elect.sync
// EARLY:         %[[IS_ONE:.*]] = nvvm.elect.sync
// EARLY-NEXT:    scf.if %[[IS_ONE]] {
// EARLY-NEXT:      "griddepcontrol.wait;", "~{memory}"
// EARLY:           nvvm.cp.async.bulk.tensor.global.shared.cta %arg2,
func.func @early(%x: tensor<1024x1024xf16>, %w: tensor<1024x1024xf16>)
    -> tensor<1024x1024xf16> {
  %0 = tsync.chain mode(pdl) : tensor<1024x1024xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<1024x1024xf16>, tensor<1024x1024xf16> -> tensor<1024x1024xf16>
    %y = tgemm.matmul %x, %h {
      tiling = #tgemm.tiling<m = 256, n = 128, k = 64, stages = 4,
                             cluster_m = 2>
    } : tensor<1024x1024xf16>, tensor<1024x1024xf16> -> tensor<1024x1024xf16>
    tsync.yield %y : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}
