// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=ROWS < %t.ptx
// RUN: FileCheck %s --check-prefix=LOGITS < %t.ptx
// RUN: FileCheck %s --check-prefix=INT < %t.ptx
// RUN: FileCheck %s --check-prefix=DOUBLE < %t.ptx
// RUN: FileCheck %s --check-prefix=BYTES < %t.ptx
// RUN: FileCheck %s --check-prefix=BITS < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// PLAN-LABEL: launch.plan @rows
// PLAN: launch.kernel "rows_kernel0"
// PLAN-SAME: grids {{\[}}[16]]
// PLAN-SAME: exchange <ranks = 2, bytes = 65536, offset = 0, cleared = true>
// PLAN-SAME: residents = 16

// A thread gives one vector to all ranks, and stores those of all ranks.

// ROWS-LABEL: .entry rows_kernel0(
// ROWS: ld.global.v4.b32
// ROWS-COUNT-2: st.relaxed.sys.global.v4.b32
// ROWS-COUNT-2: ld.relaxed.sys.global.v4.b32
// ROWS-COUNT-2: st.global.v4.b32
// ROWS-NOT: relaxed.sys
// ROWS: ret;
func.func @rows(%x: tensor<2x4096xbf16>) -> tensor<4x4096xbf16> {
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<2x4096xbf16> -> tensor<4x4096xbf16>
  return %0 : tensor<4x4096xbf16>
}

// Logits of some words each.

// LOGITS-LABEL: .entry logits_kernel0(
// LOGITS: ld.global.v4.b32
// LOGITS-COUNT-4: st.relaxed.sys.global.v4.b32
// LOGITS-COUNT-4: ld.relaxed.sys.global.v4.b32
// LOGITS-COUNT-4: st.global.v4.b32
func.func @logits(%x: tensor<2x1x32064xf16>) -> tensor<2x1x128256xf16> {
  %0 = collective.all_gather %x ranks 4 dim 2 : tensor<2x1x32064xf16> -> tensor<2x1x128256xf16>
  return %0 : tensor<2x1x128256xf16>
}

// All bits of an integer may be set, which a word that is sent may not have. So
// such a word has 16 bits of data.

// INT-LABEL: .entry integers_kernel0(
// INT: ld.global.v4.b16
// INT-COUNT-2: st.relaxed.sys.global.v4.b32
// INT-COUNT-2: ld.relaxed.sys.global.v4.b32
// INT-COUNT-2: st.global.v2.b32
func.func @integers(%x: tensor<64xi32>) -> tensor<128xi32> {
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<64xi32> -> tensor<128xi32>
  return %0 : tensor<128xi32>
}

// DOUBLE-LABEL: .entry doubles_kernel0(
// DOUBLE-COUNT-2: st.relaxed.sys.global.v4.b32
// DOUBLE-COUNT-2: ld.relaxed.sys.global.v4.b32
// DOUBLE: ret;
func.func @doubles(%x: tensor<3x5xf64>) -> tensor<3x10xf64> {
  %0 = collective.all_gather %x ranks 2 dim 1 : tensor<3x5xf64> -> tensor<3x10xf64>
  return %0 : tensor<3x10xf64>
}

// A single element of 8 bits is a word.

// BYTES-LABEL: .entry bytes_kernel0(
// BYTES: ld.global.b8
// BYTES-COUNT-2: st.relaxed.sys.global.b32
// BYTES-COUNT-2: ld.relaxed.sys.global.b32
// BYTES-COUNT-2: st.global.b8
func.func @bytes(%x: tensor<3x5xi8>) -> tensor<3x10xi8> {
  %0 = collective.all_gather %x ranks 2 dim 1 : tensor<3x5xi8> -> tensor<3x10xi8>
  return %0 : tensor<3x10xi8>
}

// Bytes of i1 are 0 or 1, and are sent as they are.

// BITS-LABEL: .entry bits_kernel0(
// BITS: ld.global.v4.b32
// BITS-COUNT-2: st.relaxed.sys.global.v4.b32
// BITS-COUNT-2: ld.relaxed.sys.global.v4.b32
// BITS-COUNT-2: st.global.v4.b32
func.func @bits(%x: tensor<160xi1>) -> tensor<320xi1> {
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<160xi1> -> tensor<320xi1>
  return %0 : tensor<320xi1>
}
