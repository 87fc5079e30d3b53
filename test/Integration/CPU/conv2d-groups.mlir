// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout --explain | FileCheck %s --check-prefix=PLAN
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 --inject-delays=5 | FileCheck %s

// A block of ResNeXt: a convolution of 2 groups, as wide as a tile, of another,
// and one of 8 groups of that. A tile waits for the channels of its group only.

// PLAN:      edge conv2d0 -> conv2d1 (operand 0)
// PLAN:        relation    { conv2d1[i0, i1, i2] -> conv2d0[o0, o1] : {{.*}} and -i2 + 9o1 <= 9*floor((i1)/2) <= 8 - i2 + 9o1 and

// CHECK: relative error {{.*}}: passes

func.func @block(%x: tensor<2x7x9x20xf32>, %w1: tensor<128x3x3x20xf32>, %w2: tensor<2x64x3x3x64xf32>, %w3: tensor<8x3x3x2x16xf32>) -> tensor<2x4x4x24xf32> {
  %zero = arith.constant 0.0 : f32
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9x20xf32> to tensor<2x9x11x20xf32>
  %z1 = arith.constant dense<0.0> : tensor<2x7x9x128xf32>
  %y1 = linalg.conv_2d_nhwc_fhwc ins(%p1, %w1 : tensor<2x9x11x20xf32>, tensor<128x3x3x20xf32>) outs(%z1 : tensor<2x7x9x128xf32>) -> tensor<2x7x9x128xf32>
  %p2 = tensor.pad %y1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9x128xf32> to tensor<2x9x11x128xf32>
  %g2 = tensor.expand_shape %p2 [[0], [1], [2], [3, 4]] output_shape [2, 9, 11, 2, 64] : tensor<2x9x11x128xf32> into tensor<2x9x11x2x64xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x7x9x2x64xf32>
  %y2 = linalg.conv_2d_nhwgc_gfhwc ins(%g2, %w2 : tensor<2x9x11x2x64xf32>, tensor<2x64x3x3x64xf32>) outs(%z2 : tensor<2x7x9x2x64xf32>) -> tensor<2x7x9x2x64xf32>
  %all = tensor.collapse_shape %y2 [[0], [1], [2], [3, 4]] : tensor<2x7x9x2x64xf32> into tensor<2x7x9x128xf32>
  %p3 = tensor.pad %all low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x7x9x128xf32> to tensor<2x9x9x128xf32>
  %g3 = tensor.expand_shape %p3 [[0], [1], [2], [3, 4]] output_shape [2, 9, 9, 8, 16] : tensor<2x9x9x128xf32> into tensor<2x9x9x8x16xf32>
  %z3 = arith.constant dense<0.0> : tensor<2x4x4x8x3xf32>
  %y3 = linalg.conv_2d_nhwgc_gfhwc {strides = dense<2> : tensor<2xi64>} ins(%g3, %w3 : tensor<2x9x9x8x16xf32>, tensor<8x3x3x2x16xf32>) outs(%z3 : tensor<2x4x4x8x3xf32>) -> tensor<2x4x4x8x3xf32>
  %r = tensor.collapse_shape %y3 [[0], [1], [2], [3, 4]] : tensor<2x4x4x8x3xf32> into tensor<2x4x4x24xf32>
  return %r : tensor<2x4x4x24xf32>
}
