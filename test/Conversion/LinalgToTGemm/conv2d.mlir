// RUN: grout-opt %s --convert-linalg-to-conv2d -split-input-file | FileCheck %s
// RUN: grout-opt %s --convert-linalg-to-conv2d -convert-linalg-to-tgemm -split-input-file | FileCheck %s --check-prefix=PRODUCT
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-conv2d -split-input-file | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=a100 --convert-linalg-to-conv2d -split-input-file | FileCheck %s --check-prefix=NONE --implicit-check-not=tgemm.conv2d

// A target without products has no convolutions, either.

// NONE:      func.func @nhwc_fhwc
// NONE:        linalg.conv_2d_nhwc_fhwc
// NONE:      func.func @spread
// NONE-COUNT-2: linalg.conv_2d_nhwc_fhwc
// NONE:      func.func @groups
// NONE:        linalg.conv_2d_ngchw_gfchw

// Channels last, in the filter as in images: nothing is transposed.
// CHECK-LABEL: func.func @nhwc_fhwc
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x6x7x16xf16>, %[[W:[a-z0-9]+]]: tensor<8x3x2x16xf16>
// CHECK-NEXT:    %[[P:.*]] = tgemm.conv2d %[[X]], %[[W]] {dilations = array<i64: 1, 3>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 1>}
// CHECK-SAME:      : tensor<2x6x7x16xf16>, tensor<8x3x2x16xf16> -> tensor<16x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0, 1, 2], [3]] output_shape [2, 2, 4, 8]
// CHECK-NEXT:    return %[[Y]]
func.func @nhwc_fhwc(%x: tensor<2x6x7x16xf16>, %w: tensor<8x3x2x16xf16>) -> tensor<2x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
    ins(%x, %w : tensor<2x6x7x16xf16>, tensor<8x3x2x16xf16>) outs(%z : tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  return %y : tensor<2x2x4x8xf32>
}

// -----

// The filter is transposed. An attribute is the tiling.
// CHECK-LABEL: func.func @nhwc_hwcf
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x5x6x4xf32>, %[[W:[a-z0-9]+]]: tensor<2x3x4x8xf32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<8x2x3x4xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.transpose ins(%[[W]] : tensor<2x3x4x8xf32>) outs(%[[E]] : tensor<8x2x3x4xf32>) permutation = [3, 0, 1, 2]
// CHECK-NEXT:    tgemm.conv2d %[[X]], %[[F]] {{{.*}}, tiling = #tgemm.tiling<m = 4, n = 8, k = 64>} : tensor<1x5x6x4xf32>, tensor<8x2x3x4xf32> -> tensor<16x8xf32>
// CHECK-NEXT:    tensor.expand_shape {{.*}} output_shape [1, 4, 4, 8]
// CHECK-NEXT:    return
func.func @nhwc_hwcf(%x: tensor<1x5x6x4xf32>, %w: tensor<2x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {tgemm.tiling = #tgemm.tiling<m = 4, n = 8, k = 64>}
    ins(%x, %w : tensor<1x5x6x4xf32>, tensor<2x3x4x8xf32>) outs(%z : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// Channels before rows: all three are transposed.
// CHECK-LABEL: func.func @nchw_fchw
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x4x5x6xbf16>, %[[W:[a-z0-9]+]]: tensor<8x4x2x3xbf16>
// CHECK:         %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} outs(%{{.*}} : tensor<2x5x6x4xbf16>) permutation = [0, 2, 3, 1]
// CHECK:         %[[WT:.*]] = linalg.transpose ins(%[[W]] : {{.*}} outs(%{{.*}} : tensor<8x2x3x4xbf16>) permutation = [0, 2, 3, 1]
// CHECK-NEXT:    %[[P:.*]] = tgemm.conv2d %[[XT]], %[[WT]] {{.*}} -> tensor<32x8xbf16>
// CHECK-NEXT:    %[[I:.*]] = tensor.expand_shape %[[P]] {{.*}} output_shape [2, 4, 4, 8] : tensor<32x8xbf16> into tensor<2x4x4x8xbf16>
// CHECK:         %[[Y:.*]] = linalg.transpose ins(%[[I]] : {{.*}} outs(%{{.*}} : tensor<2x8x4x4xbf16>) permutation = [0, 3, 1, 2]
// CHECK:         return %[[Y]]
func.func @nchw_fchw(%x: tensor<2x4x5x6xbf16>, %w: tensor<8x4x2x3xbf16>) -> tensor<2x8x4x4xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x8x4x4xbf16>
  %y = linalg.conv_2d_nchw_fchw
    ins(%x, %w : tensor<2x4x5x6xbf16>, tensor<8x4x2x3xbf16>) outs(%z : tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
  return %y : tensor<2x8x4x4xbf16>
}

// -----

// Any order, and sums in any order: columns come before rows in the input, so
// that they are what the convolution calls rows.
// CHECK-LABEL: func.func @generic
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<9x16x3x10xf32>, %[[W:[a-z0-9]+]]: tensor<2x16x8x3xf32>
// CHECK:         %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} outs(%{{.*}} : tensor<3x9x10x16xf32>) permutation = [2, 0, 3, 1]
// CHECK:         %[[WT:.*]] = linalg.transpose ins(%[[W]] : {{.*}} outs(%{{.*}} : tensor<8x2x3x16xf32>) permutation = [2, 0, 3, 1]
// CHECK-NEXT:    %[[P:.*]] = tgemm.conv2d %[[XT]], %[[WT]] {dilations = array<i64: 3, 1>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 4>}
// CHECK-SAME:      -> tensor<18x8xf32>
// CHECK-NEXT:    %[[I:.*]] = tensor.expand_shape %[[P]] {{.*}} output_shape [3, 3, 2, 8]
// CHECK:         %[[Y:.*]] = linalg.transpose ins(%[[I]] : {{.*}} outs(%{{.*}} : tensor<2x8x3x3xf32>) permutation = [2, 3, 1, 0]
// CHECK:         return %[[Y]]
func.func @generic(%x: tensor<9x16x3x10xf32>, %w: tensor<2x16x8x3xf32>) -> tensor<2x8x3x3xf32> {
  %z = arith.constant dense<0.0> : tensor<2x8x3x3xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(c, p, s, n, f, q, r) -> (r * 3 + p * 2, c, n, q * 4 + s)>,
                     affine_map<(c, p, s, n, f, q, r) -> (r, c, f, s)>,
                     affine_map<(c, p, s, n, f, q, r) -> (q, f, p, n)>],
    iterator_types = ["reduction", "parallel", "reduction", "parallel", "parallel", "parallel", "reduction"]
  } ins(%x, %w : tensor<9x16x3x10xf32>, tensor<2x16x8x3xf32>) outs(%z : tensor<2x8x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %b, %a : f32
    %s = arith.addf %m, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2x8x3x3xf32>
  return %y : tensor<2x8x3x3xf32>
}

// -----

// Zeros around images are padding; above and below differ.
// CHECK-LABEL: func.func @pad
// CHECK-NOT:     tensor.pad
// CHECK:         tgemm.conv2d {{.*}} padding = array<i64: 2, 1, 0, 3>
// CHECK-SAME:      : tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32> -> tensor<81x8xf32>
func.func @pad(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>) -> tensor<1x9x9x8xf32> {
  %zero = arith.constant -0.0 : f32
  %p = tensor.pad %x low[0, 2, 0, 0] high[0, 1, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x11x11x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x9x9x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x11x11x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x9x9x8xf32>) -> tensor<1x9x9x8xf32>
  return %y : tensor<1x9x9x8xf32>
}

// -----

// Of zeros that no pixel reads, none are padding: a stride leaves out the last.
// CHECK-LABEL: func.func @unread_zeros
// CHECK:         tgemm.conv2d {{.*}} padding = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>
// CHECK-SAME:      -> tensor<16x8xf32>
func.func @unread_zeros(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>}
    ins(%p, %w : tensor<1x10x10x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// With channels before rows it is the last two dimensions.
// CHECK-LABEL: func.func @pad_nchw
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x4x8x8xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.transpose ins(%[[X]]
// CHECK:         tgemm.conv2d {{.*}} padding = array<i64: 1, 1, 2, 2>
func.func @pad_nchw(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x5xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 1, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x12xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x4x10x12xf32>, tensor<8x4x3x5xf32>) outs(%z : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

// A pad that has another use is made for that alone.
// CHECK-LABEL: func.func @pad_used
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x8x8x4xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]]
// CHECK:         tgemm.conv2d %[[X]], {{.*}} padding = array<i64: 1, 1, 1, 1>
// CHECK:         return %{{.*}}, %[[P]]
func.func @pad_used(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>) -> (tensor<1x8x8x8xf32>, tensor<1x10x10x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x8x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x10x10x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y, %p : tensor<1x8x8x8xf32>, tensor<1x10x10x4xf32>
}

// -----

// What is no zero, or an argument of the function; rows that are cut off;
// channels and images that are added: these stay tensor.pad.
// CHECK-LABEL: func.func @other_pads
// CHECK-COUNT-5: tensor.pad
// CHECK-NOT:     tensor.pad
// CHECK-COUNT-5: tgemm.conv2d {{.*}} padding = array<i64: 0, 0, 0, 0>
func.func @other_pads(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %w5: tensor<8x3x3x5xf32>, %any: f32)
    -> (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1x5x6x8xf32>, tensor<1x8x8x8xf32>, tensor<2x6x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %p2 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %any : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %p3 = tensor.pad %x low[0, -1, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x7x8x4xf32>
  %p4 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x5xf32>
  %p5 = tensor.pad %x low[1, 0, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<2x8x8x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x8x8xf32>
  %z3 = arith.constant dense<0.0> : tensor<1x5x6x8xf32>
  %z5 = arith.constant dense<0.0> : tensor<2x6x6x8xf32>
  %y1 = linalg.conv_2d_nhwc_fhwc ins(%p1, %w : tensor<1x10x10x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %y2 = linalg.conv_2d_nhwc_fhwc ins(%p2, %w : tensor<1x10x10x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %y3 = linalg.conv_2d_nhwc_fhwc ins(%p3, %w : tensor<1x7x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z3 : tensor<1x5x6x8xf32>) -> tensor<1x5x6x8xf32>
  %y4 = linalg.conv_2d_nhwc_fhwc ins(%p4, %w5 : tensor<1x10x10x5xf32>, tensor<8x3x3x5xf32>) outs(%z : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %y5 = linalg.conv_2d_nhwc_fhwc ins(%p5, %w : tensor<2x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z5 : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  return %y1, %y2, %y3, %y4, %y5 : tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1x5x6x8xf32>, tensor<1x8x8x8xf32>, tensor<2x6x6x8xf32>
}

// -----

// What sums start from is added in f32, and rounded once. A bias is read where
// it is, whatever it is broadcast by.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[FEATURE:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: func.func @bias
// CHECK-SAME:    %[[B:[a-z0-9]+]]: tensor<8xf16>
// CHECK-NOT:     linalg.broadcast
// CHECK:         tgemm.conv2d {{.*}} -> tensor<36x8xf32>
// CHECK:         %[[I:.*]] = linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         linalg.generic {indexing_maps = [#[[ALL]], #[[FEATURE]], #[[ALL]]]
// CHECK-SAME:      ins(%[[I]], %[[B]] : tensor<1x8x6x6xf32>, tensor<8xf16>)
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[START:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[START]] : f16 to f32
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[SUM]], %[[WIDE]] : f32
// CHECK-NEXT:      %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK-NEXT:      linalg.yield %[[R]]
func.func @bias(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x3x3xf16>, %b: tensor<8xf16>) -> tensor<1x8x6x6xf16> {
  %e = tensor.empty() : tensor<1x8x6x6xf16>
  %z = linalg.broadcast ins(%b : tensor<8xf16>) outs(%e : tensor<1x8x6x6xf16>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x8x8xf16>, tensor<8x4x3x3xf16>) outs(%z : tensor<1x8x6x6xf16>) -> tensor<1x8x6x6xf16>
  return %y : tensor<1x8x6x6xf16>
}

// -----

// The same as linalg.generic, with its result in another order than its loops.
// CHECK-DAG: #[[FEATURE:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func.func @bias_generic
// CHECK-SAME:    %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK:         tgemm.conv2d {{.*}} -> tensor<36x8xf32>
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[FEATURE]], #{{.*}}]
// CHECK-SAME:      ins(%{{.*}}, %[[B]] : tensor<1x6x6x8xf32>, tensor<8xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      linalg.yield
func.func @bias_generic(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<1x6x6x8xf32> {
  %e = tensor.empty() : tensor<1x6x6x8xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(f, q, p, n) -> (f)>, affine_map<(f, q, p, n) -> (n, p, q, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%e : tensor<1x6x6x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x6x6x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// Sums onto a tensor, and onto ones.
// CHECK-LABEL: func.func @start
// CHECK-SAME:    %[[Z:[a-z0-9]+]]: tensor<1x6x6x8xbf16>
// CHECK:         tgemm.conv2d {{.*}} -> tensor<36x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[Z]] : tensor<1x6x6x8xf32>, tensor<1x6x6x8xbf16>)
// CHECK:         %[[ONES:.*]] = linalg.fill
// CHECK:         tgemm.conv2d {{.*}} -> tensor<36x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[ONES]] : tensor<1x6x6x8xf32>, tensor<1x6x6x8xbf16>)
func.func @start(%x: tensor<1x8x8x4xbf16>, %w: tensor<8x3x3x4xbf16>, %z: tensor<1x6x6x8xbf16>) -> (tensor<1x6x6x8xbf16>, tensor<1x6x6x8xbf16>) {
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x8x8x4xbf16>, tensor<8x3x3x4xbf16>) outs(%z : tensor<1x6x6x8xbf16>) -> tensor<1x6x6x8xbf16>
  %one = arith.constant 1.0 : bf16
  %e = tensor.empty() : tensor<1x6x6x8xbf16>
  %ones = linalg.fill ins(%one : bf16) outs(%e : tensor<1x6x6x8xbf16>) -> tensor<1x6x6x8xbf16>
  %v = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x8x8x4xbf16>, tensor<8x3x3x4xbf16>) outs(%ones : tensor<1x6x6x8xbf16>) -> tensor<1x6x6x8xbf16>
  return %y, %v : tensor<1x6x6x8xbf16>, tensor<1x6x6x8xbf16>
}

// -----

// A filter of one element is one, too, with the tiling that is asked for, until
// convert-linalg-to-tgemm makes a product of it.
// CHECK-LABEL: func.func @pointwise
// CHECK:         %[[P:.*]] = tgemm.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 3, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, tiling = #tgemm.tiling<m = 64, n = 8, k = 64>}
// CHECK-NEXT:    tensor.expand_shape %[[P]] {{.*}} output_shape [2, 6, 7, 8]
// PRODUCT-LABEL: func.func @pointwise
// PRODUCT-SAME:    %[[X:[a-z0-9]+]]: tensor<2x6x7x16xf16>, %[[W:[a-z0-9]+]]: tensor<8x1x1x16xf16>
// PRODUCT-DAG:     %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2], [3]]
// PRODUCT-DAG:     %[[B:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2, 3]]
// PRODUCT:         tgemm.matmul %[[A]], %[[B]] {tiling = #tgemm.tiling<m = 64, n = 8, k = 64>, transpose_rhs}
// PRODUCT-SAME:      tensor<84x16xf16>, tensor<8x16xf16> -> tensor<84x8xf32>
func.func @pointwise(%x: tensor<2x6x7x16xf16>, %w: tensor<8x1x1x16xf16>) -> tensor<2x6x7x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x6x7x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc {dilations = dense<[3, 2]> : tensor<2xi64>, tgemm.tiling = #tgemm.tiling<m = 64, n = 8, k = 64>}
    ins(%x, %w : tensor<2x6x7x16xf16>, tensor<8x1x1x16xf16>) outs(%z : tensor<2x6x7x8xf32>) -> tensor<2x6x7x8xf32>
  return %y : tensor<2x6x7x8xf32>
}

// -----

// With a stride, or zeros, it stays one.
// PRODUCT-LABEL: func.func @spread
// PRODUCT-COUNT-2: tgemm.conv2d
// CHECK-LABEL: func.func @spread
// CHECK:         tgemm.conv2d {{.*}} padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} {{.*}} -> tensor<18x8xf32>
// CHECK:         tgemm.conv2d {{.*}} padding = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1>} {{.*}} -> tensor<72x8xf32>
func.func @spread(%x: tensor<2x5x5x16xf32>, %w: tensor<8x1x1x16xf32>, %v: tensor<2x6x5x16xf32>) -> (tensor<2x3x3x8xf32>, tensor<2x6x6x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x3x3x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x5x5x16xf32>, tensor<8x1x1x16xf32>) outs(%z : tensor<2x3x3x8xf32>) -> tensor<2x3x3x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %v low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x6x5x16xf32> to tensor<2x6x6x16xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x6x6x8xf32>
  %y2 = linalg.conv_2d_nhwc_fhwc
    ins(%p, %w : tensor<2x6x6x16xf32>, tensor<8x1x1x16xf32>) outs(%z2 : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  return %y, %y2 : tensor<2x3x3x8xf32>, tensor<2x6x6x8xf32>
}

// -----

// Groups as PyTorch's importer makes them: only seen as such, behind the padding,
// and taken together afterwards.
// CHECK-LABEL: func.func @groups
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x12x6x7xf16>, %[[W:[a-z0-9]+]]: tensor<6x4x3x3xf16>
// CHECK-DAG:     %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} outs(%{{.*}} : tensor<1x6x7x12xf16>) permutation = [0, 2, 3, 1]
// CHECK-DAG:     %[[WT:.*]] = linalg.transpose ins(%[[W]] : {{.*}} outs(%{{.*}} : tensor<6x3x3x4xf16>) permutation = [0, 2, 3, 1]
// CHECK:         %[[P:.*]] = tgemm.conv2d %[[XT]], %[[WT]] {dilations = array<i64: 1, 1>, groups = 3 : i64, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
// CHECK-SAME:      -> tensor<42x6xf32>
// CHECK:         %[[I:.*]] = tensor.expand_shape %[[P]] {{.*}} output_shape [1, 6, 7, 6]
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[I]] : {{.*}} outs(%{{.*}} : tensor<1x6x6x7xf32>) permutation = [0, 3, 1, 2]
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[T]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 3, 2, 6, 7]
// CHECK:         tensor.collapse_shape %[[G]]
func.func @groups(%x: tensor<1x12x6x7xf16>, %w: tensor<6x4x3x3xf16>) -> tensor<1x6x6x7xf32> {
  %zero = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %i: index, %j: index):
    tensor.yield %zero : f16
  } : tensor<1x12x6x7xf16> to tensor<1x12x8x9xf16>
  %xg = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 3, 4, 8, 9] : tensor<1x12x8x9xf16> into tensor<1x3x4x8x9xf16>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [3, 2, 4, 3, 3] : tensor<6x4x3x3xf16> into tensor<3x2x4x3x3xf16>
  %z = arith.constant dense<0.0> : tensor<1x3x2x6x7xf32>
  %y = linalg.conv_2d_ngchw_gfchw ins(%xg, %wg : tensor<1x3x4x8x9xf16>, tensor<3x2x4x3x3xf16>) outs(%z : tensor<1x3x2x6x7xf32>) -> tensor<1x3x2x6x7xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x3x2x6x7xf32> into tensor<1x6x6x7xf32>
  return %r : tensor<1x6x6x7xf32>
}

// -----

// Groups that are no neighbours of their channels or features are turned first.
// CHECK-LABEL: func.func @groups_apart
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<3x1x6x7x4xf32>, %[[W:[a-z0-9]+]]: tensor<2x3x3x3x4xf32>
// CHECK:         %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} outs(%{{.*}} : tensor<1x6x7x3x4xf32>) permutation = [1, 2, 3, 0, 4]
// CHECK-NEXT:    %[[XC:.*]] = tensor.collapse_shape %[[XT]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:         %[[WT:.*]] = linalg.transpose ins(%[[W]] : {{.*}} outs(%{{.*}} : tensor<3x2x3x3x4xf32>) permutation = [3, 0, 1, 2, 4]
// CHECK-NEXT:    %[[WC:.*]] = tensor.collapse_shape %[[WT]] {{\[\[}}0, 1], [2], [3], [4]]
// CHECK-NEXT:    %[[P:.*]] = tgemm.conv2d %[[XC]], %[[WC]] {{.*}}groups = 3 : i64
// CHECK:         %[[I:.*]] = tensor.expand_shape %[[P]] {{.*}} output_shape [1, 4, 5, 3, 2]
// CHECK:         %[[Y:.*]] = linalg.transpose ins(%[[I]] : {{.*}} outs(%{{.*}} : tensor<3x1x2x4x5xf32>) permutation = [3, 0, 4, 1, 2]
// CHECK:         return %[[Y]]
func.func @groups_apart(%x: tensor<3x1x6x7x4xf32>, %w: tensor<2x3x3x3x4xf32>) -> tensor<3x1x2x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x1x2x4x5xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(g, n, f, p, q, r, s, c) -> (g, n, p + r, q + s, c)>,
                     affine_map<(g, n, f, p, q, r, s, c) -> (f, r, s, g, c)>,
                     affine_map<(g, n, f, p, q, r, s, c) -> (g, n, f, p, q)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %w : tensor<3x1x6x7x4xf32>, tensor<2x3x3x3x4xf32>) outs(%z : tensor<3x1x2x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x1x2x4x5xf32>
  return %y : tensor<3x1x2x4x5xf32>
}
