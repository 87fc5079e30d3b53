// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=ROWS < %t.ptx
// RUN: FileCheck %s --check-prefix=COLUMNS < %t.ptx
// RUN: FileCheck %s --check-prefix=MUCH < %t.ptx
// RUN: FileCheck %s --check-prefix=NARROW < %t.ptx
// RUN: FileCheck %s --check-prefix=ODD < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Each rank has two sets of a place for each rank, of a part of 16 KiB.

// PLAN-LABEL: launch.plan @rows
// PLAN: %[[T:.*]] = launch.kernel "rows_kernel0"
// PLAN-SAME: args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>, #launch.arg<rank>, #launch.arg<peer, rank = 0>, #launch.arg<peer, rank = 1>]
// PLAN-SAME: grids {{\[}}[16]]
// PLAN-SAME: exchange <ranks = 2, bytes = 32768, offset = 0, cleared = true>
// PLAN-SAME: residents = 16
// PLAN: launch.kernel "rows_kernel1"
// PLAN-SAME: after programmatic(%[[T]])
// PLAN-SAME: exchange <ranks = 2, bytes = 32768, offset = 32768, cleared = true>

// A thread gives each rank a vector, and adds up the vectors that all ranks
// give it.

// ROWS-LABEL: .entry rows_kernel0(
// ROWS: griddepcontrol.wait
// ROWS-COUNT-2: ld.global.v4.b32
// ROWS-COUNT-2: st.relaxed.sys.global.v4.b32
// ROWS-COUNT-2: ld.relaxed.sys.global.v4.b32
// ROWS: add.{{(rn.)?}}f32
// ROWS: st.global.v4.b32
// ROWS-NOT: relaxed.sys
// ROWS: ret;
func.func @rows(%x: tensor<4x4096xbf16>, %y: tensor<4x4096xbf16>) -> (tensor<2x4096xbf16>, tensor<2x4096xbf16>) {
  %0 = collective.reduce_scatter %x ranks 2 dim 0 : tensor<4x4096xbf16> -> tensor<2x4096xbf16>
  %1 = collective.reduce_scatter %y ranks 2 dim 0 : tensor<4x4096xbf16> -> tensor<2x4096xbf16>
  return %0, %1 : tensor<2x4096xbf16>, tensor<2x4096xbf16>
}

// Columns of a rank are not adjacent to those of another row.

// COLUMNS-LABEL: .entry columns_kernel0(
// COLUMNS-COUNT-4: ld.global.v4.b32
// COLUMNS-COUNT-4: st.relaxed.sys.global.v4.b32
// COLUMNS-COUNT-4: ld.relaxed.sys.global.v4.b32
// COLUMNS: st.global.v4.b32
// COLUMNS: ret;
func.func @columns(%x: tensor<3x160xf16>) -> tensor<3x40xf16> {
  %0 = collective.reduce_scatter %x ranks 4 dim 1 : tensor<3x160xf16> -> tensor<3x40xf16>
  return %0 : tensor<3x40xf16>
}

// Of much data, a thread has eight vectors under way.

// PLAN-LABEL: launch.plan @much
// PLAN: grids {{\[}}[64]]

// MUCH-LABEL: .entry much_kernel0(
// MUCH-COUNT-8: ld.global.v4.b32
// MUCH-COUNT-8: st.relaxed.sys.global.v4.b32
// MUCH-COUNT-8: ld.relaxed.sys.global.v4.b32
func.func @much(%x: tensor<4096x4096xbf16>) -> tensor<1024x4096xbf16> {
  %0 = collective.reduce_scatter %x ranks 4 dim 0 : tensor<4096x4096xbf16> -> tensor<1024x4096xbf16>
  return %0 : tensor<1024x4096xbf16>
}

// Parts of four elements are vectors of 8 bytes.

// NARROW-LABEL: .entry narrow_kernel0(
// NARROW-COUNT-2: ld.global.v2.b32
// NARROW-COUNT-2: st.relaxed.sys.global.v2.b32
// NARROW-COUNT-2: ld.relaxed.sys.global.v2.b32
// NARROW: st.global.v2.b32
func.func @narrow(%x: tensor<6x8xbf16>) -> tensor<6x4xbf16> {
  %0 = collective.reduce_scatter %x ranks 2 dim 1 : tensor<6x8xbf16> -> tensor<6x4xbf16>
  return %0 : tensor<6x4xbf16>
}

// Parts with an odd number of columns are exchanged by elements.

// ODD-LABEL: .entry odd_kernel0(
// ODD-COUNT-3: ld.global.b32
// ODD-COUNT-3: st.relaxed.sys.global.b32
// ODD-COUNT-3: ld.relaxed.sys.global.b32
// ODD: st.global.b32
// ODD: ret;
func.func @odd(%x: tensor<5x9xf32>) -> tensor<5x3xf32> {
  %0 = collective.reduce_scatter %x ranks 3 dim 1 : tensor<5x9xf32> -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
