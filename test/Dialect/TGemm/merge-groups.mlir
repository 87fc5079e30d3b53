// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-merge-groups -split-input-file | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-merge-groups -split-input-file | FileCheck %s --check-prefix=ANY --implicit-check-not="feature_block = 64" --implicit-check-not="feature_block = 48"
// RUN: grout-opt %s --tgemm-merge-groups -split-input-file | FileCheck %s --check-prefix=ANY --implicit-check-not="feature_block = 64" --implicit-check-not="feature_block = 48"

// Tiles of the CPU have any width.
// ANY-COUNT-3: tgemm.conv2d

// 16 groups of 4 features have 64 channels, as many as a step takes.

// CHECK-LABEL: @narrow
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x8x128xf16>, %[[W:.*]]: tensor<128x3x3x4xf16>
// CHECK:         %[[WIDE:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[W]] : tensor<128x3x3x4xf16>) outs(%{{.*}} : tensor<128x3x3x16x4xf16>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f16, %{{.*}}: f16):
// CHECK:           %[[FEATURE:.*]] = linalg.index 0
// CHECK:           %[[GROUP:.*]] = arith.divui %[[FEATURE]], %c4
// CHECK:           %[[BLOCK:.*]] = arith.divui %[[FEATURE]], %c64
// CHECK:           %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c64
// CHECK:           %[[BEFORE:.*]] = arith.divui %[[FIRST]], %c4
// CHECK:           %[[IN_BLOCK:.*]] = linalg.index 3
// CHECK:           %[[OTHER:.*]] = arith.addi %[[BEFORE]], %[[IN_BLOCK]]
// CHECK:           %[[OWN:.*]] = arith.cmpi eq, %[[GROUP]], %[[OTHER]]
// CHECK:           arith.select %[[OWN]], %[[IN]], %{{.*}} : f16
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[WIDE]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<128x3x3x16x4xf16> into tensor<128x3x3x64xf16>
// CHECK:         tgemm.conv2d %[[X]], %[[F]] {{.*}}feature_block = 64 : i64, groups = 32 : i64
func.func @narrow(%x: tensor<1x8x8x128xf16>, %w: tensor<128x3x3x4xf16>) -> tensor<64x128xf16> {
  %y = tgemm.conv2d %x, %w {groups = 32 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x128xf16>, tensor<128x3x3x4xf16> -> tensor<64x128xf16>
  return %y : tensor<64x128xf16>
}

// -----

// Groups as wide as tiles stay.

// CHECK-LABEL: @wide
// CHECK-NOT:     linalg.generic
// CHECK-NOT:     feature_block
// CHECK:         return
func.func @wide(%x: tensor<1x8x8x256xf16>, %w: tensor<224x3x3x128xf16>) -> tensor<64x224xf16> {
  %y = tgemm.conv2d %x, %w {groups = 2 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x256xf16>, tensor<224x3x3x128xf16> -> tensor<64x224xf16>
  return %y : tensor<64x224xf16>
}

// -----

// So do those whose channels would be as many steps with others' beside them:
// another filter would be a kernel more.

// CHECK-LABEL: @few_channels
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @few_channels(%x: tensor<1x8x8x64xf16>, %w: tensor<256x3x3x16xf16>) -> tensor<64x256xf16> {
  %y = tgemm.conv2d %x, %w {groups = 4 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x64xf16>, tensor<256x3x3x16xf16> -> tensor<64x256xf16>
  return %y : tensor<64x256xf16>
}

// -----

// 16 groups of 16 features have 64 channels: as many steps as fewer groups take,
// and the widest tiles.

// CHECK-LABEL: @wider
// CHECK:         tgemm.conv2d {{.*}}feature_block = 256 : i64, groups = 32 : i64, {{.*}}tensor<512x3x3x64xf16>
func.func @wider(%x: tensor<1x8x8x128xf16>, %w: tensor<512x3x3x4xf16>) -> tensor<64x512xf16> {
  %y = tgemm.conv2d %x, %w {groups = 32 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x128xf16>, tensor<512x3x3x4xf16> -> tensor<64x512xf16>
  return %y : tensor<64x512xf16>
}

// -----

// Two groups of 24, although there are 7: 64 features would be in up to four.

// CHECK-LABEL: @pairs
// CHECK:         tgemm.conv2d {{.*}}feature_block = 48 : i64, groups = 7 : i64, {{.*}}tensor<168x3x3x48xf16>
func.func @pairs(%x: tensor<1x8x8x168xf16>, %w: tensor<168x3x3x24xf16>) -> tensor<64x168xf16> {
  %y = tgemm.conv2d %x, %w {groups = 7 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x168xf16>, tensor<168x3x3x24xf16> -> tensor<64x168xf16>
  return %y : tensor<64x168xf16>
}

// -----

// Channels of a block would begin in the middle of 16 bytes, but those of all.

// CHECK-LABEL: @all
// CHECK:         tgemm.conv2d {{.*}}feature_block = 64 : i64, groups = 3 : i64, {{.*}}tensor<60x3x3x80xf16>
func.func @all(%x: tensor<1x8x8x60xf16>, %w: tensor<60x3x3x20xf16>) -> tensor<64x60xf16> {
  %y = tgemm.conv2d %x, %w {groups = 3 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x60xf16>, tensor<60x3x3x20xf16> -> tensor<64x60xf16>
  return %y : tensor<64x60xf16>
}

// -----

// Blocks and tiles that a user has chosen stay.

// CHECK-LABEL: @chosen
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @chosen(%x: tensor<1x8x8x128xf16>, %w: tensor<128x3x3x16xf16>, %v: tensor<128x3x3x32xf16>) -> (tensor<64x128xf16>, tensor<64x128xf16>) {
  %y = tgemm.conv2d %x, %w {groups = 8 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 64, n = 16, k = 64>}
    : tensor<1x8x8x128xf16>, tensor<128x3x3x16xf16> -> tensor<64x128xf16>
  %z = tgemm.conv2d %x, %v {groups = 8 : i64, feature_block = 32 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x128xf16>, tensor<128x3x3x32xf16> -> tensor<64x128xf16>
  return %y, %z : tensor<64x128xf16>, tensor<64x128xf16>
}
