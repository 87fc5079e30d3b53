// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Matrix instructions truncate: with sum_depth, what they have added up in so
// many elements of the reduction is added to sums, which are rounded.

// REPORT-DAG: sums_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: short_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// 512 elements are 8 steps, of 64. The products of a step are followed by the
// wait for the step before; those of 8, by the wait for all, and additions.

// CHECK-LABEL: .entry sums_chain0_kernel0(
// CHECK:         wgmma.wait_group.sync.aligned {{.*}}0;
// CHECK-COUNT-96: add.rn.f32
// CHECK-NOT:     add.rn.f32
// CHECK:         add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 8;
// CHECK:         wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16
// CHECK:         wgmma.wait_group.sync.aligned {{.*}}1;
func.func @sums(%x: tensor<512x4096xbf16>, %w: tensor<4096x768xbf16>) -> tensor<512x768xf32> {
  %0 = tsync.chain mode(serial) : tensor<512x768xf32> {
    %y = tgemm.matmul %x, %w {sum_depth = 512, tiling = #tgemm.tiling<m = 128, n = 192, k = 64, stages = 4>}
      : tensor<512x4096xbf16>, tensor<4096x768xbf16> -> tensor<512x768xf32>
    tsync.yield %y : tensor<512x768xf32>
  }
  return %0 : tensor<512x768xf32>
}

// No sum is that long.

// CHECK-LABEL: .entry short_chain0_kernel0(
// CHECK:         wgmma.wait_group.sync.aligned {{.*}}0;
// CHECK-NOT:     add.rn.f32
func.func @short(%x: tensor<512x512xbf16>, %w: tensor<512x768xbf16>) -> tensor<512x768xf32> {
  %0 = tsync.chain mode(serial) : tensor<512x768xf32> {
    %y = tgemm.matmul %x, %w {sum_depth = 512, tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4>}
      : tensor<512x512xbf16>, tensor<512x768xbf16> -> tensor<512x768xf32>
    tsync.yield %y : tensor<512x768xf32>
  }
  return %0 : tensor<512x768xf32>
}

// Without sum_depth, sums are as long as they are.

// CHECK-LABEL: .entry truncated_chain0_kernel0(
// CHECK:         wgmma.wait_group.sync.aligned {{.*}}0;
// CHECK-NOT:     add.rn.f32
func.func @truncated(%x: tensor<512x4096xbf16>, %w: tensor<4096x768xbf16>) -> tensor<512x768xf32> {
  %0 = tsync.chain mode(serial) : tensor<512x768xf32> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4>}
      : tensor<512x4096xbf16>, tensor<4096x768xbf16> -> tensor<512x768xf32>
    tsync.yield %y : tensor<512x768xf32>
  }
  return %0 : tensor<512x768xf32>
}
