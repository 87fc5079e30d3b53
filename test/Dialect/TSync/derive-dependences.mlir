// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -verify-diagnostics | FileCheck %s

// Tiles of 192 columns against steps of 128: a step needs one or two tiles.
// CHECK-LABEL: func.func @ragged
// CHECK: tsync.dependence %{{.*}} -> %{{.*}} operand 0 relation
// CHECK-SAME: matmul1[i0, 0, i2] -> matmul0[i0, o1] : 0 <= i0 <= 7 and 0 <= i2 <= 7 and -2 + 2i2 <= 3o1 <= 1 + 2i2
// CHECK-NOT: policy
func.func @ragged(%x: tensor<1000x64xf16>, %w1: tensor<64x1000xf16>, %w2: tensor<1000x64xf16>) -> tensor<1000x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<1000x64xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 192, k = 64>} : tensor<1000x64xf16>, tensor<64x1000xf16> -> tensor<1000x1000xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 128, n = 64, k = 128>} : tensor<1000x1000xf16>, tensor<1000x64xf16> -> tensor<1000x64xf16>
    tsync.yield %o : tensor<1000x64xf16>
  }
  return %0 : tensor<1000x64xf16>
}

// -----

// Ops of other dialects take part through the interface, and views between
// kernels are followed. Fan-out: two consumers of one producer.
// CHECK-LABEL: func.func @foreign
// CHECK: %[[H:.*]] = linalg.matmul
// CHECK: %[[A:.*]] = linalg.matmul
// CHECK: %[[B:.*]] = tgemm.matmul
// CHECK: tsync.dependence %[[H]] -> %[[A]] operand 0 relation "{ matmul1[i0, i1, i2] -> matmul0[i0, i2] : 0 <= i0 <= 1 and 0 <= i1 <= 1 and 0 <= i2 <= 1 }"
// CHECK: tsync.dependence %[[H]] -> %[[B]] operand 0 relation "{ matmul2[i0, i1, i2] -> matmul0[i0, 2 + i2] : 0 <= i0 <= 1 and 0 <= i1 <= 1 and 0 <= i2 <= 1 }"
func.func @foreign(%x: tensor<64x64xf32>, %w: tensor<64x128xf32>, %z: tensor<64x64xf32>, %y: tensor<64x128xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0:2 = tsync.chain mode(serial) : tensor<64x64xf32>, tensor<64x64xf32> {
    %h = linalg.matmul {grout.tile_sizes = array<i64: 32, 32, 16>} ins(%x, %w : tensor<64x64xf32>, tensor<64x128xf32>) outs(%y : tensor<64x128xf32>) -> tensor<64x128xf32>
    %left = tensor.extract_slice %h[0, 0] [64, 64] [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
    %right = tensor.extract_slice %h[0, 64] [64, 64] [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
    %a = linalg.matmul {grout.tile_sizes = array<i64: 32, 32, 32>} ins(%left, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
    %b = tgemm.matmul %right, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    tsync.yield %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %0#0, %0#1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A convolution of two rows reads two rows more, which the next tile wrote.
// CHECK-LABEL: func.func @halo
// CHECK: tsync.dependence {{.*}} operand 0 relation "{{.*}} : 0 <= i1 <= 6 and i1 <= o1 <= 1 + i1 }"
func.func @halo(%x: tensor<1x18x16x8xf32>, %w: tensor<3x3x8x8xf32>, %i: tensor<1x16x16x8xf32>, %j: tensor<1x14x14x8xf32>, %p: tensor<1x16x16x8xf32>) -> tensor<1x14x14x8xf32> {
  %0 = tsync.chain mode(serial) : tensor<1x14x14x8xf32> {
    %h = linalg.generic {grout.tile_sizes = array<i64: 1, 2, 16, 8>, indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x16x16x8xf32>) outs(%i : tensor<1x16x16x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<1x16x16x8xf32>
    %o = linalg.conv_2d_nhwc_hwcf {grout.tile_sizes = array<i64: 1, 2, 14, 8, 3, 3, 8>} ins(%h, %w : tensor<1x16x16x8xf32>, tensor<3x3x8x8xf32>) outs(%j : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
    tsync.yield %o : tensor<1x14x14x8xf32>
  }
  return %0 : tensor<1x14x14x8xf32>
}

// -----

func.func @untiled(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    // expected-error @+1 {{has no tile shape: give it one, or run the passes that assign tilings}}
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @opaque(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f16
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-note @+1 {{this op}}
    %p = tensor.pad %h low[0, 0] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f16
    } : tensor<64x64xf16> to tensor<64x64xf16>
    // expected-error @+1 {{reads another kernel of the chain through an op that is not a static view (operand 0)}}
    %o = tgemm.matmul %p, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// A slice that drops one of two neighbouring unit dimensions, and one that drops
// a dimension which it takes a single element of.
// CHECK-LABEL: func.func @dropped
// CHECK: tsync.dependence %{{.*}} -> %{{.*}} operand 0 relation "{ matmul1[0, i1, 0, i3] -> matmul0[4 + i1, i3] : 0 <= i1 <= 3 and 0 <= i3 <= 1 }"
func.func @dropped(%x: tensor<256x32xf16>, %v: tensor<32x32xf16>, %w: tensor<32x32xf16>) -> tensor<1x128x32xf16> {
  %0 = tsync.chain mode(serial) : tensor<1x128x32xf16> {
    %h = tgemm.matmul %x, %v {tiling = #tgemm.tiling<m = 32, n = 16, k = 32>} : tensor<256x32xf16>, tensor<32x32xf16> -> tensor<256x32xf16>
    %a = tensor.expand_shape %h [[0, 1, 2, 3], [4]] output_shape [2, 1, 1, 128, 32] : tensor<256x32xf16> into tensor<2x1x1x128x32xf16>
    %b = tensor.extract_slice %a[1, 0, 0, 0, 0] [1, 1, 1, 128, 32] [1, 1, 1, 1, 1] : tensor<2x1x1x128x32xf16> to tensor<1x128x32xf16>
    %o = tgemm.matmul %b, %w {tiling = #tgemm.tiling<m = 32, n = 32, k = 16>} : tensor<1x128x32xf16>, tensor<32x32xf16> -> tensor<1x128x32xf16>
    tsync.yield %o : tensor<1x128x32xf16>
  }
  return %0 : tensor<1x128x32xf16>
}
