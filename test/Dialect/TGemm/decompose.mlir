// RUN: grout-opt %s --tgemm-decompose --split-input-file | FileCheck %s --implicit-check-not=tgemm. --implicit-check-not=tsync.

// Two products of a batch that share lhs, both stored transposed, and what
// follows them.

// CHECK-DAG: #[[LHS:.+]] = affine_map<(d0, d1, d2, d3) -> (d3, d1)>
// CHECK-DAG: #[[RHS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[SUM:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[ALL:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[BIAS:.+]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: @matmul
// CHECK-SAME: (%[[X:.+]]: tensor<64x32xf16>, %[[W:.+]]: tensor<3x48x64xf16>, %[[U:.+]]: tensor<3x48x64xf16>, %[[B:.+]]: tensor<48xf16>)
func.func @matmul(%x: tensor<64x32xf16>, %w: tensor<3x48x64xf16>, %u: tensor<3x48x64xf16>, %bias: tensor<48xf16>) -> tensor<3x32x48xf16> {
  // CHECK: %[[ZERO:.+]] = linalg.fill {{.*}} -> tensor<3x32x48xf32>
  // CHECK: %[[P:.+]] = linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[SUM]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
  // CHECK-SAME: ins(%[[X]], %[[W]] : {{.*}} outs(%[[ZERO]] : tensor<3x32x48xf32>)
  // CHECK: arith.extf
  // CHECK: arith.extf
  // CHECK: arith.mulf
  // CHECK: arith.addf
  // CHECK: %[[Q:.+]] = linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[SUM]]]
  // CHECK-SAME: ins(%[[X]], %[[U]] :
  // CHECK: %[[Y:.+]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[BIAS]], #[[ALL]]], iterator_types = ["parallel", "parallel", "parallel"]}
  // CHECK-SAME: ins(%[[P]], %[[Q]], %[[B]] : {{.*}} outs(%{{.+}} : tensor<3x32x48xf16>)
  // CHECK-NEXT: ^bb0(%[[ACC:.+]]: f32, %[[OTHER:.+]]: f32, %[[ELEMENT:.+]]: f16, %{{.+}}: f16):
  // CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[ELEMENT]]
  // CHECK-NEXT: %[[SHIFTED:.+]] = arith.addf %[[ACC]], %[[WIDE]]
  // CHECK-NEXT: %[[PRODUCT:.+]] = arith.mulf %[[SHIFTED]], %[[OTHER]]
  // CHECK-NEXT: %[[OUT:.+]] = arith.truncf %[[PRODUCT]]
  // CHECK-NEXT: linalg.yield %[[OUT]] : f16
  // CHECK: return %[[Y]]
  %h = tgemm.matmul %x, %w, %u epilogue(%bias : tensor<48xf16>) {
    epilogue_maps = [affine_map<(b, m, n) -> (n)>], transpose_lhs, transpose_rhs
  } : tensor<64x32xf16>, tensor<3x48x64xf16>, tensor<3x48x64xf16> -> tensor<3x32x48xf16> {
  ^bb0(%acc: f32, %other: f32, %b: f16):
    %b32 = arith.extf %b : f16 to f32
    %sum = arith.addf %acc, %b32 : f32
    %product = arith.mulf %sum, %other : f32
    %out = arith.truncf %product : f32 to f16
    tgemm.yield %out : f16
  }
  return %h : tensor<3x32x48xf16>
}

// -----

// Without an epilogue, sums of f32 are the result. Those of parts of tiles are
// among them.

// CHECK-LABEL: @parts
func.func @parts(%x: tensor<128x256xf32>, %w: tensor<256x512xf32>) -> tensor<128x512xf32> {
  // CHECK: %[[Y:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
  // CHECK-SAME: outs(%{{.+}} : tensor<128x512xf32>)
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: linalg.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[Y]]
  %sums = tgemm.partial_sums %x, %w {
    tiling = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 4, tail = 3>
  } : tensor<128x256xf32>, tensor<256x512xf32> -> tensor<2x3x3x4096xf32>
  %h = tgemm.matmul %x, %w partial_sums(%sums : tensor<2x3x3x4096xf32>) {
    tiling = #tgemm.tiling<m = 64, n = 64, k = 32, stream_k = 4, tail = 3>
  } : tensor<128x256xf32>, tensor<256x512xf32> -> tensor<128x512xf32>
  return %h : tensor<128x512xf32>
}

// -----

// Blocks of 12 features of 6 each in a group: of the last block, which has
// channels of the group before the last and of the last, channels behind the
// last are zeros.

// CHECK: #[[INPUT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4 * 2, d2 + d5 * 3, (d3 floordiv 12) * 8 + d6)>
// CHECK: #[[FILTER:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK: #[[SUM:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @conv2d
// CHECK-SAME: (%[[X:.+]]: tensor<2x14x11x20xf32>, %[[W:.+]]: tensor<30x3x2x8xf32>)
func.func @conv2d(%x: tensor<2x14x11x20xf32>, %w: tensor<30x3x2x8xf32>) -> tensor<96x30xf32> {
  // CHECK: %[[PADDED:.+]] = tensor.pad %[[X]] low[0, 1, 0, 0] high[0, 0, 0, 4]
  // CHECK: : tensor<2x14x11x20xf32> to tensor<2x15x11x24xf32>
  // CHECK: %[[SUMS:.+]] = linalg.generic {indexing_maps = [#[[INPUT]], #[[FILTER]], #[[SUM]]]
  // CHECK-SAME: ins(%[[PADDED]], %[[W]] : {{.*}} outs(%{{.+}} : tensor<2x6x8x30xf32>)
  // CHECK: %[[Y:.+]] = tensor.collapse_shape %[[SUMS]] {{\[}}[0, 1, 2], [3]] : tensor<2x6x8x30xf32> into tensor<96x30xf32>
  // CHECK-NEXT: return %[[Y]]
  %y = tgemm.conv2d %x, %w {
    strides = array<i64: 2, 1>, dilations = array<i64: 2, 3>,
    padding = array<i64: 1, 0, 0, 0>, groups = 5, feature_block = 12
  } : tensor<2x14x11x20xf32>, tensor<30x3x2x8xf32> -> tensor<96x30xf32>
  return %y : tensor<96x30xf32>
}

// -----

// CHECK-LABEL: @unpadded
// CHECK-SAME: (%[[X:.+]]: tensor<1x8x8x16xf16>, %[[W:.+]]: tensor<8x3x3x16xf16>)
func.func @unpadded(%x: tensor<1x8x8x16xf16>, %w: tensor<8x3x3x16xf16>) -> tensor<36x8xf16> {
  // CHECK: ins(%[[X]], %[[W]] :
  // CHECK: arith.truncf
  %y = tgemm.conv2d %x, %w {
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
    padding = array<i64: 0, 0, 0, 0>
  } : tensor<1x8x8x16xf16>, tensor<8x3x3x16xf16> -> tensor<36x8xf16>
  return %y : tensor<36x8xf16>
}

// -----

// Three heads read the same keys.

// CHECK-DAG: #[[Q:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
// CHECK-DAG: #[[K:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1 floordiv 3, d4)>
// CHECK-DAG: #[[V:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1 floordiv 3, d3)>
// CHECK-DAG: #[[RESULT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: @attention
func.func @attention(%q: tensor<2x7x12x24xf16>, %k: tensor<2x9x4x24xf16>, %v: tensor<2x9x4x16xf16>, %mask: tensor<7x9xf32>) -> tensor<2x7x12x16xf16> {
  // CHECK: linalg.generic {indexing_maps = [#[[Q]], #[[K]], #{{.+}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
  // CHECK: arith.mulf %{{.+}}, %{{.*}} : f32
  // CHECK: arith.addf
  // CHECK: arith.cmpi sgt
  // CHECK: arith.select
  // CHECK: arith.maximumf
  // CHECK: math.exp
  // CHECK: linalg.generic {indexing_maps = [#{{.+}}, #[[V]], #{{.+}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
  // CHECK: linalg.generic {indexing_maps = [#{{.+}}, #{{.+}}, #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
  // CHECK: arith.divf
  // CHECK: arith.cmpf oeq
  // CHECK: arith.select
  // CHECK: arith.truncf
  %0 = tgemm.attention %q, %k, %v bias(%mask : tensor<7x9xf32>) {
    scale = 1.250000e-01 : f32, causal = -2, zero_without_keys,
    layouts = [affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>,
               affine_map<(b, h, i, d) -> (b, i, h, d)>],
    bias_map = affine_map<(b, h, i, j) -> (i, j)>
  } : tensor<2x7x12x24xf16>, tensor<2x9x4x24xf16>, tensor<2x9x4x16xf16> -> tensor<2x7x12x16xf16>
  return %0 : tensor<2x7x12x16xf16>
}

// -----

// Of each of three parts of the keys, scores, sums, and what they are relative
// to.

// CHECK-LABEL: @parts
func.func @parts(%q: tensor<2x6x1x24xf16>, %k: tensor<2x2x9x24xf16>) -> tensor<6x6x1x28xf32> {
  // CHECK: %[[RESULT:.+]] = tensor.empty() : tensor<6x6x1x28xf32>
  // CHECK: linalg.index 3
  // CHECK: arith.divui
  // CHECK: arith.cmpi ne
  // CHECK: %[[SUMS:.+]] = tensor.insert_slice %{{.+}} into %[[RESULT]][0, 0, 0, 0] [2, 6, 1, 24] [1, 1, 1, 1]
  // CHECK: %[[FIRST:.+]] = tensor.insert_slice %{{.+}} into %[[SUMS]][0, 0, 0, 24] [2, 6, 1, 4] [1, 1, 1, 1]
  // CHECK: tensor.insert_slice %{{.+}} into %[[FIRST]][2, 0, 0, 0] [2, 6, 1, 24] [1, 1, 1, 1]
  // CHECK: tensor.insert_slice %{{.+}}[4, 0, 0, 24] [2, 6, 1, 4] [1, 1, 1, 1]
  %0 = tgemm.attention %q, %k, %k {scale = 0.5 : f32, part_keys = 4}
    : tensor<2x6x1x24xf16>, tensor<2x2x9x24xf16>, tensor<2x2x9x24xf16> -> tensor<6x6x1x28xf32>
  return %0 : tensor<6x6x1x28xf32>
}

// -----

// CHECK-LABEL: @chain
// CHECK-COUNT-2: "reduction"
func.func @chain(%x: tensor<128x256xf32>, %w1: tensor<256x512xf32>, %w2: tensor<512x256xf32>) -> tensor<128x256xf32> {
  %0 = tsync.chain mode(serial) : tensor<128x256xf32> {
    %h = tgemm.matmul %x, %w1 : tensor<128x256xf32>, tensor<256x512xf32> -> tensor<128x512xf32>
    %o = tgemm.matmul %h, %w2 : tensor<128x512xf32>, tensor<512x256xf32> -> tensor<128x256xf32>
    tsync.dependence %h -> %o operand 0 : tensor<128x512xf32>, tensor<128x256xf32>
    tsync.yield %o : tensor<128x256xf32>
  }
  return %0 : tensor<128x256xf32>
}

// -----

// CHECK-LABEL: @summed
// CHECK: %[[Y:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<64x32xf16>)
// CHECK: %[[SUM:.+]] = collective.all_reduce %[[Y]] ranks 4 channel 2 : tensor<64x32xf16>
// CHECK: return %[[SUM]]
func.func @summed(%x: tensor<64x64xf16>, %w: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %0 = tgemm.matmul %x, %w {sum_ranks = 4, sum_channel = 2} : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  return %0 : tensor<64x32xf16>
}
