// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=4 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=4 --check --repeat=3 | FileCheck %s

// Programs written in tgemm are checked against the linalg that their ops stand
// for.

// CHECK: product: relative error {{.*}} passes
// CHECK: pixels: relative error {{.*}} passes
// CHECK: attention: relative error {{.*}} passes
// CHECK: heads: relative error {{.*}} passes

func.func @f(%x: tensor<3x33x40xf32>, %w: tensor<24x40xf32>, %bias: tensor<33xf32>,
             %images: tensor<2x14x11x20xf32>, %filter: tensor<30x3x2x8xf32>,
             %q: tensor<2x7x12x24xf32>, %q7: tensor<2x7x5x24xf32>, %k1: tensor<2x1x9x24xf32>, %k: tensor<2x9x4x24xf32>, %v: tensor<2x9x4x16xf32>, %mask: tensor<7x9xf32>)
    -> (tensor<3x33x24xf32> {grout.name = "product"}, tensor<96x30xf32> {grout.name = "pixels"},
        tensor<2x7x12x16xf32> {grout.name = "attention"}, tensor<2x7x5x24xf32> {grout.name = "heads"}) {
  %product = tgemm.matmul %x, %w epilogue(%bias : tensor<33xf32>) {
    epilogue_maps = [affine_map<(b, m, n) -> (m)>], transpose_rhs
  } : tensor<3x33x40xf32>, tensor<24x40xf32> -> tensor<3x33x24xf32> {
  ^bb0(%sum: f32, %b: f32):
    %0 = arith.addf %sum, %b : f32
    %1 = math.tanh %0 : f32
    tgemm.yield %1 : f32
  }

  // Blocks of 12 features have the channels of two groups of 6.
  %pixels = tgemm.conv2d %images, %filter {
    strides = array<i64: 2, 1>, dilations = array<i64: 2, 3>,
    padding = array<i64: 1, 0, 0, 0>, groups = 5, feature_block = 12
  } : tensor<2x14x11x20xf32>, tensor<30x3x2x8xf32> -> tensor<96x30xf32>

  // The first two queries have no keys.
  %attention = tgemm.attention %q, %k, %v bias(%mask : tensor<7x9xf32>) {
    scale = 1.250000e-01 : f32, causal = -2, zero_without_keys,
    layouts = [affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>],
    bias_map = affine_map<(b, h, i, j) -> (i, j)>
  } : tensor<2x7x12x24xf32>, tensor<2x9x4x24xf32>, tensor<2x9x4x16xf32> -> tensor<2x7x12x16xf32>

  // Tiles of 3, 3 and 1 of the heads.
  %heads = tgemm.attention %q7, %k1, %k1 {scale = 0.5 : f32, tiling = #tgemm.attention_tiling<m = 6, n = 4, heads = 3>}
    : tensor<2x7x5x24xf32>, tensor<2x1x9x24xf32>, tensor<2x1x9x24xf32> -> tensor<2x7x5x24xf32>
  return %product, %pixels, %attention, %heads : tensor<3x33x24xf32>, tensor<96x30xf32>, tensor<2x7x12x16xf32>, tensor<2x7x5x24xf32>
}
