// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=COUNT
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// A kernel that starts early and waits for its lhs has the cache fetch some more
// of its rhs than the stages hold, if memory is what it will wait for. The first
// kernel of a chain does not start before its operands may be read.

// CHECK-LABEL: llvm.func @chain_chain0_kernel0(
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch
// CHECK-LABEL: llvm.func @chain_chain0_kernel1(

// While 6 stages are filled, what the loader copies of the step 3 steps later, if
// there is one: here, in a cluster of two, each block half of the rows of 64
// columns, and of 64 more; with the same cache policy, as no other tile reads it.

// CHECK:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// CHECK-SAME:      box[%[[COLUMN:[0-9]+]], %{{[0-9]+}}] multicast_mask
// CHECK:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// CHECK:         %[[AHEAD:.*]] = arith.constant 3 : i32
// CHECK-NEXT:    %[[LATER:.*]] = arith.addi %{{.*}}, %[[AHEAD]]
// CHECK-NEXT:    %[[STEPS:.*]] = arith.constant 64 : i32
// CHECK-NEXT:    %[[LAST:.*]] = arith.constant 9 : i32
// CHECK-NEXT:    %[[END:.*]] = arith.minui %[[STEPS]], %[[LAST]]
// CHECK-NEXT:    %[[FETCHES:.*]] = arith.cmpi ult, %[[LATER]], %[[END]]
// CHECK-NEXT:    scf.if %[[FETCHES]] {
// CHECK:           %[[HINT:.*]] = arith.constant 1364590687093260288 : i64
// CHECK:           nvvm.cp.async.bulk.tensor.prefetch %arg1, box[%[[COLUMN]], %[[ROW:.*]]] l2_cache_hint = %[[HINT]]
// CHECK-NEXT:      nvvm.cp.async.bulk.tensor.prefetch %arg1, box[%{{.*}}, %[[ROW]]] l2_cache_hint = %[[HINT]]
// CHECK-NEXT:    }
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch
// CHECK:         "griddepcontrol.wait;", "~{memory}"
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch

// PTX-LABEL: .entry chain_chain0_kernel1(
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint
// PTX:         cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint

// Nothing is fetched ahead where rhs is what waits, where products take as long as
// memory, where operands stay in the cache, and where kernels start in order.

// CHECK-LABEL: llvm.func @chain_chain0_kernel2(
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch
// CHECK-LABEL: llvm.func @many_rows_chain0_kernel1(
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch
// CHECK-LABEL: llvm.func @small_chain0_kernel1(
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch
// CHECK-LABEL: llvm.func @serial_chain0_kernel1(
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch

// COUNT-COUNT-2: cp.async.bulk.prefetch.tensor
// COUNT-NOT:     cp.async.bulk.prefetch.tensor

// REPORT-DAG: chain_chain0_kernel1: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

func.func @chain(%x: tensor<64x4096xf16>, %w1: tensor<4096x4096xf16>,
                 %w2: tensor<4096x4096xf16>, %w3: tensor<64x64xf16>)
    -> (tensor<64x4096xf16>, tensor<64x4096xf16>) {
  %0:2 = tsync.chain mode(pdl) : tensor<64x4096xf16>, tensor<64x4096xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
    } : tensor<64x4096xf16>, tensor<4096x4096xf16> -> tensor<64x4096xf16>
    %y = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 6, cluster_m = 2>
    } : tensor<64x4096xf16>, tensor<4096x4096xf16> -> tensor<64x4096xf16>
    %z = tgemm.matmul %w3, %y {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
    } : tensor<64x64xf16>, tensor<64x4096xf16> -> tensor<64x4096xf16>
    tsync.yield %y, %z : tensor<64x4096xf16>, tensor<64x4096xf16>
  }
  return %0#0, %0#1 : tensor<64x4096xf16>, tensor<64x4096xf16>
}

func.func @many_rows(%x: tensor<192x4096xf16>, %w: tensor<4096x4096xf16>)
    -> tensor<192x4096xf16> {
  %0 = tsync.chain mode(pdl) : tensor<192x4096xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 192, n = 128, k = 64, stages = 4>
    } : tensor<192x4096xf16>, tensor<4096x4096xf16> -> tensor<192x4096xf16>
    %y = tgemm.matmul %h, %w {
      tiling = #tgemm.tiling<m = 192, n = 128, k = 64, stages = 4>
    } : tensor<192x4096xf16>, tensor<4096x4096xf16> -> tensor<192x4096xf16>
    tsync.yield %y : tensor<192x4096xf16>
  }
  return %0 : tensor<192x4096xf16>
}

func.func @small(%x: tensor<64x2048xf16>, %w: tensor<2048x2048xf16>)
    -> tensor<64x2048xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x2048xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
    } : tensor<64x2048xf16>, tensor<2048x2048xf16> -> tensor<64x2048xf16>
    %y = tgemm.matmul %h, %w {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
    } : tensor<64x2048xf16>, tensor<2048x2048xf16> -> tensor<64x2048xf16>
    tsync.yield %y : tensor<64x2048xf16>
  }
  return %0 : tensor<64x2048xf16>
}

func.func @serial(%x: tensor<64x4096xf16>, %w: tensor<4096x4096xf16>)
    -> tensor<64x4096xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x4096xf16> {
    %h = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
    } : tensor<64x4096xf16>, tensor<4096x4096xf16> -> tensor<64x4096xf16>
    %y = tgemm.matmul %h, %w {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 6>
    } : tensor<64x4096xf16>, tensor<4096x4096xf16> -> tensor<64x4096xf16>
    tsync.yield %y : tensor<64x4096xf16>
  }
  return %0 : tensor<64x4096xf16>
}
