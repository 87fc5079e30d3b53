// RUN: grout-opt %s --convert-linalg-to-tgemm -split-input-file -verify-diagnostics

// Upstream's verifier looks at the first and the last iteration of all loops
// together, which stay inside.
func.func @reversed(%x: tensor<5xf32>, %w: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{accesses elements -2 to 2 of dimension 0 of operand 0, which has 5}}
  %y = linalg.generic {
    indexing_maps = [affine_map<(p, k) -> (k - p)>, affine_map<(p, k) -> (k)>, affine_map<(p, k) -> (p)>],
    iterator_types = ["parallel", "reduction"], grout.tile_sizes = array<i64: 3, 3>
  } ins(%x, %w : tensor<5xf32>, tensor<3xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @stride(%x: tensor<1x5x5x8xf16>, %w: tensor<3x3x8x8xf16>, %z: tensor<1x3x3x8xf16>) -> tensor<1x3x3x8xf16> {
  // expected-error @+1 {{accesses elements -2 to 2 of dimension 1 of operand 0, which has 5}}
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<[-1, 1]> : tensor<2xi64>, grout.tile_sizes = array<i64: 1, 3, 3, 8, 3, 3, 8>}
    ins(%x, %w : tensor<1x5x5x8xf16>, tensor<3x3x8x8xf16>) outs(%z : tensor<1x3x3x8xf16>) -> tensor<1x3x3x8xf16>
  return %y : tensor<1x3x3x8xf16>
}

// -----

// Of what uses a dimension twice, no range is known that is exact.
func.func @pairs(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @+1 {{it is a tile kernel already}}
  %y = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i - i mod 2)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"], grout.tile_sizes = array<i64: 4>
  } ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
