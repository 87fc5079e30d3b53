// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=row -o %t.grout --explain | FileCheck %s --check-prefix=CHAIN
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=20 --inject-delays=7 | FileCheck %s
// RUN: grout-run %t.grout --device=cpu --workers=1 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=kernel -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=5 | FileCheck %s

// Three convolutions of two images: with a bias and ReLU; dilated, with what the
// first computes added; and with a stride. The first's tiles end in the middle of
// rows, of images, and of features; those of the second wait for them, both for a
// halo and for their own pixels.

// CHAIN: chain 0, mode persistent

// CHECK: relative error {{.*}}: passes

#all = affine_map<(n, p, q, f) -> (n, p, q, f)>

func.func @block(%x: tensor<2x12x13x8xf32>, %w1: tensor<16x3x3x8xf32>, %b1: tensor<16xf32>, %w2: tensor<16x3x3x16xf32>, %w3: tensor<24x3x3x16xf32>) -> tensor<2x6x7x24xf32> {
  %zero = arith.constant 0.0 : f32
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x12x13x8xf32> to tensor<2x14x15x8xf32>
  %e1 = tensor.empty() : tensor<2x12x13x16xf32>
  %z1 = linalg.broadcast ins(%b1 : tensor<16xf32>) outs(%e1 : tensor<2x12x13x16xf32>) dimensions = [0, 1, 2]
  %c1 = linalg.conv_2d_nhwc_fhwc {tgemm.tiling = #tgemm.tiling<m = 20, n = 7, k = 64>}
    ins(%p1, %w1 : tensor<2x14x15x8xf32>, tensor<16x3x3x8xf32>) outs(%z1 : tensor<2x12x13x16xf32>) -> tensor<2x12x13x16xf32>
  %r1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1 : tensor<2x12x13x16xf32>) outs(%e1 : tensor<2x12x13x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x12x13x16xf32>

  %p2 = tensor.pad %r1 low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x12x13x16xf32> to tensor<2x16x17x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x12x13x16xf32>) -> tensor<2x12x13x16xf32>
  %c2 = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>, tgemm.tiling = #tgemm.tiling<m = 26, n = 16, k = 128>}
    ins(%p2, %w2 : tensor<2x16x17x16xf32>, tensor<16x3x3x16xf32>) outs(%z2 : tensor<2x12x13x16xf32>) -> tensor<2x12x13x16xf32>
  %s = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %r1 : tensor<2x12x13x16xf32>, tensor<2x12x13x16xf32>) outs(%e1 : tensor<2x12x13x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x12x13x16xf32>

  %p3 = tensor.pad %s low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x12x13x16xf32> to tensor<2x14x15x16xf32>
  %e3 = tensor.empty() : tensor<2x6x7x24xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x6x7x24xf32>) -> tensor<2x6x7x24xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>, tgemm.tiling = #tgemm.tiling<m = 14, n = 10, k = 64>}
    ins(%p3, %w3 : tensor<2x14x15x16xf32>, tensor<24x3x3x16xf32>) outs(%z3 : tensor<2x6x7x24xf32>) -> tensor<2x6x7x24xf32>
  return %y : tensor<2x6x7x24xf32>
}
