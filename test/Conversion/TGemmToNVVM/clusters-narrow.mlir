// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=EIGHT < %t.mlir
// RUN: FileCheck %s --check-prefix=THREE < %t.mlir
// RUN: FileCheck %s --check-prefix=FLOATS < %t.mlir
// RUN: FileCheck %s --check-prefix=TALL < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Blocks that split the steps of narrow tiles: each completes 8 columns, or
// a number of them that is divisible by no larger power of two.

// REPORT-DAG: eight_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: three_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: floats_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: tall_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// Eight columns of f16 are rows of 16 bytes, with nothing to permute. Of each of
// three others comes one quad of 128 threads: 6144 bytes. One instruction writes
// the 16 rows of a warp: rows r and r + 8 of a thread.

// EIGHT-LABEL: launch.kernel "eight_chain0_kernel0"
// EIGHT-SAME:    sizes = [6144, 64], strides = [12288], box = [8, 64]>
// EIGHT-SAME:    cluster = 4 : i64
// EIGHT-LABEL: llvm.func @eight_chain0_kernel0(
// EIGHT:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// EIGHT:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// EIGHT-COUNT-4: nvvm.elect.sync
// EIGHT:           %[[COLUMN0:.*]] = arith.muli %{{.*}}, %c32_i32
// EIGHT-NEXT:      %[[SHARE:.*]] = arith.andi %[[RANK]], %c3_i32
// EIGHT-NEXT:      %[[COLUMNS:.*]] = arith.muli %[[SHARE]], %c8_i32
// EIGHT-NEXT:      %[[COLUMN:.*]] = arith.addi %[[COLUMN0]], %[[COLUMNS]]
// EIGHT:           nvvm.cp.async.bulk.tensor.global.shared.cta %arg2, %{{.*}}, box[%[[COLUMN]], %{{.*}}] :
// EIGHT-NOT:       nvvm.cp.async.bulk.tensor
// EIGHT:         nvvm.setmaxregister increase
// EIGHT:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c6144_i32
// EIGHT-COUNT-4: st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// EIGHT-NOT:     st.async
// EIGHT:         nvvm.mbarrier.try_wait %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// EIGHT-COUNT-3: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// EIGHT-NOT:     llvm.load
// EIGHT:         %[[IN_WARP:.*]] = arith.andi %[[LANE:.*]], %c15_i32
// EIGHT-NEXT:    %[[ROW:.*]] = arith.addi %{{.*}}, %[[IN_WARP]]
// EIGHT-NEXT:    %[[HIGH:.*]] = arith.shrui %[[LANE]], %c4_i32
// EIGHT-NEXT:    %[[PART:.*]] = arith.shli %[[HIGH]], %c4_i32
// EIGHT-NEXT:    %[[BYTES:.*]] = arith.muli %[[ROW]], %c16_i32
// EIGHT-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %[[BYTES]]
// EIGHT-NEXT:    %[[AT_PART:.*]] = arith.addi %[[AT]], %[[PART]]
// EIGHT:         %[[UPPER:.*]] = llvm.bitcast %{{.*}} : vector<2xf16> to i32
// EIGHT:         %[[LOWER:.*]] = llvm.bitcast %{{.*}} : vector<2xf16> to i32
// EIGHT-NEXT:    %[[PLACE:.*]] = llvm.inttoptr %[[AT_PART]]
// EIGHT-NEXT:    nvvm.stmatrix %[[PLACE]], %[[UPPER]], %[[LOWER]] {
// EIGHT-NOT:     nvvm.stmatrix
// EIGHT:         llvm.return

// PTX-LABEL: .entry eight_chain0_kernel0(
// PTX:         stmatrix.sync.aligned.m8n8.x2.shared.b16
// PTX-NOT:     stmatrix
func.func @eight(%x: tensor<64x1024xf16>, %w: tensor<1024x6144xf16>)
    -> tensor<64x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 4, split_k = 4>
    } : tensor<64x1024xf16>, tensor<1024x6144xf16> -> tensor<64x6144xf16>
    tsync.yield %y : tensor<64x6144xf16>
  }
  return %0 : tensor<64x6144xf16>
}

// A warpgroup's 24 columns are one buffer, whose rows of 48 bytes are in different
// banks without a swizzle, and nine quads from others. The bias is read at their columns, before the steps: a lane
// of each warp reads two, and they get theirs from each other.

// THREE-LABEL: launch.kernel "three_chain0_kernel0"
// THREE-SAME:    sizes = [6144, 64], strides = [12288], box = [24, 64]>
// THREE-LABEL: llvm.func @three_chain0_kernel0(
// THREE-COUNT-4: nvvm.elect.sync
// THREE:           %[[COLUMNS:.*]] = arith.muli %{{.*}}, %c24_i32
// THREE:           %[[FIRST:.*]] = arith.addi %{{.*}}, %[[COLUMNS]]
// THREE:           nvvm.cp.async.bulk.tensor.global.shared.cta %arg2, %{{.*}}, box[%[[FIRST]], %{{.*}}] :
// THREE-NOT:       nvvm.cp.async.bulk.tensor.global.shared.cta
// THREE:         nvvm.setmaxregister increase
// THREE:         %[[COLUMN0:.*]] = arith.muli %{{.*}}, %c96_i32
// THREE:         %[[COLUMNS:.*]] = arith.muli %{{.*}}, %c24_i32
// THREE-NEXT:    %[[FIRST:.*]] = arith.addi %[[COLUMN0]], %[[COLUMNS]]
// THREE:         %[[TWICE:.*]] = arith.muli %[[LANE:.*]], %c2_i32
// THREE-NEXT:    %[[MINE:.*]] = arith.addi %[[FIRST]], %[[TWICE]]
// THREE:         arith.minui %[[MINE]], %c6142_i32
// THREE:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<2xf16>
// THREE-NOT:     !llvm.ptr<1>
// THREE:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c18432_i32
// THREE-COUNT-12: st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32
// THREE-NOT:     st.async
// THREE-COUNT-9: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// THREE-NOT:     llvm.load {{.*}} vector<4xf32>
// THREE:         %[[OWN:.*]] = arith.andi %[[LANE]], %c3_i32
// THREE-NEXT:    nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[OWN]], %c31_i32
// THREE:         %[[FROM1:.*]] = arith.ori %{{.*}}, %c4_i32
// THREE-NEXT:    nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[FROM1]], %c31_i32
// THREE:         nvvm.stmatrix %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {
// THREE:         %[[FROM2:.*]] = arith.ori %{{.*}}, %c8_i32
// THREE-NEXT:    nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[FROM2]], %c31_i32
// THREE:         nvvm.stmatrix %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {
// THREE-NOT:     nvvm.stmatrix
// THREE:         llvm.return

// PTX-LABEL: .entry three_chain0_kernel0(
// PTX:         stmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX:         stmatrix.sync.aligned.m8n8.x2.shared.b16
// PTX-NOT:     stmatrix
func.func @three(%x: tensor<64x1024xf16>, %w: tensor<1024x6144xf16>,
                 %b: tensor<6144xf16>)
    -> tensor<64x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x6144xf16> {
    %y = tgemm.matmul %x, %w epilogue(%b : tensor<6144xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 64, n = 96, k = 64, stages = 4, split_k = 4>
    } : tensor<64x1024xf16>, tensor<1024x6144xf16> -> tensor<64x6144xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<64x6144xf16>
  }
  return %0 : tensor<64x6144xf16>
}

// Of f32 they are rows of 32 bytes, and stored as ever.

// FLOATS-LABEL: launch.kernel "floats_chain0_kernel0"
// FLOATS-SAME:    sizes = [6144, 64], strides = [24576], box = [8, 64], swizzle = b32>
// FLOATS-LABEL: llvm.func @floats_chain0_kernel0(
// FLOATS:         nvvm.setmaxregister increase
// FLOATS-COUNT-2: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
// FLOATS-NOT:     llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
// FLOATS:         llvm.return

// PTX-LABEL: .entry floats_chain0_kernel0(
func.func @floats(%x: tensor<64x1024xf16>, %w: tensor<1024x6144xf16>)
    -> tensor<64x6144xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x6144xf32> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 4, split_k = 4>
    } : tensor<64x1024xf16>, tensor<1024x6144xf16> -> tensor<64x6144xf32>
    tsync.yield %y : tensor<64x6144xf32>
  }
  return %0 : tensor<64x6144xf32>
}

// The smallest tile of two warpgroups with two blocks of rows each: which of its
// sums a thread stores depends on the block, and the code is there once.

// TALL-LABEL: launch.kernel "tall_chain0_kernel0"
// TALL-SAME:    sizes = [6144, 256], strides = [12288], box = [8, 64]>
// TALL-LABEL: llvm.func @tall_chain0_kernel0(
// TALL:         nvvm.setmaxregister increase
// TALL:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c4096_i32
// TALL-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// TALL:         scf.for %[[BLOCK:.*]] = %c0_i32 to %c2_i32
// TALL:           %[[IS_SECOND:.*]] = arith.cmpi eq, %[[BLOCK]], %c1_i32
// TALL-COUNT-4:   arith.select %[[IS_SECOND]]
// TALL:           nvvm.stmatrix %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {
// TALL-NOT:     nvvm.stmatrix
// TALL:         llvm.return
func.func @tall(%x: tensor<256x1024xf16>, %w: tensor<1024x6144xf16>)
    -> tensor<256x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<256x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 256, n = 16, k = 64, stages = 4, split_k = 2>
    } : tensor<256x1024xf16>, tensor<1024x6144xf16> -> tensor<256x6144xf16>
    tsync.yield %y : tensor<256x6144xf16>
  }
  return %0 : tensor<256x6144xf16>
}
