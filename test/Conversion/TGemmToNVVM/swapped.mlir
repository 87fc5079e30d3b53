// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=RAGGED < %t.mlir
// RUN: FileCheck %s --check-prefix=GATED < %t.mlir
// RUN: FileCheck %s --check-prefix=STEPS < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// A of the matrix instructions is rhs, so that a tile can have any multiple of 8
// rows.

// REPORT-DAG: ragged_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: gated_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: steps_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// All 200 rows of lhs in one copy, 128 columns of rhs in two. Of a tile 56 rows
// of 64 columns are stored at a time, the last of them from row 144 on.

// RAGGED-LABEL: launch.kernel "ragged_chain0_kernel0"
// RAGGED-SAME:    sizes = [1024, 200], strides = [2048], box = [64, 200], swizzle = b128>
// RAGGED-SAME:    sizes = [512, 1024], strides = [1024], box = [64, 64], swizzle = b128>
// RAGGED-SAME:    sizes = [512, 200], strides = [1024], box = [64, 56], swizzle = b128>
// RAGGED-LABEL: llvm.func @ragged_chain0_kernel0(

// PTX-LABEL: .entry ragged_chain0_kernel0(
// PTX:         wgmma.mma_async.sync.aligned.m64n200k16.f32.f16.f16 {{.*}}, %a, %b, %keeps, 1, 1, 1, 0;
// PTX-COUNT-3: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
func.func @ragged(%x: tensor<200x1024xf16>, %w: tensor<1024x512xf16>)
    -> tensor<200x512xf16> {
  %0 = tsync.chain mode(serial) : tensor<200x512xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 200, n = 128, k = 64, stages = 4, swap_ab = true>
    } : tensor<200x1024xf16>, tensor<1024x512xf16> -> tensor<200x512xf16>
    tsync.yield %y : tensor<200x512xf16>
  }
  return %0 : tensor<200x512xf16>
}

// Two rhs, each with an accumulator of its own: A differs, and B is one. The
// bias depends on the MMA row: a thread reads it twice for all of a block.

// GATED-LABEL: launch.kernel "gated_chain0_kernel0"
// GATED-LABEL: llvm.func @gated_chain0_kernel0(
// GATED:         nvvm.setmaxregister increase
// GATED-COUNT-2: llvm.load {{.*}} : !llvm.ptr<1> -> f16
// GATED-NOT:     llvm.load {{.*}} : !llvm.ptr<1>
// GATED:         llvm.return

// PTX-LABEL: .entry gated_chain0_kernel0(
func.func @gated(%x: tensor<72x1024xf16>, %g: tensor<512x1024xf16>,
                 %u: tensor<512x1024xf16>, %b: tensor<512xf16>)
    -> tensor<72x512xf16> {
  %0 = tsync.chain mode(serial) : tensor<72x512xf16> {
    %y = tgemm.matmul %x, %g, %u epilogue(%b : tensor<512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      transpose_rhs,
      tiling = #tgemm.tiling<m = 72, n = 128, k = 64, stages = 4, swap_ab = true>
    } : tensor<72x1024xf16>, tensor<512x1024xf16>, tensor<512x1024xf16> -> tensor<72x512xf16> {
    ^bb0(%gate: f32, %up: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %product = arith.mulf %gate, %up : f32
      %sum = arith.addf %product, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<72x512xf16>
  }
  return %0 : tensor<72x512xf16>
}

// Of 48 rows, each of two blocks completes 24, which are stored from there on.

// STEPS-LABEL: launch.kernel "steps_chain0_kernel0"
// STEPS-SAME:    sizes = [512, 48], strides = [1024], box = [64, 24], swizzle = b128>
// STEPS-LABEL: llvm.func @steps_chain0_kernel0(
// STEPS:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// STEPS:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// STEPS-COUNT-4: nvvm.elect.sync
// STEPS:           %[[ROW0:.*]] = arith.muli %{{.*}}, %c48_i32
// STEPS:           %[[SHARE:.*]] = arith.andi %[[RANK]], %c1_i32
// STEPS-NEXT:      %[[ROWS:.*]] = arith.muli %[[SHARE]], %c24_i32
// STEPS-NEXT:      %[[ROW:.*]] = arith.addi %[[ROW0]], %[[ROWS]]
// STEPS:           nvvm.cp.async.bulk.tensor.global.shared.cta %arg2, %{{.*}}, box[%{{.*}}, %[[ROW]]] :

// PTX-LABEL: .entry steps_chain0_kernel0(
// PTX:         wgmma.mma_async.sync.aligned.m64n48k16
func.func @steps(%x: tensor<48x1024xf16>, %w: tensor<1024x512xf16>)
    -> tensor<48x512xf16> {
  %0 = tsync.chain mode(serial) : tensor<48x512xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 48, n = 256, k = 64, stages = 4, split_k = 2, swap_ab = true>
    } : tensor<48x1024xf16>, tensor<1024x512xf16> -> tensor<48x512xf16>
    tsync.yield %y : tensor<48x512xf16>
  }
  return %0 : tensor<48x512xf16>
}
