// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,SIX
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32=products=bf16x6 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,SIX
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-split-f32=products=bf16x3 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,THREE
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-split-f32=products=bf16 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-split-f32 | FileCheck %s --check-prefix=EXACT
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32=products=exact | FileCheck %s --check-prefix=EXACT
// RUN: not grout-opt %s --tgemm-split-f32 2>&1 | FileCheck %s --check-prefix=TARGET

// EXACT-NOT:  bf16
// EXACT:      tgemm.matmul %arg0, %arg1 : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
// EXACT-NOT:  bf16
// TARGET:     error:

// Six products are as good as those of f32 only if long sums are rounded, not
// truncated. Of the smallest terms first: pieces 2 1 0 1 0 0 of lhs, 0 1 2 0 1 0 of rhs,
// where piece 0 is the largest.

// CHECK-LABEL: @plain
// SIX:         %[[LHS:.*]] = linalg.generic
// SIX-SAME:      ins(%arg0 : tensor<128x64xf32>) outs(%{{.*}} : tensor<128x6x64xbf16>)
// SIX-NEXT:    ^bb0(%[[X:.*]]: f32,
// SIX-NEXT:      %[[AT:.*]] = linalg.index 1
// SIX-DAG:       %[[P0:.*]] = arith.truncf %[[X]] : f32 to bf16
// SIX-DAG:       %[[W0:.*]] = arith.extf %[[P0]] : bf16 to f32
// SIX-DAG:       %[[R0:.*]] = arith.subf %[[X]], %[[W0]] : f32
// SIX-DAG:       %[[P1:.*]] = arith.truncf %[[R0]] : f32 to bf16
// SIX-DAG:       %[[W1:.*]] = arith.extf %[[P1]] : bf16 to f32
// SIX-DAG:       %[[R1:.*]] = arith.subf %[[R0]], %[[W1]] : f32
// SIX-DAG:       %[[P2:.*]] = arith.truncf %[[R1]] : f32 to bf16
// SIX:           %[[AT1:.*]] = arith.cmpi eq, %[[AT]], %c1
// SIX-NEXT:      %[[S1:.*]] = arith.select %[[AT1]], %[[P1]], %[[P2]]
// SIX-NEXT:      %[[AT2:.*]] = arith.cmpi eq, %[[AT]], %c2
// SIX-NEXT:      %[[S2:.*]] = arith.select %[[AT2]], %[[P0]], %[[S1]]
// SIX-NEXT:      %[[AT3:.*]] = arith.cmpi eq, %[[AT]], %c3
// SIX-NEXT:      %[[S3:.*]] = arith.select %[[AT3]], %[[P1]], %[[S2]]
// SIX-NEXT:      %[[AT4:.*]] = arith.cmpi eq, %[[AT]], %c4
// SIX-NEXT:      %[[S4:.*]] = arith.select %[[AT4]], %[[P0]], %[[S3]]
// SIX-NEXT:      %[[AT5:.*]] = arith.cmpi eq, %[[AT]], %c5
// SIX-NEXT:      %[[S5:.*]] = arith.select %[[AT5]], %[[P0]], %[[S4]]
// SIX-NEXT:      linalg.yield %[[S5]] : bf16
// SIX:         %[[A:.*]] = tensor.collapse_shape %[[LHS]] {{\[}}[0], [1, 2]] : tensor<128x6x64xbf16> into tensor<128x384xbf16>
// SIX:         linalg.generic
// SIX-SAME:      outs(%{{.*}} : tensor<6x64x32xbf16>)
// SIX:           arith.select %{{.*}}, %[[Q1:.*]], %[[Q0:.*]] : bf16
// SIX:           arith.select %{{.*}}, %[[Q2:.*]], %{{.*}} : bf16
// SIX:           arith.select %{{.*}}, %[[Q0]], %{{.*}} : bf16
// SIX:           arith.select %{{.*}}, %[[Q1]], %{{.*}} : bf16
// SIX:           arith.select %{{.*}}, %[[Q0]], %{{.*}} : bf16
// SIX:         %[[B:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<6x64x32xbf16> into tensor<384x32xbf16>
// SIX:         tgemm.matmul %[[A]], %[[B]] {sum_depth = 512 : i64} : tensor<128x384xbf16>, tensor<384x32xbf16> -> tensor<128x32xf32>
// THREE:       tgemm.matmul %{{.*}} : tensor<128x192xbf16>, tensor<192x32xbf16> -> tensor<128x32xf32>
// ONE:         linalg.generic
// ONE-NEXT:    ^bb0(%[[X:.*]]: f32,
// ONE-NEXT:      arith.truncf %[[X]] : f32 to bf16
// ONE-NEXT:      linalg.yield
// ONE:         tgemm.matmul %{{.*}} : tensor<128x64xbf16>, tensor<64x32xbf16> -> tensor<128x32xf32>
func.func @plain(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %0 = tgemm.matmul %x, %w : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}

// CHECK-LABEL: @transposed
// SIX:         tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<6x64x128xbf16> into tensor<384x128xbf16>
// SIX:         tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<32x6x64xbf16> into tensor<32x384xbf16>
// SIX:         tgemm.matmul %{{.*}} {sum_depth = 512 : i64, transpose_lhs, transpose_rhs} : tensor<384x128xbf16>, tensor<32x384xbf16>
func.func @transposed(%x: tensor<64x128xf32>, %w: tensor<32x64xf32>) -> tensor<128x32xf32> {
  %0 = tgemm.matmul %x, %w {transpose_lhs, transpose_rhs} : tensor<64x128xf32>, tensor<32x64xf32> -> tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}

// A batch with one factor for all of it, and an epilogue, which stays.

// CHECK-LABEL: @batch
// SIX:         tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : tensor<5x128x6x64xbf16> into tensor<5x128x384xbf16>
// SIX:         tgemm.matmul %{{.*}}, %{{.*}} epilogue(%arg2 : tensor<32xf32>)
// SIX-SAME:      : tensor<5x128x384xbf16>, tensor<384x32xbf16> -> tensor<5x128x32xf32>
func.func @batch(%x: tensor<5x128x64xf32>, %w: tensor<64x32xf32>, %bias: tensor<32xf32>) -> tensor<5x128x32xf32> {
  %0 = tgemm.matmul %x, %w epilogue(%bias : tensor<32xf32>) {
    epilogue_maps = [affine_map<(b, m, n) -> (n)>]
  } : tensor<5x128x64xf32>, tensor<64x32xf32> -> tensor<5x128x32xf32> {
  ^bb0(%acc: f32, %b: f32):
    %sum = arith.addf %acc, %b : f32
    tgemm.yield %sum : f32
  }
  return %0 : tensor<5x128x32xf32>
}

// CHECK-LABEL: @several
// SIX:         tgemm.matmul %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x384xbf16>, tensor<384x32xbf16>, tensor<384x32xbf16>
func.func @several(%x: tensor<128x64xf32>, %v: tensor<64x32xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %0 = tgemm.matmul %x, %v, %w : tensor<128x64xf32>, tensor<64x32xf32>, tensor<64x32xf32> -> tensor<128x32xf32> {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    tgemm.yield %p : f32
  }
  return %0 : tensor<128x32xf32>
}

// CHECK-LABEL: @narrow
// CHECK-NEXT:    tgemm.matmul %arg0, %arg1 : tensor<128x64xf16>
func.func @narrow(%x: tensor<128x64xf16>, %w: tensor<64x32xf16>) -> tensor<128x32xf16> {
  %0 = tgemm.matmul %x, %w : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf16>
  return %0 : tensor<128x32xf16>
}
