// RUN: grout-opt %s | grout-opt | FileCheck %s
// RUN: grout-opt %s -mlir-print-op-generic | grout-opt | FileCheck %s
// RUN: grout-opt %s -emit-bytecode | grout-opt | FileCheck %s

// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ELEMENT:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// Rows and columns of nothing alike: images of 6 x 7, filters of 3 x 2.
// CHECK-LABEL: func.func @plain
func.func @plain(%x: tensor<2x6x7x100xbf16>, %w: tensor<9x3x2x100xbf16>) -> tensor<48x9xf32> {
  // CHECK: tgemm.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 3>, padding = array<i64: 1, 2, 0, 2>, strides = array<i64: 2, 1>} : tensor<2x6x7x100xbf16>, tensor<9x3x2x100xbf16> -> tensor<48x9xf32>
  // CHECK-NEXT: return
  %0 = tgemm.conv2d %x, %w {
    strides = array<i64: 2, 1>, dilations = array<i64: 1, 3>, padding = array<i64: 1, 2, 0, 2>
  } : tensor<2x6x7x100xbf16>, tensor<9x3x2x100xbf16> -> tensor<48x9xf32>
  return %0 : tensor<48x9xf32>
}

// The example of the op's description.
// CHECK-LABEL: func.func @bias
func.func @bias(%x: tensor<1x56x56x64xf16>, %w: tensor<64x3x3x64xf16>, %bias: tensor<64xf16>) -> tensor<3136x64xf16> {
  // CHECK: tgemm.conv2d %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<64xf16>)
  // CHECK-SAME: epilogue_maps = [#[[COLUMN]]]
  // CHECK-SAME: tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>}
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f16):
  // CHECK-NEXT: arith.extf %[[B]]
  // CHECK-NEXT: arith.addf %[[ACC]]
  // CHECK-NEXT: arith.truncf
  // CHECK-NEXT: tgemm.yield %{{.*}} : f16
  %y = tgemm.conv2d %x, %w epilogue(%bias : tensor<64xf16>) {
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
    padding = array<i64: 1, 1, 1, 1>,
    epilogue_maps = [affine_map<(m, n) -> (n)>],
    tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>
  } : tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16> -> tensor<3136x64xf16> {
  ^bb0(%acc: f32, %b: f16):
    %b32 = arith.extf %b : f16 to f32
    %sum = arith.addf %acc, %b32 : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  return %y : tensor<3136x64xf16>
}

// Groups of 4 channels and 6 features; blocks of 12 features that have the
// channels of two groups, and of 8, which have those of up to three.
// CHECK-LABEL: func.func @groups
func.func @groups(%x: tensor<1x8x8x16xf16>, %w: tensor<24x3x3x4xf16>, %v: tensor<24x3x3x8xf16>, %u: tensor<24x3x3x12xf16>)
    -> (tensor<36x24xf16>, tensor<36x24xf16>, tensor<36x24xf16>) {
  // CHECK: tgemm.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 4 : i64, padding
  %0 = tgemm.conv2d %x, %w {groups = 4 : i64,
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>,
    tiling = #tgemm.tiling<m = 9, n = 3, k = 64>
  } : tensor<1x8x8x16xf16>, tensor<24x3x3x4xf16> -> tensor<36x24xf16>
  // CHECK: tgemm.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, feature_block = 12 : i64, groups = 4 : i64, padding
  %1 = tgemm.conv2d %x, %v {groups = 4 : i64, feature_block = 12 : i64,
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>
  } : tensor<1x8x8x16xf16>, tensor<24x3x3x8xf16> -> tensor<36x24xf16>
  // CHECK: tgemm.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, feature_block = 8 : i64, groups = 4 : i64, padding
  %2 = tgemm.conv2d %x, %u {groups = 4 : i64, feature_block = 8 : i64,
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>
  } : tensor<1x8x8x16xf16>, tensor<24x3x3x12xf16> -> tensor<36x24xf16>
  return %0, %1, %2 : tensor<36x24xf16>, tensor<36x24xf16>, tensor<36x24xf16>
}

// A residual, and an epilogue without inputs. Tiles of several blocks.
// CHECK-LABEL: func.func @residual
func.func @residual(%x: tensor<1x8x8x256xf16>, %w: tensor<128x3x3x256xf16>, %r: tensor<64x128xf16>) -> (tensor<64x128xf16>, tensor<64x128xf32>) {
  // CHECK: epilogue_maps = [#[[ELEMENT]]]
  // CHECK-SAME: tiling = #tgemm.tiling<m = 128, n = 64, k = 128, stages = 3, cluster_m = 2, split_k = 2>
  %0 = tgemm.conv2d %x, %w epilogue(%r : tensor<64x128xf16>) {
    strides = array<i64: 1, 1>, dilations = array<i64: 2, 2>, padding = array<i64: 2, 2, 2, 2>,
    epilogue_maps = [affine_map<(m, n) -> (m, n)>],
    tiling = #tgemm.tiling<m = 128, n = 64, k = 128, stages = 3, cluster_m = 2, split_k = 2>
  } : tensor<1x8x8x256xf16>, tensor<128x3x3x256xf16> -> tensor<64x128xf16> {
  ^bb0(%acc: f32, %in: f16):
    %wide = arith.extf %in : f16 to f32
    %sum = arith.addf %acc, %wide : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  // CHECK: tgemm.conv2d
  // CHECK-NEXT: ^bb0(%{{.*}}: f32):
  %1 = tgemm.conv2d %x, %w {
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>
  } : tensor<1x8x8x256xf16>, tensor<128x3x3x256xf16> -> tensor<64x128xf32> {
  ^bb0(%acc: f32):
    %out = math.absf %acc : f32
    tgemm.yield %out : f32
  }
  return %0, %1 : tensor<64x128xf16>, tensor<64x128xf32>
}

// The filter may be as large as the padded image, and reach from zeros to zeros.
// CHECK-LABEL: func.func @one_pixel
func.func @one_pixel(%x: tensor<3x1x4x8xf32>, %w: tensor<1x5x2x8xf32>) -> tensor<3x1xf32> {
  // CHECK: tgemm.conv2d
  %0 = tgemm.conv2d %x, %w {
    strides = array<i64: 7, 2147483647>, dilations = array<i64: 1, 3>, padding = array<i64: 0, 4, 0, 0>
  } : tensor<3x1x4x8xf32>, tensor<1x5x2x8xf32> -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}
