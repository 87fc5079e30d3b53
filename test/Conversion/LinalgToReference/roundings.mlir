// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference --split-input-file | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference=strict-types --split-input-file | FileCheck %s --check-prefix=STRICT

// Operations on f16 are rounded, and so are casts; constants, and what rounds
// nothing but as a cast does, are exact. Those on f32 are infinite where f32 is,
// and else not rounded.

// CHECK-LABEL: func.func @elementwise_reference_kernel0
// CHECK:         %[[A:.*]] = llvm.load %{{.*}} -> f64
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK:         %[[SUM:.*]] = arith.addf %[[A]], %[[ONE]] : f64
// CHECK-NEXT:    %[[NARROW:.*]] = arith.truncf %[[SUM]] : f64 to f16
// CHECK-NEXT:    %[[ROUNDED:.*]] = arith.extf %[[NARROW]] : f16 to f64
// CHECK-NEXT:    %[[ROOT:.*]] = math.sqrt %[[ROUNDED]] : f64
// CHECK-NEXT:    %[[SIZE:.*]] = math.absf %[[ROOT]] : f64
// CHECK-NEXT:    %[[LIMIT:.*]] = arith.constant 3.402823{{[0-9]+}}E+38 : f64
// CHECK-NEXT:    %[[LARGE:.*]] = arith.cmpf oge, %[[SIZE]], %[[LIMIT]] : f64
// CHECK-NEXT:    %[[HUGE:.*]] = arith.constant 0x7FF0000000000000 : f64
// CHECK-NEXT:    %[[INFINITY:.*]] = math.copysign %[[HUGE]], %[[ROOT]] : f64
// CHECK-NEXT:    %[[KEPT:.*]] = arith.select %[[LARGE]], %[[INFINITY]], %[[ROOT]] : f64
// CHECK-NEXT:    %[[SQUARE:.*]] = arith.mulf %[[KEPT]], %[[KEPT]] : f64
// CHECK:         %[[PRODUCT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SQUARE]] : f64
// CHECK-NEXT:    arith.truncf %[[PRODUCT]] : f64 to bf16
func.func @elementwise(%x: tensor<4xf16>) -> tensor<4xbf16> {
  %one = arith.constant 1.0 : f16
  %e = tensor.empty() : tensor<4xbf16>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<4xf16>) outs(%e : tensor<4xbf16>) {
  ^bb0(%a: f16, %o: bf16):
    %sum = arith.addf %a, %one : f16
    %wide = arith.extf %sum : f16 to f32
    %root = math.sqrt %wide : f32
    %square = arith.mulf %root, %root : f32
    %narrow = arith.truncf %square : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}

// -----

// A sum is rounded when it is complete; with strict types, at each term.

// CHECK-LABEL:  func.func @rows_reference_kernel0
// CHECK:          %[[SUM:.*]] = scf.for
// CHECK-NOT:        arith.truncf
// CHECK:            scf.yield
// CHECK:          arith.truncf %[[SUM]] : f64 to bf16
// STRICT-LABEL: func.func @rows_reference_kernel0
// STRICT:         %[[SUM:.*]] = scf.for
// STRICT:           arith.truncf %{{.*}} : f64 to bf16
// STRICT:           scf.yield
// STRICT-NOT:     arith.truncf
// STRICT:         return
func.func @rows(%x: tensor<4x9xbf16>, %start: tensor<4xbf16>) -> tensor<4xbf16> {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x9xbf16>) outs(%start : tensor<4xbf16>) dimensions = [1]
  return %s : tensor<4xbf16>
}

// -----

// Sums of columns are in memory meanwhile.

// CHECK-LABEL:  func.func @columns_reference_kernel0
// CHECK:          scf.for
// CHECK:            llvm.store
// CHECK:          scf.for
// CHECK:            scf.for
// CHECK-NOT:          arith.truncf
// CHECK:              arith.addf
// CHECK-NOT:          arith.truncf
// CHECK:              llvm.store
// CHECK:          scf.for
// CHECK:            llvm.load
// CHECK:            arith.truncf %{{.*}} : f64 to bf16
// CHECK:            llvm.store
// CHECK:          return
func.func @columns(%x: tensor<9x4xbf16>, %start: tensor<4xbf16>) -> tensor<4xbf16> {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<9x4xbf16>) outs(%start : tensor<4xbf16>) dimensions = [0]
  return %s : tensor<4xbf16>
}

// -----

// Products are rounded when their sums are, with strict types, too.

// CHECK-LABEL:  func.func @product_reference_kernel0
// CHECK:          arith.mulf %{{.*}} : f64
// CHECK-NEXT:     arith.addf %{{.*}} : f64
// CHECK-NOT:      arith.truncf
// CHECK:          llvm.store
// CHECK:          arith.truncf %{{.*}} : f64 to f16
// STRICT-LABEL: func.func @product_reference_kernel0
// STRICT:         arith.mulf %{{.*}} : f64
// STRICT-NEXT:    arith.addf %{{.*}} : f64
// STRICT-NOT:     arith.truncf
// STRICT:         llvm.store
// STRICT:         arith.truncf %{{.*}} : f64 to f16
func.func @product(%a: tensor<4x9xf16>, %b: tensor<9x4xf16>, %c: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %y = linalg.matmul ins(%a, %b : tensor<4x9xf16>, tensor<9x4xf16>) outs(%c : tensor<4x4xf16>) -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// -----

// Of a softmax only the quotients are rounded; with strict types, everything.

// CHECK-LABEL:  module @softmax_reference_kernels
// CHECK-NOT:      arith.truncf
// CHECK:          %[[QUOTIENT:.*]] = arith.divf %{{.*}} : f64
// CHECK:          %[[KEPT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[QUOTIENT]] : f64
// CHECK-NEXT:     arith.truncf %[[KEPT]] : f64 to f16
// CHECK-NOT:      arith.truncf
// CHECK:        launch.plan
// STRICT-LABEL: module @softmax_reference_kernels
// STRICT:         %[[POWER:.*]] = math.exp %{{.*}} : f64
// STRICT-NEXT:    arith.truncf %[[POWER]] : f64 to f16
func.func @softmax(%x: tensor<4x9xf16>) -> tensor<4x9xf16> {
  %e = tensor.empty() : tensor<4x9xf16>
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x9xf16>) outs(%e : tensor<4x9xf16>) -> tensor<4x9xf16>
  return %y : tensor<4x9xf16>
}

// -----

// A product with a tile shape of its own is what it says.

// CHECK-LABEL:  func.func @tiled_reference_kernel0
// CHECK:          arith.mulf %{{.*}} : f64
// CHECK-NEXT:     arith.addf %{{.*}} : f64
// STRICT-LABEL: func.func @tiled_reference_kernel0
// STRICT:         %[[PRODUCT:.*]] = arith.mulf %{{.*}} : f64
// STRICT-NEXT:    arith.truncf %[[PRODUCT]] : f64 to f16
func.func @tiled(%a: tensor<4x9xf16>, %b: tensor<9x4xf16>, %c: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %y = linalg.matmul {grout.tile_sizes = array<i64: 4, 4, 9>}
    ins(%a, %b : tensor<4x9xf16>, tensor<9x4xf16>) outs(%c : tensor<4x4xf16>) -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
