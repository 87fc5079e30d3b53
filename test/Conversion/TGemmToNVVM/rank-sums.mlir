// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=ONE < %t.ptx
// RUN: FileCheck %s --check-prefix=TWO < %t.ptx
// RUN: FileCheck %s --check-prefix=CLUSTER < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// A warpgroup of each block sums the tile over ranks, in the place of the
// storer. So a block has a warpgroup more.

// REPORT-DAG: one_shot_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: two_shots_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: in_clusters_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: ragged_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: floats_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads

// With one consumer warpgroup, a block has 384 threads. Two places of 16 x 4096
// bf16 take 256 KiB; another launch has other places. All collective launches are in order.

// PLAN-LABEL: launch.plan @one_shot
// PLAN: %[[T:.*]] = launch.kernel "one_shot_chain0_kernel0"
// PLAN-SAME: #launch.arg<rank>, #launch.arg<peer, rank = 0>, #launch.arg<peer, rank = 1>
// PLAN-SAME: exchange <ranks = 2, bytes = 262144, offset = 0, cleared = true> {block = 384
// PLAN: launch.kernel "one_shot_kernel0"
// PLAN-SAME: programmatic(%[[T]])

// A consumer fills a staging buffer. A thread of the summing warpgroup, which
// has waited for the launches before, sends 16 bytes to both ranks, waits for
// those of both, and makes their memory 0 again. Nothing is copied by TMA.

// ONE-LABEL: .entry one_shot_chain0_kernel0(
// ONE-NOT: cp.async.bulk.tensor.2d.global
// ONE: stmatrix
// ONE: griddepcontrol.wait
// ONE: ld.shared.v4.b32
// ONE-COUNT-2: st.relaxed.sys.global.v4.b32
// ONE: ld.relaxed.sys.global.v4.b32
// ONE: ld.relaxed.sys.global.v4.b32
// ONE-COUNT-2: st.relaxed.sys.global.v4.b32
// ONE: st.global.v4.b32
// ONE: fence.acq_rel.gpu
func.func @one_shot(%x: tensor<16x512xbf16>, %w: tensor<4096x512xbf16>, %y: tensor<8xf32>) -> (tensor<16x4096xbf16>, tensor<8xf32>) {
  %0 = tsync.chain mode(pdl) : tensor<16x4096xbf16> {
    %y0 = tgemm.matmul %x, %w {transpose_rhs, sum_ranks = 2, tiling = #tgemm.tiling<m = 16, n = 64, k = 64, stages = 4, swap_ab = true>}
      : tensor<16x512xbf16>, tensor<4096x512xbf16> -> tensor<16x4096xbf16>
    tsync.yield %y0 : tensor<16x4096xbf16>
  }
  %1 = collective.all_reduce %y ranks 2 : tensor<8xf32>
  return %0, %1 : tensor<16x4096xbf16>, tensor<8xf32>
}

// In two shots, 16 bytes go to the rank that sums their row. It sends the sum to
// the other three, and stores it.

// PLAN-LABEL: launch.plan @two_shots
// PLAN: exchange <ranks = 4, bytes = 8388608, offset = 0, cleared = true> {block = 512

// TWO-LABEL: .entry two_shots_chain0_kernel0(
// TWO: ld.shared.v4.b32
// TWO: st.relaxed.sys.global.v4.b32
// TWO-COUNT-4: ld.relaxed.sys.global.v4.b32
// TWO-COUNT-7: st.relaxed.sys.global.v4.b32
// TWO: st.global.v4.b32
// TWO: ld.relaxed.sys.global.v4.b32
// TWO: st.relaxed.sys.global.v4.b32
// TWO: st.global.v4.b32
func.func @two_shots(%x: tensor<256x512xbf16>, %w: tensor<4096x512xbf16>) -> tensor<256x4096xbf16> {
  %0 = tsync.chain mode(serial) : tensor<256x4096xbf16> {
    %y = tgemm.matmul %x, %w {transpose_rhs, sum_ranks = 4, tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
      : tensor<256x512xbf16>, tensor<4096x512xbf16> -> tensor<256x4096xbf16>
    tsync.yield %y : tensor<256x4096xbf16>
  }
  return %0 : tensor<256x4096xbf16>
}

// Each block of a cluster sums the part of the tile that it completes.

// CLUSTER-LABEL: .entry in_clusters_chain0_kernel0(
// CLUSTER: st.async
// CLUSTER: st.relaxed.sys.global.v4.b32
// CLUSTER: ld.relaxed.sys.global.v4.b32
func.func @in_clusters(%x: tensor<64x1024xf16>, %w: tensor<4096x1024xf16>) -> tensor<64x4096xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x4096xf16> {
    %y = tgemm.matmul %x, %w {transpose_rhs, sum_ranks = 8, tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4, split_k = 2>}
      : tensor<64x1024xf16>, tensor<4096x1024xf16> -> tensor<64x4096xf16>
    tsync.yield %y : tensor<64x4096xf16>
  }
  return %0 : tensor<64x4096xf16>
}

// Rows that do not fill tiles, whose buffers overlap, and three ranks.

func.func @ragged(%x: tensor<100x512xbf16>, %w: tensor<4104x512xbf16>, %b: tensor<4104xbf16>) -> tensor<100x4104xbf16> {
  %0 = tsync.chain mode(serial) : tensor<100x4104xbf16> {
    %y = tgemm.matmul %x, %w epilogue(%b : tensor<4104xbf16>) {epilogue_maps = [affine_map<(m, n) -> (n)>], transpose_rhs, sum_ranks = 3, sum_channel = 1, tiling = #tgemm.tiling<m = 104, n = 128, k = 64, stages = 4, swap_ab = true>}
      : tensor<100x512xbf16>, tensor<4104x512xbf16> -> tensor<100x4104xbf16> {
    ^bb0(%acc: f32, %e: bf16):
      %0 = arith.extf %e : bf16 to f32
      %1 = arith.addf %acc, %0 : f32
      %2 = arith.truncf %1 : f32 to bf16
      tgemm.yield %2 : bf16
    }
    tsync.yield %y : tensor<100x4104xbf16>
  }
  return %0 : tensor<100x4104xbf16>
}

func.func @floats(%x: tensor<64x512xf16>, %w: tensor<512x256xf16>) -> tensor<64x256xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x256xf32> {
    %y = tgemm.matmul %x, %w {sum_ranks = 2, tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>}
      : tensor<64x512xf16>, tensor<512x256xf16> -> tensor<64x256xf32>
    tsync.yield %y : tensor<64x256xf32>
  }
  return %0 : tensor<64x256xf32>
}
