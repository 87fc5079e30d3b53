// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=HEADS < %t.ptx
// RUN: FileCheck %s --check-prefix=SINGLE < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// A thread gives a vector to each of four ranks, and gets one from each. Each
// rank leaves 16 x 8 x 128 elements of 2 bytes, in two sets of places.

// PLAN-LABEL: launch.plan @heads
// PLAN: launch.kernel "heads_kernel0"
// PLAN-SAME: exchange <ranks = 4, bytes = 262144, offset = 0, cleared = true>

// HEADS-LABEL: .entry heads_kernel0(
// HEADS-COUNT-4: ld.global.v4.b32
// HEADS-COUNT-4: st.relaxed.sys.global.v4.b32
// HEADS-COUNT-4: ld.relaxed.sys.global.v4.b32
// HEADS-COUNT-4: st.global.v4.b32
// HEADS: ret;
func.func @heads(%x: tensor<16x32x128xbf16>) -> tensor<64x8x128xbf16> {
  %0 = collective.all_to_all %x ranks 4 split_dim 1 concat_dim 0 : tensor<16x32x128xbf16> -> tensor<64x8x128xbf16>
  return %0 : tensor<64x8x128xbf16>
}

// Columns that are concatenated one by one are no vectors.

// SINGLE-LABEL: .entry single_kernel0(
// SINGLE-NOT: .v4
// SINGLE: st.relaxed.sys.global.b32
// SINGLE-NOT: .v4
// SINGLE: ret;
func.func @single(%x: tensor<4x5x1xf32>) -> tensor<2x5x2xf32> {
  %0 = collective.all_to_all %x ranks 2 split_dim 0 concat_dim 2 : tensor<4x5x1xf32> -> tensor<2x5x2xf32>
  return %0 : tensor<2x5x2xf32>
}
