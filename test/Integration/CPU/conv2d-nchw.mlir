// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu mode=persistent reference=false" | FileCheck %s --check-prefix=OPS
// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=row -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=10 | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=10 --inject-delays=3 | FileCheck %s

// A residual block with channels before rows, as PyTorch has it, in f16, with
// more channels than a block of the reduction has. Channels are last all
// through: what the first convolution computes goes into the second as it is.

// OPS:         %[[H:.*]] = tgemm.conv2d
// OPS:           arith.maximumf
// OPS:         %[[I:.*]] = tensor.expand_shape %[[H]]
// OPS-NOT:     linalg.transpose
// OPS:         tgemm.conv2d %[[I]], %{{.*}} epilogue(
// OPS-NOT:     tgemm.conv2d

// CHECK: relative error {{.*}}: passes

#all = affine_map<(n, f, p, q) -> (n, f, p, q)>

func.func @block(%x: tensor<1x70x6x9xf16>, %w1: tensor<70x70x3x3xf16>, %w2: tensor<70x70x3x3xf16>) -> tensor<1x70x6x9xf16> {
  %zero = arith.constant 0.0 : f16
  %wide_zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x70x6x9xf16>
  %we = tensor.empty() : tensor<1x70x6x9xf32>
  %z = linalg.fill ins(%wide_zero : f32) outs(%we : tensor<1x70x6x9xf32>) -> tensor<1x70x6x9xf32>
  %p1 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x70x6x9xf16> to tensor<1x70x8x11xf16>
  %c1 = linalg.conv_2d_nchw_fchw {tgemm.tiling = #tgemm.tiling<m = 9, n = 32, k = 64>}
    ins(%p1, %w1 : tensor<1x70x8x11xf16>, tensor<70x70x3x3xf16>) outs(%z : tensor<1x70x6x9xf32>) -> tensor<1x70x6x9xf32>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1 : tensor<1x70x6x9xf32>) outs(%e : tensor<1x70x6x9xf16>) {
  ^bb0(%a: f32, %o: f16):
    %m = arith.maximumf %a, %wide_zero : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x70x6x9xf16>
  %p2 = tensor.pad %h low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x70x6x9xf16> to tensor<1x70x8x11xf16>
  %c2 = linalg.conv_2d_nchw_fchw {tgemm.tiling = #tgemm.tiling<m = 18, n = 40, k = 128>}
    ins(%p2, %w2 : tensor<1x70x8x11xf16>, tensor<70x70x3x3xf16>) outs(%z : tensor<1x70x6x9xf32>) -> tensor<1x70x6x9xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %x : tensor<1x70x6x9xf32>, tensor<1x70x6x9xf16>) outs(%e : tensor<1x70x6x9xf16>) {
  ^bb0(%a: f32, %b: f16, %o: f16):
    %w = arith.extf %b : f16 to f32
    %s = arith.addf %a, %w : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x70x6x9xf16>
  return %y : tensor<1x70x6x9xf16>
}
