// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-select-edge-modes | FileCheck %s --check-prefixes=CHECK,MODEL
// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-select-edge-modes="modes=overlap,serial" | FileCheck %s --check-prefixes=CHECK,GIVEN
// RUN: not grout-opt %s --grout-set-target=name=h200 --tsync-select-edge-modes="modes=persistent" 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not grout-opt %s --grout-set-target=name=cpu --tsync-select-edge-modes=modes=overlap 2>&1 | FileCheck %s --check-prefix=TARGET

// MODE: for the --modes option: 'persistent' is not the mode of a dependence, which is serial, pdl or overlap
// TARGET: error: 'cpu' has no programmatic dependent launch

// CHECK-NOT: selects_edges

// 140 tiles leave much of their second wave to the tiles of the next product,
// which are one wave: those after it gain nothing by waiting for tiles. What has a
// mode keeps it.

// CHECK-LABEL: func.func @waves(
// CHECK:         %[[H:.*]] = tgemm.matmul
// CHECK:         %[[Y:.*]] = tgemm.matmul %[[H]]
// CHECK:         %[[Z:.*]] = tgemm.matmul %[[Y]], %{{.*}} epilogue(%[[H]]
// MODEL:         tsync.dependence %[[H]] -> %[[Y]] operand 0 :
// GIVEN:         tsync.dependence %[[H]] -> %[[Y]] operand 0 mode(overlap) :
// MODEL:         tsync.dependence %[[Y]] -> %[[Z]] operand 0 mode(pdl) :
// GIVEN:         tsync.dependence %[[Y]] -> %[[Z]] operand 0 mode(serial) :
// CHECK:         tsync.dependence %[[H]] -> %[[Z]] operand 2 mode(overlap) :
func.func @waves(%x: tensor<2560x4096xf16>, %w1: tensor<4096x896xf16>, %w2: tensor<896x512xf16>, %w3: tensor<512x896xf16>) -> tensor<2560x896xf16> {
  %0 = tsync.chain mode(overlap) selects_edges : tensor<2560x896xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
      : tensor<2560x4096xf16>, tensor<4096x896xf16> -> tensor<2560x896xf16>
    %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
      : tensor<2560x896xf16>, tensor<896x512xf16> -> tensor<2560x512xf16>
    %z = tgemm.matmul %y, %w3 epilogue(%h : tensor<2560x896xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<2560x512xf16>, tensor<512x896xf16> -> tensor<2560x896xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
    tsync.dependence %h -> %y operand 0 : tensor<2560x896xf16>, tensor<2560x512xf16>
    tsync.dependence %y -> %z operand 0 : tensor<2560x512xf16>, tensor<2560x896xf16>
    tsync.dependence %h -> %z operand 2 mode(overlap) : tensor<2560x896xf16>, tensor<2560x896xf16>
    tsync.yield %z : tensor<2560x896xf16>
  }
  return %0 : tensor<2560x896xf16>
}

// A chain in mode pdl waits for launches. After another one, a kernel of single
// blocks that is long enough starts in order; a short one early.

// CHECK-LABEL: func.func @in_order(
// CHECK:         tsync.chain mode(pdl)
// CHECK:         %[[H:.*]] = tgemm.matmul
// CHECK:         %[[Y:.*]] = tgemm.matmul %[[H]]
// CHECK:         %[[Z:.*]] = tgemm.matmul %[[Y]]
// MODEL:         tsync.dependence %[[H]] -> %[[Y]] operand 0 mode(serial) :
// GIVEN:         tsync.dependence %[[H]] -> %[[Y]] operand 0 mode(overlap) :
// MODEL:         tsync.dependence %[[Y]] -> %[[Z]] operand 0 :
// GIVEN:         tsync.dependence %[[Y]] -> %[[Z]] operand 0 mode(serial) :
func.func @in_order(%x: tensor<384x12288xf16>, %w1: tensor<12288x6144xf16>, %w2: tensor<6144x12288xf16>, %w3: tensor<12288x64xf16>) -> tensor<384x64xf16> {
  %0 = tsync.chain mode(pdl) selects_edges : tensor<384x64xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 192, n = 96, k = 64, stages = 6>}
      : tensor<384x12288xf16>, tensor<12288x6144xf16> -> tensor<384x6144xf16>
    %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 192, n = 192, k = 64, stages = 4>}
      : tensor<384x6144xf16>, tensor<6144x12288xf16> -> tensor<384x12288xf16>
    %z = tgemm.matmul %y, %w3 {tiling = #tgemm.tiling<m = 192, n = 64, k = 64, stages = 4>}
      : tensor<384x12288xf16>, tensor<12288x64xf16> -> tensor<384x64xf16>
    tsync.dependence %h -> %y operand 0 : tensor<384x6144xf16>, tensor<384x12288xf16>
    tsync.dependence %y -> %z operand 0 : tensor<384x12288xf16>, tensor<384x64xf16>
    tsync.yield %z : tensor<384x64xf16>
  }
  return %0 : tensor<384x64xf16>
}

// Modes that are given are for all chains of launches; the model is asked of those
// only that say so.

// CHECK-LABEL: func.func @others(
// CHECK:         tsync.chain mode(pdl)
// MODEL:         tsync.dependence %{{.*}} -> %{{.*}} operand 0 :
// GIVEN:         tsync.dependence %{{.*}} -> %{{.*}} operand 0 mode(overlap) :
// CHECK:         tsync.chain mode(persistent)
// CHECK:         tsync.dependence %{{.*}} -> %{{.*}} operand 0 :
func.func @others(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.dependence %a -> %b operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %b : tensor<64x64xf16>
  }
  %1 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %a = tgemm.matmul %0, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.dependence %a -> %b operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %b : tensor<64x64xf16>
  }
  return %1 : tensor<64x64xf16>
}
