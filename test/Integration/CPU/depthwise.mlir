// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=pdl reference=false" | FileCheck %s --check-prefix=OPS
// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=10 --inject-delays=3 | FileCheck %s
// RUN: grout-compile %s --target=h200 -o %t.grout
// REQUIRES: grout-compile

// A product makes 24 channels of 16, each of which is convolved alone, and
// another makes 16 of them again. Channels are last all through: all that is
// transposed are the images as they come and go, and the filters.

// OPS:         tgemm.matmul
// OPS-NOT:     tensor<1x24x11x13xf16>
// OPS:         tgemm.matmul

// CHECK: relative error {{.*}}: passes

#all = affine_map<(n, f, p, q) -> (n, f, p, q)>

func.func @block(%x: tensor<1x16x11x13xf16>, %w1: tensor<24x16x1x1xf16>, %d: tensor<24x5x5xf16>, %w2: tensor<16x24x1x1xf16>) -> tensor<1x16x6x7xf16> {
  %zero = arith.constant 0.0 : f16
  %sum = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<1x24x11x13xf32>
  %wz = linalg.fill ins(%sum : f32) outs(%we : tensor<1x24x11x13xf32>) -> tensor<1x24x11x13xf32>
  %w = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w1 : tensor<1x16x11x13xf16>, tensor<24x16x1x1xf16>) outs(%wz : tensor<1x24x11x13xf32>) -> tensor<1x24x11x13xf32>
  %re = tensor.empty() : tensor<1x24x11x13xf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : tensor<1x24x11x13xf32>) outs(%re : tensor<1x24x11x13xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    %m = arith.maximumf %t, %zero : f16
    linalg.yield %m : f16
  } -> tensor<1x24x11x13xf16>
  %p = tensor.pad %r low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %i: index, %j: index):
    tensor.yield %zero : f16
  } : tensor<1x24x11x13xf16> to tensor<1x24x15x17xf16>
  %ce = tensor.empty() : tensor<1x24x6x7xf32>
  %cz = linalg.fill ins(%sum : f32) outs(%ce : tensor<1x24x6x7xf32>) -> tensor<1x24x6x7xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%p, %d : tensor<1x24x15x17xf16>, tensor<24x5x5xf16>) outs(%cz : tensor<1x24x6x7xf32>) -> tensor<1x24x6x7xf32>
  %se = tensor.empty() : tensor<1x24x6x7xf16>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<1x24x6x7xf32>) outs(%se : tensor<1x24x6x7xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    %m = arith.maximumf %t, %zero : f16
    linalg.yield %m : f16
  } -> tensor<1x24x6x7xf16>
  %ye = tensor.empty() : tensor<1x16x6x7xf32>
  %yz = linalg.fill ins(%sum : f32) outs(%ye : tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%s, %w2 : tensor<1x24x6x7xf16>, tensor<16x24x1x1xf16>) outs(%yz : tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %oe = tensor.empty() : tensor<1x16x6x7xf16>
  %out = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<1x16x6x7xf32>) outs(%oe : tensor<1x16x6x7xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x16x6x7xf16>
  return %out : tensor<1x16x6x7xf16>
}
