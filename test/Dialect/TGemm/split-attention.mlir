// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-attention | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-split-attention | FileCheck %s --check-prefix=CPU

#positions_first = affine_map<(b, h, i, d) -> (b, i, h, d)>

// Two tiles, and clusters for 15: keys in parts, each of which a tile of its own
// attends to. What joins them is one elementwise kernel.

// CHECK-DAG: #[[ALL:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[RESULT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: func.func @long
// CPU-LABEL: func.func @long
func.func @long(%q: tensor<1x1x14x64xf16>, %k: tensor<1x2x32768x64xf16>) -> tensor<1x1x14x64xf16> {
  // CHECK: %[[PARTS:.+]] = tgemm.attention %{{.+}} {layouts = [#[[RESULT]], #[[ALL]], #[[ALL]], #[[ALL]]], part_keys = {{[0-9]+}} : i64
  // CHECK-SAME: -> tensor<[[N:[0-9]+]]x14x1x68xf32>
  // CHECK: %[[SUMS:.+]] = tensor.extract_slice %[[PARTS]][0, 0, 0, 0] [1, 14, 1, 64] [1, 1, 1, 1] : tensor<[[N]]x14x1x68xf32> to tensor<1x14x1x64xf32>
  // CHECK: tensor.extract_slice %[[PARTS]][1, 0, 0, 0] [1, 14, 1, 64] [1, 1, 1, 1]
  // CHECK: %[[LARGEST:.+]] = tensor.extract_slice %[[PARTS]][0, 0, 0, 64] [1, 14, 1, 1] [1, 1, 1, 1] : tensor<[[N]]x14x1x68xf32> to tensor<1x14x1xf32>
  // CHECK: %[[TOTAL:.+]] = tensor.extract_slice %[[PARTS]][0, 0, 0, 65] [1, 14, 1, 1] [1, 1, 1, 1] : tensor<[[N]]x14x1x68xf32> to tensor<1x14x1xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[ALL]], {{.*}}#[[ROW]], #[[RESULT]]]
  // CHECK-SAME: ins(%[[SUMS]], {{.*}}%[[LARGEST]], {{.*}}%[[TOTAL]],
  // CHECK: arith.maximumf
  // CHECK: math.exp
  // CHECK: arith.divf
  // CHECK-NOT: arith.cmpf
  // CHECK: arith.truncf
  // CPU-NOT: part_keys
  %0 = tgemm.attention %q, %k, %k {
    scale = 1.0 : f32,
    layouts = [#positions_first, affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>, #positions_first]
  } : tensor<1x1x14x64xf16>, tensor<1x2x32768x64xf16>, tensor<1x2x32768x64xf16> -> tensor<1x1x14x64xf16>
  return %0 : tensor<1x1x14x64xf16>
}

// Queries without keys give 0.
// CHECK-LABEL: func.func @padded
func.func @padded(%q: tensor<1x14x1x64xf16>, %k: tensor<1x2x32768x64xf16>, %mask: tensor<32768xf32>) -> tensor<1x14x1x64xf16> {
  // CHECK: tgemm.attention {{.*}} bias({{.*}} part_keys
  // CHECK: arith.divf
  // CHECK: arith.cmpf oeq
  // CHECK: arith.select
  %0 = tgemm.attention %q, %k, %k bias(%mask : tensor<32768xf32>) {
    scale = 1.0 : f32, zero_without_keys, bias_map = affine_map<(b, h, i, j) -> (j)>
  } : tensor<1x14x1x64xf16>, tensor<1x2x32768x64xf16>, tensor<1x2x32768x64xf16> -> tensor<1x14x1x64xf16>
  return %0 : tensor<1x14x1x64xf16>
}

// Few keys; enough tiles; a tiling.
// CHECK-LABEL: func.func @whole
func.func @whole(%q: tensor<1x14x1x64xf16>, %k: tensor<1x2x512x64xf16>, %many: tensor<64x14x1x64xf16>, %others: tensor<64x2x32768x64xf16>, %long: tensor<1x2x32768x64xf16>) {
  // CHECK-NOT: part_keys
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32} : tensor<1x14x1x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16> -> tensor<1x14x1x64xf16>
  %1 = tgemm.attention %many, %others, %others {scale = 1.0 : f32} : tensor<64x14x1x64xf16>, tensor<64x2x32768x64xf16>, tensor<64x2x32768x64xf16> -> tensor<64x14x1x64xf16>
  %2 = tgemm.attention %q, %long, %long {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 63, n = 64, heads = 7>} : tensor<1x14x1x64xf16>, tensor<1x2x32768x64xf16>, tensor<1x2x32768x64xf16> -> tensor<1x14x1x64xf16>
  return
}

// Tiles of many rows wait for exponentials: parts give each processor two
// clusters of two blocks.
// CHECK-LABEL: func.func @full_tiles
func.func @full_tiles(%q: tensor<16x71x1x64xf16>, %k: tensor<16x1x32768x64xf16>) -> tensor<16x71x1x64xf16> {
  // CHECK: part_keys = 8192 : i64
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32}
    : tensor<16x71x1x64xf16>, tensor<16x1x32768x64xf16>, tensor<16x1x32768x64xf16> -> tensor<16x71x1x64xf16>
  return %0 : tensor<16x71x1x64xf16>
}

// Enough tiles, or few keys, have no parts.
// CHECK-LABEL: func.func @enough_tiles
func.func @enough_tiles(%q: tensor<64x71x1x64xf16>, %k: tensor<64x1x16384x64xf16>, %r: tensor<16x71x1x64xf16>, %l: tensor<16x1x8192x64xf16>) -> (tensor<64x71x1x64xf16>, tensor<16x71x1x64xf16>) {
  // CHECK-NOT: part_keys
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32}
    : tensor<64x71x1x64xf16>, tensor<64x1x16384x64xf16>, tensor<64x1x16384x64xf16> -> tensor<64x71x1x64xf16>
  %1 = tgemm.attention %r, %l, %l {scale = 1.0 : f32}
    : tensor<16x71x1x64xf16>, tensor<16x1x8192x64xf16>, tensor<16x1x8192x64xf16> -> tensor<16x71x1x64xf16>
  return %0, %1 : tensor<64x71x1x64xf16>, tensor<16x71x1x64xf16>
}
