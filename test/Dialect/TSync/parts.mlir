// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=persistent --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify | FileCheck %s --check-prefixes=CHECK,BYTILE
// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=serial --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify | FileCheck %s --check-prefixes=CHECK,BYLAUNCH
// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=pdl --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify | FileCheck %s --check-prefixes=CHECK,BYLAUNCH
// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=overlap --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify | FileCheck %s --check-prefixes=CHECK,BYTILE

// Tiles of the last two of eight columns are in four parts. A tile of those
// waits for its three partial sums, and one of the others for none; that it runs
// in one launch with them, tile by tile, does not depend on the mode. Parts come
// first in the tile order. Where tiles wait for tiles of the product before, a
// part waits for its own steps of them, two, and a tile for the row.

// CHECK-DAG:     #[[TILE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG:     #[[WAIT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 - 6)>
// CHECK-DAG:     #[[GUARD:.*]] = affine_map<(d0, d1) -> (d1 - 6)>
// CHECK-DAG:     #[[FIRST:.*]] = affine_map<(d0, d1, d2) -> (1, d0, d1, d2, 0)>
// CHECK-DAG:     #[[LAST:.*]] = affine_map<(d0, d1) -> (2, d0 floordiv 8, d1, d0, 0)>
// CHECK:         order [#{{[a-z0-9]+}}, #[[FIRST]], #[[LAST]]] residents(1)
// CHECK:         %[[H:.*]] = tgemm.matmul %arg0, %arg1 {
// CHECK:         %[[SUMS:.*]] = tgemm.partial_sums %[[H]], %arg2
// CHECK:         %[[Y:.*]] = tgemm.matmul %[[H]], %arg2 partial_sums(%[[SUMS]]
// CHECK:         tsync.dependence %[[H]] -> %[[SUMS]] operand 0
// CHECK-SAME:      relation "{ partial_sums1[i0, i1, i2, i3] -> matmul0[i0, 2i2 + i3] : 0 <= i0 <= 1 and 0 <= i1 <= 1 and 0 <= i2 <= 2 and 0 <= i3 <= 1 }"
// BYTILE-SAME:     policy <{{.*}} shape = [2, 4], counts = [2],
// BYLAUNCH-NOT:    policy
// CHECK:         tsync.dependence %[[H]] -> %[[Y]] operand 0
// BYTILE-SAME:     policy <{{.*}} shape = [2], counts = [8],
// BYLAUNCH-NOT:    policy
// CHECK:         tsync.dependence %[[SUMS]] -> %[[Y]] operand 2
// CHECK-SAME:      relation "{ matmul2[i0, i1, i2] -> partial_sums1[i0, -6 + i1, o2] : 0 <= i0 <= 1 and 6 <= i1 <= 7 and 0 <= i2 <= 7 and 0 <= o2 <= 2 }"
// CHECK-SAME:      policy <semaphore = #[[TILE]], shape = [2, 2], counts = [3], lower = #[[WAIT]], upper = #[[WAIT]], guard = #[[GUARD]]>

func.func @two(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x512xf16>) -> tensor<128x512xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>}
    : tensor<128x512xf16>, tensor<512x512xf16> -> tensor<128x512xf16>
  return %y : tensor<128x512xf16>
}
