// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Rows of a result that do not start and end at multiples of 16 bytes cannot be
// stored by TMA, which writes all of the last 16 bytes: its consumers copy them, once all of their warpgroup have filled a
// staging buffer, element by element. Nothing is stored before the launches
// before have ended; the semaphores of a tile are posted as of such stores.

// REPORT-DAG: plain_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: late_chain0_kernel1: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: swapped_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: batched_chain0_kernel0: {{.*}} 0 bytes spill stores, 0 bytes spill loads

// Two tensor maps and an address.
// CHECK-LABEL: launch.plan @plain
// CHECK:       launch.kernel "plain_chain0_kernel0"
// CHECK-SAME:  #launch.arg<tensor_map, operand = 0, {{.*}}>, #launch.arg<tensor_map, operand = 1, {{.*}}>, #launch.arg<buffer, operand = 2>,
// CHECK:       llvm.func @plain_chain0_kernel0(

// PTX-LABEL: .entry plain_chain0_kernel0(
// PTX-NOT:   cp.async.bulk.tensor.2d.global
// PTX:       stmatrix
// PTX:       bar.sync %r{{[0-9]+}}, 128
// PTX:       ld.shared.b16
// PTX:       st.global.b16
// PTX:       fence.proxy.async.shared::cta
// PTX:       mbarrier.arrive
func.func @plain(%x: tensor<100x64xf16>, %w: tensor<77x64xf16>) -> tensor<100x77xf16> {
  %0 = tsync.chain mode(serial) : tensor<100x77xf16> {
    %y = tgemm.matmul %x, %w {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<100x64xf16>, tensor<77x64xf16> -> tensor<100x77xf16>
    tsync.yield %y : tensor<100x77xf16>
  }
  return %0 : tensor<100x77xf16>
}

// PTX-LABEL: .entry late_chain0_kernel1(
// PTX:       wgmma.wait_group
// PTX:       griddepcontrol.wait
// PTX:       stmatrix
// PTX:       st.global.b16
func.func @late(%x: tensor<64x64xf16>, %v: tensor<64x64xf16>, %w: tensor<77x64xf16>) -> tensor<64x77xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x77xf16> {
    %h = tgemm.matmul %x, %v {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %y = tgemm.matmul %h, %w {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<77x64xf16> -> tensor<64x77xf16>
    tsync.yield %y : tensor<64x77xf16>
  }
  return %0 : tensor<64x77xf16>
}

// Rows of the buffer are MMA columns, and rows of the result: 8 of them.
// PTX-LABEL: .entry swapped_chain0_kernel0(
// PTX:       stmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// PTX:       st.global.b16
func.func @swapped(%x: tensor<5x64xbf16>, %w: tensor<77x64xbf16>) -> tensor<5x77xbf16> {
  %0 = tsync.chain mode(serial) : tensor<5x77xbf16> {
    %y = tgemm.matmul %x, %w {transpose_rhs, tiling = #tgemm.tiling<m = 8, n = 64, k = 64, swap_ab = true>}
      : tensor<5x64xbf16>, tensor<77x64xbf16> -> tensor<5x77xbf16>
    tsync.yield %y : tensor<5x77xbf16>
  }
  return %0 : tensor<5x77xbf16>
}

// PTX-LABEL: .entry batched_chain0_kernel0(
// PTX:       ld.shared.b32
// PTX:       st.global.b32
func.func @batched(%x: tensor<3x64x64xf16>, %w: tensor<3x77x64xf16>) -> tensor<3x64x77xf32> {
  %0 = tsync.chain mode(serial) : tensor<3x64x77xf32> {
    %y = tgemm.matmul %x, %w {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<3x64x64xf16>, tensor<3x77x64xf16> -> tensor<3x64x77xf32>
    tsync.yield %y : tensor<3x64x77xf32>
  }
  return %0 : tensor<3x64x77xf32>
}

// One row, which begins where all buffers do.
// PTX-LABEL: .entry row_chain0_kernel0(
// PTX-NOT:   cp.async.bulk.tensor.2d.global
// PTX:       st.global.b16
func.func @row(%x: tensor<1x64xf16>, %w: tensor<77x64xf16>) -> tensor<1x77xf16> {
  %0 = tsync.chain mode(serial) : tensor<1x77xf16> {
    %y = tgemm.matmul %x, %w {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<1x64xf16>, tensor<77x64xf16> -> tensor<1x77xf16>
    tsync.yield %y : tensor<1x77xf16>
  }
  return %0 : tensor<1x77xf16>
}

// Of 72 rows a buffer has 40, of which a thread takes two at a time.
// CHECK-LABEL: llvm.func @uneven_chain0_kernel0(
// CHECK:       scf.for %{{.*}} to %c40_i32 step %c8_i32{{.*}} : i32 {
// CHECK-COUNT-4: llvm.store %{{.*}} : f16, !llvm.ptr<1>
// CHECK-NOT:   llvm.store %{{.*}} : f16, !llvm.ptr<1>
// CHECK:       nvvm.mbarrier.arrive
func.func @uneven(%x: tensor<65x64xf16>, %w: tensor<77x64xf16>) -> tensor<65x77xf16> {
  %0 = tsync.chain mode(serial) : tensor<65x77xf16> {
    %y = tgemm.matmul %x, %w {transpose_rhs, tiling = #tgemm.tiling<m = 72, n = 64, k = 64, swap_ab = true>}
      : tensor<65x64xf16>, tensor<77x64xf16> -> tensor<65x77xf16>
    tsync.yield %y : tensor<65x77xf16>
  }
  return %0 : tensor<65x77xf16>
}
