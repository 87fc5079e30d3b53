// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=5 | FileCheck %s

// Convolutions that have nothing to do with each other: strides that leave rows
// out, dilated by more than the image has rows, padding larger than the filter,
// one pixel, the filter of a product's result, and dimensions in another order.

// CHECK: strided: relative error {{.*}}: passes
// CHECK: dilated: relative error {{.*}}: passes
// CHECK: padded: relative error {{.*}}: passes
// CHECK: pixel: relative error {{.*}}: passes
// CHECK: computed: relative error {{.*}}: passes
// CHECK: columns: relative error {{.*}}: passes

func.func @forms(%x: tensor<3x7x9x5xf32>, %w: tensor<6x2x3x5xf32>, %b: tensor<3x7x9x5xbf16>, %v: tensor<6x2x3x5xbf16>,
                 %one: tensor<4x7x9x5xf32>, %l: tensor<6x4xf32>, %r: tensor<4x30xf32>)
    -> (tensor<3x2x4x6xf32> {grout.name = "strided"}, tensor<3x4x7x6xf32> {grout.name = "dilated"},
        tensor<3x12x13x6xbf16> {grout.name = "padded"}, tensor<3x1x1x4xf32> {grout.name = "pixel"},
        tensor<3x6x7x6xf32> {grout.name = "computed"}, tensor<6x7x3x6xf32> {grout.name = "columns"}) {
  %zero = arith.constant 0.0 : f32
  %bzero = arith.constant 0.0 : bf16

  %z1 = arith.constant dense<0.0> : tensor<3x2x4x6xf32>
  %y1 = linalg.conv_2d_nhwc_fhwc {strides = dense<[4, 2]> : tensor<2xi64>, tgemm.tiling = #tgemm.tiling<m = 5, n = 4, k = 64>}
    ins(%x, %w : tensor<3x7x9x5xf32>, tensor<6x2x3x5xf32>) outs(%z1 : tensor<3x2x4x6xf32>) -> tensor<3x2x4x6xf32>

  %p2 = tensor.pad %x low[0, 3, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<3x7x9x5xf32> to tensor<3x12x9x5xf32>
  %z2 = arith.constant dense<0.0> : tensor<3x4x7x6xf32>
  %y2 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[8, 1]> : tensor<2xi64>, tgemm.tiling = #tgemm.tiling<m = 11, n = 6, k = 128>}
    ins(%p2, %w : tensor<3x12x9x5xf32>, tensor<6x2x3x5xf32>) outs(%z2 : tensor<3x4x7x6xf32>) -> tensor<3x4x7x6xf32>

  %p3 = tensor.pad %b low[0, 5, 0, 0] high[0, 1, 6, 0] {
  ^bb0(%i: index, %j: index, %k: index, %c: index):
    tensor.yield %bzero : bf16
  } : tensor<3x7x9x5xbf16> to tensor<3x13x15x5xbf16>
  %z3 = arith.constant dense<0.0> : tensor<3x12x13x6xbf16>
  %y3 = linalg.conv_2d_nhwc_fhwc {tgemm.tiling = #tgemm.tiling<m = 100, n = 5, k = 64>}
    ins(%p3, %v : tensor<3x13x15x5xbf16>, tensor<6x2x3x5xbf16>) outs(%z3 : tensor<3x12x13x6xbf16>) -> tensor<3x12x13x6xbf16>

  %z4 = arith.constant dense<0.0> : tensor<3x1x1x4xf32>
  %y4 = linalg.conv_2d_nhwc_fhwc ins(%x, %one : tensor<3x7x9x5xf32>, tensor<4x7x9x5xf32>) outs(%z4 : tensor<3x1x1x4xf32>) -> tensor<3x1x1x4xf32>

  %zm = arith.constant dense<0.0> : tensor<6x30xf32>
  %m = linalg.matmul ins(%l, %r : tensor<6x4xf32>, tensor<4x30xf32>) outs(%zm : tensor<6x30xf32>) -> tensor<6x30xf32>
  %f = tensor.expand_shape %m [[0], [1, 2, 3]] output_shape [6, 2, 3, 5] : tensor<6x30xf32> into tensor<6x2x3x5xf32>
  %z5 = arith.constant dense<0.0> : tensor<3x6x7x6xf32>
  %y5 = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<3x7x9x5xf32>, tensor<6x2x3x5xf32>) outs(%z5 : tensor<3x6x7x6xf32>) -> tensor<3x6x7x6xf32>

  // Columns before rows, images last.
  %z6 = arith.constant dense<0.0> : tensor<6x7x3x6xf32>
  %y6 = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f, r, s, c) -> (n, p + r, q + s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (f, r, s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (f, q, n, p)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %w : tensor<3x7x9x5xf32>, tensor<6x2x3x5xf32>) outs(%z6 : tensor<6x7x3x6xf32>) {
  ^bb0(%a: f32, %d: f32, %acc: f32):
    %t = arith.mulf %a, %d : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<6x7x3x6xf32>
  return %y1, %y2, %y3, %y4, %y5, %y6 : tensor<3x2x4x6xf32>, tensor<3x4x7x6xf32>, tensor<3x12x13x6xbf16>, tensor<3x1x1x4xf32>, tensor<3x6x7x6xf32>, tensor<6x7x3x6xf32>
}
