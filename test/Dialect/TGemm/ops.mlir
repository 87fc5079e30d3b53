// RUN: grout-opt %s | grout-opt | FileCheck %s
// RUN: grout-opt %s -mlir-print-op-generic | grout-opt | FileCheck %s
// RUN: grout-opt %s -emit-bytecode | grout-opt | FileCheck %s

// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ONE_ROW:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[BATCHED:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>

// CHECK-LABEL: func.func @plain
func.func @plain(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>) -> tensor<128x512xf32> {
  // CHECK: tgemm.matmul %{{.*}}, %{{.*}} : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf32>
  // CHECK-NEXT: return
  %0 = tgemm.matmul %x, %w : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf32>
  return %0 : tensor<128x512xf32>
}

// The example of the op's description.
// CHECK-LABEL: func.func @bias
func.func @bias(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>, %bias: tensor<512xf16>) -> tensor<128x512xf16> {
  // CHECK: tgemm.matmul %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<512xf16>)
  // CHECK-SAME: {epilogue_maps = [#[[COLUMN]]], tiling = #tgemm.tiling<m = 64, n = 64, k = 32>}
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f16):
  // CHECK-NEXT: arith.extf %[[B]]
  // CHECK-NEXT: arith.addf %[[ACC]]
  // CHECK-NEXT: arith.truncf
  // CHECK-NEXT: tgemm.yield %{{.*}} : f16
  %h = tgemm.matmul %x, %w epilogue(%bias : tensor<512xf16>) {
    epilogue_maps = [affine_map<(m, n) -> (n)>],
    tiling = #tgemm.tiling<m = 64, n = 64, k = 32>
  } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
  ^bb0(%acc: f32, %b: f16):
    %b32 = arith.extf %b : f16 to f32
    %sum = arith.addf %acc, %b32 : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  return %h : tensor<128x512xf16>
}

// CHECK-LABEL: func.func @gated
func.func @gated(%x: tensor<64x32xbf16>, %g: tensor<128x32xbf16>, %u: tensor<128x32xbf16>) -> tensor<64x128xbf16> {
  // CHECK: tgemm.matmul %{{.*}}, %[[G:.*]], %[[U:.*]] {tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>, transpose_rhs}
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  %0 = tgemm.matmul %x, %g, %u {
    transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>
  } : tensor<64x32xbf16>, tensor<128x32xbf16>, tensor<128x32xbf16> -> tensor<64x128xbf16> {
  ^bb0(%a: f32, %b: f32):
    %product = arith.mulf %a, %b : f32
    %out = arith.truncf %product : f32 to bf16
    tgemm.yield %out : bf16
  }
  return %0 : tensor<64x128xbf16>
}

// Tiles of several blocks. Shares of 1 are not printed.
// CHECK-LABEL: func.func @clusters
func.func @clusters(%x: tensor<256x128xf16>, %w: tensor<128x256xf16>) -> (tensor<256x256xf16>, tensor<256x256xf16>) {
  // CHECK: {tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 5, cluster_m = 2>}
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 256, n = 192, k = 64, stages = 5, cluster_m = 2, split_k = 1>} : tensor<256x128xf16>, tensor<128x256xf16> -> tensor<256x256xf16>
  // CHECK: {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 8, cluster_m = 2, cluster_n = 2, split_k = 2>}
  %1 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<split_k = 2, cluster_n = 2, cluster_m = 2, m = 128, n = 128, k = 64, stages = 8>} : tensor<256x128xf16>, tensor<128x256xf16> -> tensor<256x256xf16>
  return %0, %1 : tensor<256x256xf16>, tensor<256x256xf16>
}

// Inputs that are broadcast along a dimension of size 1, or everywhere.
// CHECK-LABEL: func.func @broadcast_inputs
func.func @broadcast_inputs(%x: tensor<32x64xf32>, %w: tensor<32x16xf32>, %row: tensor<1x16xf32>, %scale: tensor<f32>) -> tensor<64x16xf32> {
  // CHECK: epilogue_maps = [#[[ONE_ROW]], #[[SCALAR]]], transpose_lhs
  %0 = tgemm.matmul %x, %w epilogue(%row, %scale : tensor<1x16xf32>, tensor<f32>) {
    epilogue_maps = [affine_map<(m, n) -> (0, n)>, affine_map<(m, n) -> ()>], transpose_lhs
  } : tensor<32x64xf32>, tensor<32x16xf32> -> tensor<64x16xf32> {
  ^bb0(%acc: f32, %r: f32, %s: f32):
    %sum = arith.addf %acc, %r : f32
    %out = arith.mulf %sum, %s : f32
    tgemm.yield %out : f32
  }
  return %0 : tensor<64x16xf32>
}

// A batch of lhs with one rhs for all.
// CHECK-LABEL: func.func @batched
func.func @batched(%x: tensor<4x8x16xf16>, %w: tensor<16x32xf16>, %b: tensor<4x32xf32>) -> tensor<4x8x32xf16> {
  // CHECK: epilogue_maps = [#[[BATCHED]]]} : tensor<4x8x16xf16>, tensor<16x32xf16> -> tensor<4x8x32xf16>
  %0 = tgemm.matmul %x, %w epilogue(%b : tensor<4x32xf32>) {
    epilogue_maps = [affine_map<(b, m, n) -> (b, n)>]
  } : tensor<4x8x16xf16>, tensor<16x32xf16> -> tensor<4x8x32xf16> {
  ^bb0(%acc: f32, %bias: f32):
    %sum = arith.addf %acc, %bias : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  return %0 : tensor<4x8x32xf16>
}
