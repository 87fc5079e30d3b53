// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-verify --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-verify --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --tsync-verify --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// REPORT-DAG: groups_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: swapped_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// As many tiles along the rows as any ends can need: 200 groups with rows, and
// (1000 - 200) / 128 = 6 more. The result has a tensor map, for buffers whose
// rows all are in the group, and an address for the others.

// PLAN-LABEL: launch.kernel "groups_chain0_kernel0"
// PLAN-SAME:    #launch.arg<buffer, operand = 0>
// PLAN-SAME:    #launch.arg<tensor_map, operand = 1, sizes = [256, 1000], strides = [512], box = [64, 128], swizzle = b128>
// PLAN-SAME:    #launch.arg<tensor_map, operand = 2, sizes = [512, 256, 200], strides = [1024, 262144], box = [64, 64, 1], swizzle = b128>
// PLAN-SAME:    #launch.arg<buffer, operand = 3>
// PLAN-SAME:    #launch.arg<tensor_map, operand = 3, sizes = [512, 1000], strides = [1024], box = [64, 64], swizzle = b128>
// PLAN-SAME:    grids {{\[\[}}206, 4]]

// The scheduler's warp reads the ends and sums up tiles over its lanes; a thread
// then looks up each task.

// KERNEL-LABEL: llvm.func @groups_chain0_kernel0
// KERNEL: nvvm.shfl.sync up
// KERNEL: nvvm.bar.warp.sync
// KERNEL: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>

// The storer stores a buffer if 64 more rows are in the group; else a consumer
// warpgroup meets and copies it. Both commit a group of copies.

// KERNEL:      %[[WHOLE:.*]] = arith.cmpi ule
// KERNEL-NEXT: scf.if %[[WHOLE]] {
// KERNEL:      nvvm.cp.async.bulk.tensor.global.shared.cta
// KERNEL-NEXT: }
// KERNEL-NEXT: nvvm.cp.async.bulk.commit.group

// PTX-LABEL: .entry groups_chain0_kernel0
// PTX-DAG: shfl.sync.up.b32
// PTX-DAG: max.s32
// PTX-DAG: bar.warp.sync
// PTX-DAG: atom.{{.*}}add
// PTX-DAG: st.global.v4
// PTX-DAG: cp.async.bulk.tensor.2d.global.shared::cta
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16

func.func @groups(%x: tensor<1000x256xf16>, %w: tensor<200x256x512xf16>, %ends: tensor<200xi32>) -> tensor<1000x512xf16> {
  %0 = tsync.chain mode(serial) : tensor<1000x512xf16> {
    %1 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<200xi32>) {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>} : tensor<1000x256xf16>, tensor<200x256x512xf16> -> tensor<1000x512xf16>
    tsync.yield %1 : tensor<1000x512xf16>
  }
  return %0 : tensor<1000x512xf16>
}

// Few rows: columns are MMA rows.
// PTX-LABEL: .entry swapped_chain0_kernel0
// PTX: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16
func.func @swapped(%x: tensor<64x256xbf16>, %w: tensor<8x512x256xbf16>, %scale: tensor<64xf32>, %ends: tensor<8xi32>) -> tensor<64x512xbf16> {
  %0 = tsync.chain mode(serial) : tensor<64x512xbf16> {
    %1 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<8xi32>) epilogue(%scale : tensor<64xf32>) {transpose_rhs, epilogue_maps = [affine_map<(m, n) -> (m)>], tiling = #tgemm.tiling<m = 16, n = 128, k = 64, stages = 4, swap_ab = true>} : tensor<64x256xbf16>, tensor<8x512x256xbf16> -> tensor<64x512xbf16> {
    ^bb0(%a: f32, %s: f32):
      %p = arith.mulf %a, %s : f32
      %out = arith.truncf %p : f32 to bf16
      tgemm.yield %out : bf16
    }
    tsync.yield %1 : tensor<64x512xbf16>
  }
  return %0 : tensor<64x512xbf16>
}
