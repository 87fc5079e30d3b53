// RUN: grout-opt %s --grout-set-target=name=h200 -tsync-assign-order | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu -tsync-assign-order | FileCheck %s --check-prefix=CPU

// How many rows of tiles are issued together, where all tiles run at once.

// CPU-COUNT-3: floordiv 8
// CPU-NOT:     floordiv

// 16 tiles read the least of the wide rows and the narrow columns as 2 x 8.
// CHECK-DAG: #[[WIDE:.*]] = affine_map<(d0, d1) -> (0, d0 floordiv 2, d1, d0)>
// As 4 x 4 a little less than as 2 x 8, but rows would come to twice as many
// processors.
// CHECK-DAG: #[[LARGE:.*]] = affine_map<(d0, d1) -> (0, d0, d1, 0)>
// Several rounds; with batches; and that wait for tiles.
// CHECK-DAG: #[[EIGHT:.*]] = affine_map<(d0, d1) -> (0, d0 floordiv 8, d1, d0)>
// CHECK-DAG: #[[BATCH:.*]] = affine_map<(d0, d1, d2) -> (0, d0, d1 floordiv 8, d2, d1)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1) -> (1, d0 floordiv 8, d1, d0)>

// CHECK-LABEL: func.func @wide
// CHECK:         order [#[[WIDE]]]
func.func @wide(%x: tensor<1024x4096xf16>, %w: tensor<4096x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = tsync.chain mode(pdl) : tensor<1024x1024xf16> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<1024x4096xf16>, tensor<4096x1024xf16> -> tensor<1024x1024xf16>
    tsync.yield %y : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}

// CHECK-LABEL: func.func @large
// CHECK:         order [#[[LARGE]]]
func.func @large(%x: tensor<2048x4096xf16>, %w: tensor<4096x1024xf16>) -> tensor<2048x1024xf16> {
  %0 = tsync.chain mode(pdl) : tensor<2048x1024xf16> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x4096xf16>, tensor<4096x1024xf16> -> tensor<2048x1024xf16>
    tsync.yield %y : tensor<2048x1024xf16>
  }
  return %0 : tensor<2048x1024xf16>
}

// CHECK-LABEL: func.func @rounds
// CHECK:         order [#[[EIGHT]]]
func.func @rounds(%x: tensor<2048x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<2048x4096xf16> {
  %0 = tsync.chain mode(pdl) : tensor<2048x4096xf16> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x4096xf16>, tensor<4096x4096xf16> -> tensor<2048x4096xf16>
    tsync.yield %y : tensor<2048x4096xf16>
  }
  return %0 : tensor<2048x4096xf16>
}

// CHECK-LABEL: func.func @batch
// CHECK:         order [#[[BATCH]]]
func.func @batch(%x: tensor<2x512x512xf16>, %w: tensor<2x512x512xf16>) -> tensor<2x512x512xf16> {
  %0 = tsync.chain mode(pdl) : tensor<2x512x512xf16> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<2x512x512xf16>, tensor<2x512x512xf16> -> tensor<2x512x512xf16>
    tsync.yield %y : tensor<2x512x512xf16>
  }
  return %0 : tensor<2x512x512xf16>
}

// CHECK-LABEL: func.func @tiles
// CHECK:         order [#[[EIGHT]], #[[SECOND]]]
func.func @tiles(%x: tensor<1024x1024xf16>, %w: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = tsync.chain mode(persistent) : tensor<1024x1024xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<1024x1024xf16>, tensor<1024x1024xf16> -> tensor<1024x1024xf16>
    %y = tgemm.matmul %h, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<1024x1024xf16>, tensor<1024x1024xf16> -> tensor<1024x1024xf16>
    tsync.yield %y : tensor<1024x1024xf16>
  }
  return %0 : tensor<1024x1024xf16>
}
