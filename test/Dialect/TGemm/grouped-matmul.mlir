// RUN: grout-opt %s | grout-opt | FileCheck %s
// RUN: grout-opt %s -mlir-print-op-generic | grout-opt | FileCheck %s
// RUN: grout-opt %s --tgemm-decompose | FileCheck %s --check-prefix=PLAIN
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-assign-tiling --tsync-form-chains=mode=persistent | FileCheck %s --check-prefix=CHAINS
// RUN: grout-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

// The example of the op's description.
// CHECK-LABEL: func.func @plain
func.func @plain(%x: tensor<512x256xf16>, %w: tensor<8x256x1024xf16>, %ends: tensor<8xi32>) -> tensor<512x1024xf16> {
  // CHECK: tgemm.grouped_matmul %{{.*}}, %{{.*}} ends(%{{.*}} : tensor<8xi32>) {tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>}
  // CHECK-SAME: : tensor<512x256xf16>, tensor<8x256x1024xf16> -> tensor<512x1024xf16>
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<8xi32>) {
    tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>
  } : tensor<512x256xf16>, tensor<8x256x1024xf16> -> tensor<512x1024xf16>
  return %y : tensor<512x1024xf16>
}

// The group of a row is the first whose end is beyond the row.
// PLAIN-LABEL: func.func @plain
// PLAIN: %[[GROUPS:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xi32>) outs(%{{.*}} : tensor<512xi32>)
// PLAIN: arith.cmpi sgt
// PLAIN: arith.minsi
// PLAIN: linalg.generic {{.*}} ins(%{{.*}}, %[[GROUPS]] : tensor<512x256xf16>, tensor<512xi32>) outs(%{{.*}} : tensor<512x1024xf32>)
// PLAIN: tensor.extract %{{.*}} : tensor<8x256x1024xf16>

// Two products with an epilogue, and weights that are stored as N x K.
// CHECK-LABEL: func.func @gated
// CANON-LABEL: func.func @gated
func.func @gated(%x: tensor<48x32xbf16>, %gate: tensor<4x64x32xbf16>, %up: tensor<4x64x32xbf16>, %scale: tensor<48xf32>, %unread: tensor<64xf32>, %ends: tensor<4xi32>) -> tensor<48x64xbf16> {
  // CHECK: tgemm.grouped_matmul %{{.*}}, %{{.*}}, %{{.*}} ends(%{{.*}} : tensor<4xi32>) epilogue(%{{.*}}, %{{.*}} : tensor<48xf32>, tensor<64xf32>) {{.*}}transpose_rhs
  // CANON: tgemm.grouped_matmul {{.*}} epilogue(%{{.*}} : tensor<48xf32>)
  %y = tgemm.grouped_matmul %x, %gate, %up ends(%ends : tensor<4xi32>) epilogue(%scale, %unread : tensor<48xf32>, tensor<64xf32>) {
    transpose_rhs, epilogue_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>]
  } : tensor<48x32xbf16>, tensor<4x64x32xbf16>, tensor<4x64x32xbf16> -> tensor<48x64xbf16> {
  ^bb0(%a: f32, %b: f32, %s: f32, %u: f32):
    %ab = arith.mulf %a, %b : f32
    %abs = arith.mulf %ab, %s : f32
    %out = arith.truncf %abs : f32 to bf16
    tgemm.yield %out : bf16
  }
  return %y : tensor<48x64xbf16>
}

// No tile can wait for tiles of groups, so they are in chains of their own.
// CHAINS-LABEL: func.func @chain
func.func @chain(%x: tensor<64x64xf16>, %p: tensor<64x64xf16>, %w: tensor<4x64x64xf16>, %ends: tensor<4xi32>) -> tensor<64x64xf16> {
  // CHAINS: tsync.chain
  // CHAINS-NEXT: tgemm.matmul
  // CHAINS: tsync.chain
  // CHAINS-NEXT: tgemm.grouped_matmul
  // CHAINS-NEXT: tsync.yield
  // CHAINS: tsync.chain
  // CHAINS-NEXT: tgemm.matmul
  %0 = tgemm.matmul %x, %p : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  %1 = tgemm.grouped_matmul %0, %w ends(%ends : tensor<4xi32>) : tensor<64x64xf16>, tensor<4x64x64xf16> -> tensor<64x64xf16>
  %2 = tgemm.matmul %1, %p : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %2 : tensor<64x64xf16>
}
