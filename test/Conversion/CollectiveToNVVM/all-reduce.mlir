// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=ONE < %t.ptx
// RUN: FileCheck %s --check-prefix=TWO < %t.ptx
// RUN: FileCheck %s --check-prefix=MUCH < %t.ptx
// RUN: FileCheck %s --check-prefix=ODD < %t.ptx
// RUN: FileCheck %s --check-prefix=HALF < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm="debug-sync-milliseconds=5" --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule=policy=opara --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s --check-prefix=ORDER
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule=policy=nimble --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s --check-prefix=ORDER
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule=policy=wave --convert-tiles-to-kernels --launch-place-buffers | FileCheck %s --check-prefix=ORDER

// ORDER-LABEL: launch.plan @one_shot
// ORDER: %[[T:.*]] = launch.kernel "one_shot_kernel0"
// ORDER-SAME: offset = 0, cleared = true>
// ORDER: launch.kernel "one_shot_kernel1"
// ORDER-SAME: after {{[a-z]+}}(%[[T]])
// ORDER-SAME: offset = 16384, cleared = true>

// A kernel gets its rank, and its symmetric memory on all ranks. All blocks run
// at once, and all-reduces follow each other even if their data does not.

// PLAN-LABEL: launch.plan @one_shot
// PLAN: %[[T:.*]] = launch.kernel "one_shot_kernel0"
// PLAN-SAME: args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>, #launch.arg<rank>, #launch.arg<peer, rank = 0>, #launch.arg<peer, rank = 1>]
// PLAN-SAME: grids {{\[}}[4]]
// PLAN-SAME: exchange <ranks = 2, bytes = 16384, offset = 0, cleared = true>
// PLAN-SAME: residents = 4
// PLAN: launch.kernel "one_shot_kernel1"
// PLAN-SAME: after programmatic(%[[T]])
// PLAN-SAME: exchange <ranks = 2, bytes = 16384, offset = 16384, cleared = true>

// Nothing waits for a store. The last warp ends the run.

// ONE-LABEL: .entry one_shot_kernel0(
// ONE: griddepcontrol.wait
// ONE: ld.global.b32
// ONE: bar.sync
// ONE: atom.global.add.u32
// ONE: ld.global.v4.b32
// ONE-COUNT-2: st.relaxed.sys.global.v4.b32
// ONE-NOT: bar.sync
// ONE-COUNT-2: ld.relaxed.sys.global.v4.b32
// ONE-COUNT-2: st.relaxed.sys.global.v4.b32
// ONE: st.global.v4.b32
// ONE: ret;
func.func @one_shot(%x: tensor<1x4096xbf16>, %y: tensor<1x4096xbf16>) -> (tensor<1x4096xbf16>, tensor<1x4096xbf16>) {
  %0 = collective.all_reduce %x ranks 2 : tensor<1x4096xbf16>
  %1 = collective.all_reduce %y ranks 2 : tensor<1x4096xbf16>
  return %0, %1 : tensor<1x4096xbf16>, tensor<1x4096xbf16>
}

// In two shots, a rank gives each other rank its share, and then the sum of the
// own share. With four ranks, a thread waits for a share of all ranks at once.

// PLAN-LABEL: launch.plan @two_shots
// PLAN: exchange <ranks = 4,

// TWO-LABEL: .entry two_shots_kernel0(
// TWO-COUNT-4: st.relaxed.sys.global.v4.b32
// TWO-COUNT-4: ld.relaxed.sys.global.v4.b32
// TWO-COUNT-8: st.relaxed.sys.global.v4.b32
// TWO-COUNT-4: ld.relaxed.sys.global.v4.b32
// TWO: ret;
func.func @two_shots(%x: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = collective.all_reduce %x ranks 4 : tensor<64x4096xbf16>
  return %0 : tensor<64x4096xbf16>
}

// Of much data, a thread has eight vectors under way.

// PLAN-LABEL: launch.plan @much
// PLAN: grids {{\[}}[64]]
// PLAN-SAME: residents = 64

// MUCH-LABEL: .entry much_kernel0(
// MUCH-COUNT-8: ld.global.v4.b32
// MUCH-COUNT-8: st.relaxed.sys.global.v4.b32
// MUCH-COUNT-8: ld.relaxed.sys.global.v4.b32
func.func @much(%x: tensor<1024x4096xf16>) -> tensor<1024x4096xf16> {
  %0 = collective.all_reduce %x ranks 4 : tensor<1024x4096xf16>
  return %0 : tensor<1024x4096xf16>
}

// Rows that are no vectors, and a part of a tensor, are loaded by elements.

// ODD-LABEL: .entry odd_kernel0(
// ODD: ld.global.b32
// ODD-COUNT-3: st.relaxed.sys.global.b32
// ODD-COUNT-3: ld.relaxed.sys.global.b32
// ODD: st.global.b32
// ODD: ret;
func.func @odd(%x: tensor<3x5xf32>) -> tensor<3x3xf32> {
  %part = tensor.extract_slice %x[0, 1] [3, 3] [1, 1] : tensor<3x5xf32> to tensor<3x3xf32>
  %0 = collective.all_reduce %part ranks 3 : tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// A single element of 16 bits is sent as a word.

// HALF-LABEL: .entry half_kernel0(
// HALF: ld.global.b16
// HALF: not.b32
// HALF-COUNT-2: st.relaxed.sys.global.b32
// HALF-COUNT-2: ld.relaxed.sys.global.b32
// HALF: st.global.b16
func.func @half(%x: tensor<3x5xf16>) -> tensor<3x3xf16> {
  %part = tensor.extract_slice %x[0, 1] [3, 3] [1, 1] : tensor<3x5xf16> to tensor<3x3xf16>
  %0 = collective.all_reduce %part ranks 2 : tensor<3x3xf16>
  return %0 : tensor<3x3xf16>
}
