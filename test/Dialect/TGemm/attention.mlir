// RUN: grout-opt %s | grout-opt | FileCheck %s
// RUN: grout-opt %s -mlir-print-op-generic | grout-opt | FileCheck %s
// RUN: grout-opt %s -emit-bytecode | grout-opt | FileCheck %s

// CHECK-DAG: #[[POSITION_FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-DAG: #[[MASK:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

// CHECK-LABEL: func.func @plain
func.func @plain(%q: tensor<2x8x100x64xbf16>, %k: tensor<2x8x77x64xbf16>, %v: tensor<2x8x77x32xbf16>) -> tensor<2x8x100x32xf32> {
  // CHECK: tgemm.attention %{{.*}}, %{{.*}}, %{{.*}} {scale = 5.000000e-01 : f32} : tensor<2x8x100x64xbf16>, tensor<2x8x77x64xbf16>, tensor<2x8x77x32xbf16> -> tensor<2x8x100x32xf32>
  %0 = tgemm.attention %q, %k, %v {scale = 0.5 : f32}
    : tensor<2x8x100x64xbf16>, tensor<2x8x77x64xbf16>, tensor<2x8x77x32xbf16> -> tensor<2x8x100x32xf32>
  return %0 : tensor<2x8x100x32xf32>
}

// CHECK-LABEL: func.func @zero_without_keys
func.func @zero_without_keys(%q: tensor<2x8x16x64xf16>, %k: tensor<2x8x16x64xf16>) -> tensor<2x8x16x64xf16> {
  // CHECK: tgemm.attention {{.*}} {causal = -1 : i64, scale = 1.000000e+00 : f32, zero_without_keys} :
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, causal = -1, zero_without_keys}
    : tensor<2x8x16x64xf16>, tensor<2x8x16x64xf16>, tensor<2x8x16x64xf16> -> tensor<2x8x16x64xf16>
  return %0 : tensor<2x8x16x64xf16>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%q: tensor<2x7x1x64xf16>, %k: tensor<2x1x1000x64xf16>) -> tensor<8x7x1x68xf32> {
  // CHECK: tgemm.attention {{.*}} {part_keys = 256 : i64, scale = 1.000000e+00 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, heads = 4, splits = 2>} :
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, part_keys = 256, tiling = #tgemm.attention_tiling<m = 64, n = 64, heads = 4, splits = 2>}
    : tensor<2x7x1x64xf16>, tensor<2x1x1000x64xf16>, tensor<2x1x1000x64xf16> -> tensor<8x7x1x68xf32>
  return %0 : tensor<8x7x1x68xf32>
}

// The example of the op's description.
// CHECK-LABEL: func.func @layer
func.func @layer(%q: tensor<2x128x12x64xf16>, %k: tensor<2x128x4x64xf16>, %v: tensor<2x128x4x64xf16>, %mask: tensor<128x128xf16>) -> tensor<2x128x12x64xf16> {
  // CHECK: tgemm.attention %{{.*}}, %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<128x128xf16>)
  // CHECK-SAME: bias_map = #[[MASK]], causal = 0 : i64
  // CHECK-SAME: layouts = [#[[POSITION_FIRST]], #[[POSITION_FIRST]], #[[POSITION_FIRST]], #[[POSITION_FIRST]]]
  // CHECK-SAME: tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2>
  %0 = tgemm.attention %q, %k, %v bias(%mask : tensor<128x128xf16>) {
    scale = 1.250000e-01 : f32, causal = 0,
    layouts = [affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>],
    bias_map = affine_map<(b, h, i, j) -> (i, j)>,
    tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2>
  } : tensor<2x128x12x64xf16>, tensor<2x128x4x64xf16>, tensor<2x128x4x64xf16>
    -> tensor<2x128x12x64xf16>
  return %0 : tensor<2x128x12x64xf16>
}

// The examples of the tiling's description; shares of 1 are not printed.
// CHECK-LABEL: func.func @decode
func.func @decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x4096x128xf16>) -> (tensor<1x32x1x128xf16>, tensor<1x32x1x128xf16>, tensor<1x32x1x128xf16>) {
  // CHECK: tiling = #tgemm.attention_tiling<m = 64, n = 128, heads = 4, splits = 8>
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 1, heads = 4, splits = 8>}
    : tensor<1x32x1x128xf16>, tensor<1x8x4096x128xf16>, tensor<1x8x4096x128xf16> -> tensor<1x32x1x128xf16>
  // CHECK: tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>
  %1 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 128, n = 128, stages = 2>}
    : tensor<1x32x1x128xf16>, tensor<1x8x4096x128xf16>, tensor<1x8x4096x128xf16> -> tensor<1x32x1x128xf16>
  // CHECK: tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 4, warpgroups = 2>
  %2 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 4, splits = 1, warpgroups = 2>}
    : tensor<1x32x1x128xf16>, tensor<1x8x4096x128xf16>, tensor<1x8x4096x128xf16> -> tensor<1x32x1x128xf16>
  return %0, %1, %2 : tensor<1x32x1x128xf16>, tensor<1x32x1x128xf16>, tensor<1x32x1x128xf16>
}
