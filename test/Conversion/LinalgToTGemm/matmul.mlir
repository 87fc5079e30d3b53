// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f32
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x16xf32>, %[[B:[a-z0-9]+]]: tensor<16x32xf32>
// CHECK-NEXT: %[[R:.*]] = tgemm.matmul %[[A]], %[[B]] : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
// CHECK-NEXT: return %[[R]]
func.func @f32(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Zero as a constant; f16 accumulated in f32.
// CHECK-LABEL: func.func @widening
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} : tensor<8x16xf16>, tensor<16x32xf16> -> tensor<8x32xf32>
func.func @widening(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A sum in bf16 is made in f32 and rounded once.
// CHECK-LABEL: func.func @narrow_sum
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} : tensor<8x16xbf16>, tensor<16x32xbf16> -> tensor<8x32xbf16>
// CHECK-NEXT: return
func.func @narrow_sum(%a: tensor<8x16xbf16>, %b: tensor<16x32xbf16>) -> tensor<8x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8x32xbf16>
  // A fill by another name.
  %init = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%zero : bf16) outs(%empty : tensor<8x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<8x32xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%init : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  return %0 : tensor<8x32xbf16>
}

// -----

// What a sum starts from is added once, in f32.
// CHECK: #[[ELEMENT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @accumulate
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<8x32xf16>)
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} epilogue(%[[C]] : tensor<8x32xf16>) {epilogue_maps = [#[[ELEMENT]]]}
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[INIT:.*]]: f16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[INIT]] : f16 to f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[WIDE]] : f32
// CHECK-NEXT: %[[OUT:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK-NEXT: tgemm.yield %[[OUT]] : f16
func.func @accumulate(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>, %c: tensor<8x32xf16>) -> tensor<8x32xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%c : tensor<8x32xf16>) -> tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}

// -----

// A sum that starts from another product: two ops, one feeds the other.
// CHECK-LABEL: func.func @accumulate_product
// CHECK: %[[FIRST:.*]] = tgemm.matmul %{{.*}}, %{{.*}} : tensor<8x16xf32>
// CHECK: tgemm.matmul %{{.*}}, %{{.*}} epilogue(%[[FIRST]] : tensor<8x32xf32>)
// CHECK: arith.addf
func.func @accumulate_product(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%a, %c : tensor<8x16xf32>, tensor<16x32xf32>) outs(%0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

// CHECK-LABEL: func.func @accumulate_constant
// CHECK: ^bb0(%[[ACC:.*]]: f32):
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: arith.addf %[[ACC]], %[[ONE]] : f32
func.func @accumulate_constant(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<1.0> : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Both layers of an MLP, also inside a loop.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: %[[H:.*]] = tgemm.matmul
// CHECK: %[[O:.*]] = tgemm.matmul %[[H]], %{{.*}}
// CHECK: scf.yield %[[O]]
// CHECK-NOT: linalg
func.func @nested(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant dense<0.0> : tensor<8x8xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<8x8xf32> {
    %h = linalg.matmul ins(%y, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
    %o = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %o : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}
