// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// Two convolutions in one chain: a tile of the second waits for the tiles of
// the first that its window covers. The grids have four dimensions.

// CHECK: result0: relative error {{.*}}: passes

func.func @convolutions(%x: tensor<2x12x14x8xf32>, %f: tensor<3x3x8x16xf32>,
                        %g: tensor<3x3x16x8xf32>) -> tensor<2x8x10x8xf32> {
  %z1 = arith.constant dense<0.0> : tensor<2x10x12x16xf32>
  %h = linalg.conv_2d_nhwc_hwcf {
      grout.tile_sizes = array<i64: 1, 3, 5, 8, 3, 3, 8>}
    ins(%x, %f : tensor<2x12x14x8xf32>, tensor<3x3x8x16xf32>)
    outs(%z1 : tensor<2x10x12x16xf32>) -> tensor<2x10x12x16xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x8x10x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {
      grout.tile_sizes = array<i64: 1, 4, 10, 8, 3, 3, 4>}
    ins(%h, %g : tensor<2x10x12x16xf32>, tensor<3x3x16x8xf32>)
    outs(%z2 : tensor<2x8x10x8xf32>) -> tensor<2x8x10x8xf32>
  return %y : tensor<2x8x10x8xf32>
}
