// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-conv2d --convert-linalg-to-tgemm -split-input-file -verify-diagnostics -o /dev/null
// RUN: grout-opt %s --convert-linalg-to-conv2d -split-input-file | FileCheck %s --implicit-check-not=tgemm.conv2d

// What is no convolution of images by rows and columns stays as it is, and a
// diagnostic says why.

// Depthwise: each feature sums up its own channel.
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4xf32>, %z: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  // expected-remark @+1 {{linalg.depthwise_conv_2d_nhwc_hwc is not converted: it is neither a contraction nor elementwise}}
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%z : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %y : tensor<1x6x6x4xf32>
}

// -----

func.func @signal(%x: tensor<1x8x4xf32>, %w: tensor<3x4x8xf32>, %z: tensor<1x6x8xf32>) -> tensor<1x6x8xf32> {
  // expected-error @+2 {{'linalg.conv_1d_nwc_wcf' cannot be compiled for cpu: it is no convolution of images by rows and columns}}
  // expected-note @+1 {{it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 6, 8, 3, 4>}}
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x8xf32>) outs(%z : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  return %y : tensor<1x6x8xf32>
}

// -----

func.func @volume(%x: tensor<1x8x8x8x4xf32>, %w: tensor<3x3x3x4x4xf32>, %z: tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32> {
  // expected-error @+2 {{'linalg.conv_3d_ndhwc_dhwcf' cannot be compiled for cpu: it is no convolution of images by rows and columns}}
  // expected-note @+1 {{it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 6, 6, 6, 4, 3, 3, 3, 4>}}
  %y = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x8x8x8x4xf32>, tensor<3x3x3x4x4xf32>) outs(%z : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %y : tensor<1x6x6x6x4xf32>
}

// -----

func.func @no_channels(%x: tensor<8x8xf32>, %w: tensor<3x3xf32>, %z: tensor<6x6xf32>) -> tensor<6x6xf32> {
  // expected-remark @+1 {{linalg.conv_2d is not converted: it is neither a contraction nor elementwise}}
  %y = linalg.conv_2d ins(%x, %w : tensor<8x8xf32>, tensor<3x3xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %y : tensor<6x6xf32>
}

// -----

// The loop over columns of the filter is over its rows, too.
func.func @diagonal(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x4xf32>, %z: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  // expected-remark @+1 {{linalg.generic is not converted}}
  %y = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f, r, c) -> (n, p + r, q + r, c)>,
                     affine_map<(n, p, q, f, r, c) -> (f, r, c)>,
                     affine_map<(n, p, q, f, r, c) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
  } ins(%x, %w : tensor<1x8x8x4xf32>, tensor<8x3x4xf32>) outs(%z : tensor<1x6x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// A filter whose order is reversed.
func.func @flipped(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %z: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  // expected-remark @+1 {{linalg.generic is not converted}}
  %y = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f, r, s, c) -> (n, p - r + 2, q + s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (f, r, s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %w : tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x6x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// A sum of products, but of squares.
func.func @body(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %z: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  // expected-error @+2 {{'linalg.generic' cannot be compiled for cpu: its body is not a sum of products of its inputs, widened by arith.extf at most}}
  // expected-note @+1 {{it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 6, 6, 8, 3, 3, 4>}}
  %y = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f, r, s, c) -> (n, p + r, q + s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (f, r, s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %w : tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x6x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %square = arith.mulf %a, %a : f32
    %m = arith.mulf %square, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// The last row and column of images are read by none, but would be by a pixel
// more.
func.func @leaves_out(%x: tensor<1x9x9x4xf32>, %w: tensor<8x3x3x4xf32>, %z: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  // expected-error @+2 {{'linalg.generic' cannot be compiled for cpu: it leaves out pixels at the end of its input, which is to be sliced before}}
  // expected-note @+1 {{it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 6, 6, 8, 3, 3, 4>}}
  %y = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f, r, s, c) -> (n, p + r, q + s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (f, r, s, c)>,
                     affine_map<(n, p, q, f, r, s, c) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %w : tensor<1x9x9x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x6x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

func.func @tiled(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %z: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  // expected-remark @+1 {{linalg.conv_2d_nhwc_fhwc is not converted: it is a tile kernel already, by its grout.tile_sizes}}
  %y = linalg.conv_2d_nhwc_fhwc {grout.tile_sizes = array<i64: 1, 3, 6, 8, 3, 3, 4>}
    ins(%x, %w : tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

func.func @integers(%x: tensor<1x8x8x4xi8>, %w: tensor<8x3x3x4xi8>, %z: tensor<1x6x6x8xi32>) -> tensor<1x6x6x8xi32> {
  // expected-error @+2 {{'linalg.conv_2d_nhwc_fhwc' cannot be compiled for cpu: elements of 'i8' are not supported; f16, bf16 and f32 are}}
  // expected-note @+1 {{it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 6, 6, 8, 3, 3, 4>}}
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x8x8x4xi8>, tensor<8x3x3x4xi8>) outs(%z : tensor<1x6x6x8xi32>) -> tensor<1x6x6x8xi32>
  return %y : tensor<1x6x6x8xi32>
}

// -----

func.func @undefined(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>) -> tensor<1x6x6x8xf32> {
  %e = tensor.empty() : tensor<1x6x6x8xf32>
  // expected-error @+2 {{'linalg.conv_2d_nhwc_fhwc' cannot be compiled for cpu: it accumulates onto tensor.empty, whose elements are undefined; use linalg.fill}}
  // expected-note @+1 {{it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 6, 6, 8, 3, 3, 4>}}
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%e : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// CHECK: linalg.conv_2d_nhwc_fhwc {{.*}}tensor<?x8x8x4xf32>
func.func @dynamic(%x: tensor<?x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %z: tensor<?x6x6x8xf32>) -> tensor<?x6x6x8xf32> {
  // expected-error @+1 {{'linalg.conv_2d_nhwc_fhwc' cannot be compiled for cpu: dynamic shapes are not supported: 'tensor<?x8x8x4xf32>'}}
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<?x8x8x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<?x6x6x8xf32>) -> tensor<?x6x6x8xf32>
  return %y : tensor<?x6x6x8xf32>
}
