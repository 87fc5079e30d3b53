// RUN: grout-opt %s --linalg-widen-accumulators --split-input-file | FileCheck %s
// RUN: grout-opt %s --linalg-widen-accumulators=long-sum=65 --split-input-file | FileCheck %s --check-prefix=LONG

// The sum is f32 and is rounded once. What it starts from is a constant.

// CHECK-LABEL: func.func @sum
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[START:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<4xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x64xf16>) outs(%[[START]] : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f16, %[[ACC:.*]]: f32):
// CHECK-NEXT:      %[[X:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[ACC]], %[[X]] : f32
// CHECK-NEXT:      linalg.yield %[[NEW]] : f32
// CHECK:         %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf32>)
// CHECK:           arith.truncf %{{.*}} : f32 to f16
// CHECK:         return %[[ROUNDED]] : tensor<4xf16>

// 64 terms are not long.
// LONG-LABEL:  func.func @sum
// LONG-NOT:    f64
func.func @sum(%x: tensor<4x64xf16>) -> tensor<4xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<4xf16>) -> tensor<4xf16>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x64xf16>) outs(%z : tensor<4xf16>) dimensions = [1]
  return %s : tensor<4xf16>
}

// -----

// The product of all, from what an argument says.

// CHECK-LABEL: func.func @product
// CHECK-SAME:    %[[X:.*]]: tensor<100xbf16>, %[[INIT:.*]]: tensor<bf16>
// CHECK:         %[[START:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<bf16>)
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<100xbf16>) outs(%[[START]] : tensor<f32>)
// CHECK:           arith.mulf %{{.*}} : f32

// LONG-LABEL:  func.func @product
// LONG:          arith.extf %{{.*}} : bf16 to f64
// LONG:          linalg.generic {{.*}} outs(%{{.*}} : tensor<f64>)
// LONG:            arith.mulf %{{.*}} fastmath<reassoc> : f64
// LONG:          arith.truncf %{{.*}} : f64 to bf16
func.func @product(%x: tensor<100xbf16>, %init: tensor<bf16>) -> tensor<bf16> {
  %p = linalg.reduce {arith.mulf} ins(%x : tensor<100xbf16>) outs(%init : tensor<bf16>) dimensions = [0]
  return %p : tensor<bf16>
}

// -----

// What only the sum uses is f32, and casts vanish; what the maximum uses, too,
// is not.

// CHECK-LABEL: func.func @terms
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<f32>, tensor<f16>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f16, %[[SUM:.*]]: f32, %[[MAX:.*]]: f16):
// CHECK-NEXT:      %[[SHARED:.*]] = math.absf %[[A]] : f16
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[SHARED]] : f16 to f32
// CHECK-NEXT:      %[[SQUARE:.*]] = arith.mulf %[[WIDE]], %[[WIDE]] : f32
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[SUM]], %[[SQUARE]] : f32
// CHECK-NEXT:      %[[NEWMAX:.*]] = arith.maximumf %[[MAX]], %[[SHARED]] : f16
// CHECK-NEXT:      linalg.yield %[[NEW]], %[[NEWMAX]] : f32, f16
func.func @terms(%x: tensor<64xf16>, %s: tensor<f16>, %m: tensor<f16>) -> (tensor<f16>, tensor<f16>) {
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<64xf16>) outs(%s, %m : tensor<f16>, tensor<f16>) {
  ^bb0(%a: f16, %sum: f16, %max: f16):
    %shared = math.absf %a : f16
    %wide = arith.extf %shared : f16 to f32
    %square = arith.mulf %wide, %wide : f32
    %term = arith.truncf %square : f32 to f16
    %new = arith.addf %sum, %term : f16
    %newmax = arith.maximumf %max, %shared : f16
    linalg.yield %new, %newmax : f16, f16
  } -> (tensor<f16>, tensor<f16>)
  return %r#0, %r#1 : tensor<f16>, tensor<f16>
}

// -----

// A cast in the recurrence is a rounding, too.

// CHECK-LABEL: func.func @cast_each_time
// CHECK:         ^bb0(%[[A:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[SUM]], %[[A]] : f32
// CHECK-NEXT:      linalg.yield %[[NEW]] : f32
func.func @cast_each_time(%x: tensor<64xf32>, %s: tensor<bf16>) -> tensor<bf16> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<64xf32>) outs(%s : tensor<bf16>) {
  ^bb0(%a: f32, %sum: bf16):
    %wide = arith.extf %sum : bf16 to f32
    %new = arith.addf %wide, %a : f32
    %narrow = arith.truncf %new : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<bf16>
  return %r : tensor<bf16>
}

// -----

// A long sum of f32 is f64, its terms are not: nor are those of f16, which are
// rounded as written.

// CHECK-LABEL: func.func @long
// CHECK:         ^bb0(%{{.*}}: f16, %{{.*}}: f32):
// CHECK-NEXT:      arith.mulf %{{.*}} : f16
// CHECK-NEXT:      arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT:      arith.addf %{{.*}} : f32

// LONG-LABEL:  func.func @long
// LONG:          %[[START:.*]] = linalg.fill ins(%{{.*}} : f64)
// LONG:          %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[START]] : tensor<f64>)
// LONG-NEXT:     ^bb0(%[[A:.*]]: f16, %[[ACC:.*]]: f64):
// LONG-NEXT:       %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]] : f16
// LONG-NEXT:       %[[TERM:.*]] = arith.extf %[[SQUARE]] : f16 to f32
// LONG-NEXT:       %[[WIDE:.*]] = arith.extf %[[TERM]] : f32 to f64
// LONG-NEXT:       %[[NEW:.*]] = arith.addf %[[ACC]], %[[WIDE]] fastmath<reassoc> : f64
// LONG:          linalg.generic {{.*}} ins(%[[SUM]] : tensor<f64>)
// LONG:            arith.truncf %{{.*}} : f64 to f32
func.func @long(%x: tensor<13x5xf16>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<13x5xf16>) outs(%z : tensor<f32>) {
  ^bb0(%a: f16, %sum: f32):
    %square = arith.mulf %a, %a : f16
    %term = arith.extf %square : f16 to f32
    %new = arith.addf %sum, %term : f32
    linalg.yield %new : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Maxima, what is not accumulated, what depends on bits, integers, and matrix
// products stay.

// CHECK-LABEL: func.func @stay
// CHECK-NOT:     f32
// CHECK:         return
// LONG-LABEL:  func.func @stay
// LONG-NOT:      f32
// LONG-NOT:      f64
// LONG:          return
func.func @stay(%x: tensor<100xf16>, %m: tensor<f16>, %i: tensor<100xi32>, %n: tensor<i32>,
                %a: tensor<8x100xf16>, %b: tensor<100x8xf16>, %c: tensor<8x8xf16>)
    -> (tensor<f16>, tensor<100xf16>, tensor<f16>, tensor<i32>, tensor<8x8xf16>) {
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<100xf16>) outs(%m : tensor<f16>) dimensions = [0]
  %added = linalg.add ins(%x, %x : tensor<100xf16>, tensor<100xf16>) outs(%x : tensor<100xf16>) -> tensor<100xf16>
  %bits = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<100xf16>) outs(%m : tensor<f16>) {
  ^bb0(%e: f16, %old: f16):
    %sum = arith.addf %old, %e : f16
    %number = arith.bitcast %sum : f16 to i16
    %again = arith.bitcast %number : i16 to f16
    linalg.yield %again : f16
  } -> tensor<f16>
  %count = linalg.reduce {arith.addi} ins(%i : tensor<100xi32>) outs(%n : tensor<i32>) dimensions = [0]
  %product = linalg.matmul ins(%a, %b : tensor<8x100xf16>, tensor<100x8xf16>) outs(%c : tensor<8x8xf16>) -> tensor<8x8xf16>
  return %max, %added, %bits, %count, %product
    : tensor<f16>, tensor<100xf16>, tensor<f16>, tensor<i32>, tensor<8x8xf16>
}

// -----

// With a tile shape of its own, a product has its sums in memory, in f32.

// CHECK-LABEL: func.func @tiled
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<8x8xf32>) attrs = {{.*}}grout.tile_sizes = array<i64: 4, 4, 50>
// LONG-LABEL:  func.func @tiled
// LONG-NOT:      f64
func.func @tiled(%a: tensor<8x100xf16>, %b: tensor<100x8xf16>, %c: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %product = linalg.matmul {grout.tile_sizes = array<i64: 4, 4, 50>}
    ins(%a, %b : tensor<8x100xf16>, tensor<100x8xf16>) outs(%c : tensor<8x8xf16>) -> tensor<8x8xf16>
  return %product : tensor<8x8xf16>
}

// -----

// Of a softmax only the quotients are rounded.

// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg.softmax
// CHECK:         arith.maxnumf %{{.*}} : f32
// CHECK:         arith.subf %{{.*}} : f32
// CHECK-NEXT:    math.exp %{{.*}} : f32
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         %[[QUOTIENT:.*]] = arith.divf %{{.*}} : f32
// CHECK-NEXT:    arith.truncf %[[QUOTIENT]] : f32 to bf16

// LONG-LABEL:  func.func @softmax
// LONG:          math.exp %{{.*}} : f32
// LONG:          arith.addf %{{.*}} fastmath<reassoc> : f64
// LONG:          arith.divf %{{.*}} : f32
func.func @softmax(%x: tensor<4x1024xbf16>) -> tensor<4x1024xbf16> {
  %e = tensor.empty() : tensor<4x1024xbf16>
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x1024xbf16>) outs(%e : tensor<4x1024xbf16>) -> tensor<4x1024xbf16>
  return %y : tensor<4x1024xbf16>
}
