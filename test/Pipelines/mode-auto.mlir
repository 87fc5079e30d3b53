// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=auto reference=false" | FileCheck %s --check-prefixes=CHECK,H200
// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu mode=auto reference=false" | FileCheck %s --check-prefixes=CHECK,CPU

// Mode auto chooses for each function: pdl where all tiles of each product run
// at once, persistent where they take several waves, and on a CPU. The choice is
// left to tsync-form-chains in an attribute, which it removes.

// CHECK-NOT: tsync.mode

// CHECK-LABEL: func.func @one_wave(
// H200:          tsync.chain mode(pdl)
// CPU:           tsync.chain mode(persistent)
func.func @one_wave(%x: tensor<64x768xf16>, %w1: tensor<768x3072xf16>, %w2: tensor<3072x768xf16>) -> tensor<64x768xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x768xf16>, tensor<768x3072xf16> -> tensor<64x3072xf16>
  %y = tgemm.matmul %h, %w2 : tensor<64x3072xf16>, tensor<3072x768xf16> -> tensor<64x768xf16>
  return %y : tensor<64x768xf16>
}

// CHECK-LABEL: func.func @several_waves(
// CHECK:         tsync.chain mode(persistent)
func.func @several_waves(%x: tensor<8192x4096xf16>, %w1: tensor<4096x8192xf16>, %w2: tensor<8192x4096xf16>) -> tensor<8192x4096xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<8192x4096xf16>, tensor<4096x8192xf16> -> tensor<8192x8192xf16>
  %y = tgemm.matmul %h, %w2 : tensor<8192x8192xf16>, tensor<8192x4096xf16> -> tensor<8192x4096xf16>
  return %y : tensor<8192x4096xf16>
}

// CHECK-NOT: tsync.mode
