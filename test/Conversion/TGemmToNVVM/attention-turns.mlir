// RUN: grout-compile %s --target=h200 --mode=serial --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -v -o %t.cubin %t.ptx 2>&1 | FileCheck %s --check-prefix=REPORT %}

// Warpgroups with rows of their own take turns to start the MMAs of a step: a
// warpgroup waits, starts the products and the sums of the step before, and
// arrives for the next warpgroup. The last warpgroup gives the first turn.

// CHECK-LABEL: .visible .entry two_chain0_kernel0(
// CHECK:         bar.sync 0;
// CHECK-NOT:     bar.sync
// CHECK:         bar.arrive 1, 256;
// CHECK-NOT:     bar.
// CHECK:         wgmma.mma_async.sync.aligned.m64n128k16
// CHECK:         wgmma.wait_group.sync.aligned 0;
// CHECK:         bar.sync %{{r[0-9]+}}, 256;
// CHECK-NOT:     wgmma.wait_group
// CHECK:         wgmma.mma_async.sync.aligned.m64n128k16
// CHECK-NOT:     wgmma.wait_group
// CHECK:         wgmma.mma_async.sync.aligned.m64n40k16
// CHECK-NOT:     wgmma.wait_group
// CHECK:         bar.arrive %{{r[0-9]+}}, 256;
// CHECK:         wgmma.wait_group.sync.aligned 1;
// CHECK-NOT:     bar.
// CHECK:         wgmma.wait_group.sync.aligned 0;
func.func @two(%x: tensor<1x8x4096x40xf16>) -> tensor<1x8x4096x40xf16> {
  %0 = tgemm.attention %x, %x, %x {scale = 0.158 : f32} : tensor<1x8x4096x40xf16>, tensor<1x8x4096x40xf16>, tensor<1x8x4096x40xf16> -> tensor<1x8x4096x40xf16>
  return %0 : tensor<1x8x4096x40xf16>
}

// Three warpgroups, with a causal mask: two loops, each with turns.

// CHECK-LABEL: .visible .entry three_chain0_kernel0(
// CHECK:         bar.arrive 1, 256;
// CHECK-COUNT-2: bar.sync %{{r[0-9]+}}, 256;
// CHECK-NOT:     bar.sync
func.func @three(%x: tensor<1x8x4096x64xf16>) -> tensor<1x8x4096x64xf16> {
  %0 = tgemm.attention %x, %x, %x {scale = 0.125 : f32, causal = 0, tiling = #tgemm.attention_tiling<m = 192, n = 64, stages = 2>} : tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16> -> tensor<1x8x4096x64xf16>
  return %0 : tensor<1x8x4096x64xf16>
}

// Tiles of 192 rows that are chosen have enough registers.

// CHECK-LABEL: .visible .entry chosen_chain0_kernel0(
// CHECK:         .reqntid 512
// CHECK:         wgmma.mma_async.sync.aligned.m64n96k16
// REPORT-NOT:    {{[1-9][0-9]*}} bytes spill
// REPORT:        0 bytes spill stores
// REPORT-NOT:    {{[1-9][0-9]*}} bytes spill
func.func @chosen(%x: tensor<8x8x4096x64xf16>) -> tensor<8x8x4096x64xf16> {
  %0 = tgemm.attention %x, %x, %x {scale = 0.125 : f32} : tensor<8x8x4096x64xf16>, tensor<8x8x4096x64xf16>, tensor<8x8x4096x64xf16> -> tensor<8x8x4096x64xf16>
  return %0 : tensor<8x8x4096x64xf16>
}

// A single warpgroup needs no turns.

// CHECK-LABEL: .visible .entry one_chain0_kernel0(
// CHECK-NOT:     bar.arrive
// CHECK:         ret;
func.func @one(%x: tensor<1x8x4096x64xf16>) -> tensor<1x8x4096x64xf16> {
  %0 = tgemm.attention %x, %x, %x {scale = 0.125 : f32} : tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16> -> tensor<1x8x4096x64xf16>
  return %0 : tensor<1x8x4096x64xf16>
}
