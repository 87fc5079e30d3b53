// RUN: grout-opt %s --convert-linalg-to-scop --canonicalize --split-input-file | FileCheck %s

// Padding is one statement over all of the result. Outside of what is padded,
// the indices wrap around, and what is read there is not selected.

// CHECK-LABEL: func.func @pad(
// CHECK-SAME:    %[[X:.*]]: tensor<6x5x4xf32>
// CHECK:         scop.kernel ins(%[[X]] :
// CHECK:           scop.stmt @S0 domain [9, 8, 4] reads(%{{.*}}[(d0, d1, d2) -> ((d0 - 1) mod 6, d1 mod 5, d2)] : memref<6x5x4xf32>) writes(%{{.*}}[(d0, d1, d2) -> (d0, d1, d2)] : memref<9x8x4xf32>)
// CHECK-NEXT:      ^bb0(%[[ELEMENT:.*]]: f32):
// CHECK-DAG:         %[[SEVEN:.*]] = arith.constant 7.0
// CHECK-DAG:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:         %[[I:.*]] = scop.index 0
// CHECK-DAG:         %[[SHIFTED:.*]] = arith.subi %[[I]], %[[ONE]]
// CHECK-DAG:         %[[A:.*]] = arith.cmpi ult, %[[SHIFTED]], %c6
// CHECK-DAG:         %[[J:.*]] = scop.index 1
// CHECK-DAG:         %[[B:.*]] = arith.cmpi ult, %[[J]], %c5
// CHECK:             %[[INSIDE:.*]] = arith.andi %[[A]], %[[B]]
// CHECK:             %[[Y:.*]] = arith.select %[[INSIDE]], %[[ELEMENT]], %[[SEVEN]]
// CHECK:             scop.yield %[[Y]]
// CHECK-NOT:       scop.stmt
func.func @pad(%x: tensor<6x5x4xf32>) -> tensor<9x8x4xf32> {
  %0 = tensor.pad %x low[1, 0, 0] high[2, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    %seven = arith.constant 7.0 : f32
    tensor.yield %seven : f32
  } : tensor<6x5x4xf32> to tensor<9x8x4xf32>
  return %0 : tensor<9x8x4xf32>
}

// -----

// A value of the function pads, and what is padded is in the kernel, too.

// CHECK-LABEL: func.func @fused_pad(
// CHECK:         scop.kernel
// CHECK:           %[[H:.*]] = scop.local : memref<4xi32>
// CHECK:           scop.stmt @S0
// CHECK:           scop.stmt @S1 domain [6] reads(%[[H]][(d0) -> ((d0 - 2) mod 4)] : memref<4xi32>)
func.func @fused_pad(%x: tensor<4xi32>, %v: i32) -> tensor<6xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %h = linalg.add ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %0 = tensor.pad %h low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : i32
  } : tensor<4xi32> to tensor<6xi32>
  return %0 : tensor<6xi32>
}

// -----

// Slices are accesses, of what is in the kernel and of what is outside.

// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:.*]]: tensor<6x16xf32>, %[[Y:.*]]: tensor<9xf32>
// CHECK-NOT:     tensor.extract_slice
// CHECK:         scop.kernel ins(%[[X]], %[[Y]] :
// CHECK:         ^bb0(%{{.*}}: memref<6x16xf32>, %[[OUTSIDE:.*]]: memref<9xf32>,
// CHECK:           %[[H:.*]] = scop.local : memref<6x16xf32>
// CHECK:           scop.stmt @S1 domain [5] reads(%[[H]][(d0) -> (2, d0 * 3 + 1)] : memref<6x16xf32>, %[[OUTSIDE]][(d0) -> (d0 + 4)] : memref<9xf32>)
// CHECK-NOT:     tensor.extract_slice
func.func @slices(%x: tensor<6x16xf32>, %y: tensor<9xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<6x16xf32>
  %h = linalg.exp ins(%x : tensor<6x16xf32>) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  %a = tensor.extract_slice %h[2, 1] [1, 5] [1, 3] : tensor<6x16xf32> to tensor<5xf32>
  %b = tensor.extract_slice %y[4] [5] [1] : tensor<9xf32> to tensor<5xf32>
  %f = tensor.empty() : tensor<5xf32>
  %0 = linalg.add ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// What starts from a slice does not write into what it is a slice of.

// CHECK-LABEL: func.func @start(
// CHECK:         scop.kernel
// CHECK-DAG:       %[[H:.*]] = scop.local : memref<4x8xf32>
// CHECK:           scop.stmt @S0 {{.*}} writes(%[[H]]
// CHECK:           scop.stmt @S1 domain [4] reads(%[[H]][(d0) -> (d0, 0)] : memref<4x8xf32>) writes(%[[SUM:.*]][(d0) -> (d0)]
// CHECK:           scop.stmt @S2 domain [4, 8] reads(%[[H]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %[[SUM]][(d0, d1) -> (d0)]
func.func @start(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %h = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = tensor.extract_slice %h[0, 0] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4xf32>
  %0 = linalg.reduce {arith.addf} ins(%h : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// An insertion selects between two tensors; what is inserted into nothing needs
// no selection, and what is inserted into one value no tensor of it.

// CHECK-LABEL: func.func @insert(
// CHECK:         scop.kernel
// CHECK:           scop.stmt @S0 domain [6, 20] reads(%{{.*}}[(d0, d1) -> (((d1 - 3) floordiv 2) mod 6)] : memref<6xf32>, %{{.*}}[(d0, d1) -> (d0, d1)] : memref<6x20xf32>)
// CHECK:             arith.remui
// CHECK:             arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
func.func @insert(%v: tensor<6xf32>, %y: tensor<6x20xf32>) -> tensor<6x20xf32> {
  %0 = tensor.insert_slice %v into %y[4, 3] [1, 6] [1, 2] : tensor<6xf32> into tensor<6x20xf32>
  return %0 : tensor<6x20xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK:         scop.kernel
// CHECK:           scop.stmt @S0 domain [6, 17] reads(%{{.*}}[(d0, d1) -> (d0, d1 mod 16)] : memref<6x16xf32>)
// CHECK-NOT:         arith.select
// CHECK:           scop.stmt @S1 domain [6, 17] reads(%{{.*}}[(d0, d1) -> (d0)] : memref<6xf32>, %{{.*}}[(d0, d1) -> (d0, d1)] : memref<6x17xf32>)
// CHECK:             arith.select
func.func @concat(%x: tensor<6x16xf32>, %v: tensor<6xf32>) -> tensor<6x17xf32> {
  %e = tensor.empty() : tensor<6x17xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [6, 16] [1, 1] : tensor<6x16xf32> into tensor<6x17xf32>
  %1 = tensor.insert_slice %v into %0[0, 16] [6, 1] [1, 1] : tensor<6xf32> into tensor<6x17xf32>
  return %1 : tensor<6x17xf32>
}

// CHECK-LABEL: func.func @insert_into_value(
// CHECK:         scop.kernel ins(%{{.*}} : tensor<3xf32>)
// CHECK:           scop.stmt @S0 domain [8] reads(%{{.*}}[(d0) -> ((d0 - 2) mod 3)] : memref<3xf32>)
// CHECK:             arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK-NOT:       scop.stmt
func.func @insert_into_value(%v: tensor<3xf32>) -> tensor<8xf32> {
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%seven : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = tensor.insert_slice %v into %f[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Of a tensor of rank 0 the only element is read, whatever it had before.

// CHECK-LABEL: func.func @collapse_to_one(
// CHECK:         scop.stmt @S1 domain [] reads(%{{.*}}[() -> (0, 0)] : memref<1x1xf32>)
func.func @collapse_to_one(%x: tensor<1x1xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<1x1xf32>
  %0 = linalg.exp ins(%x : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>)
    -> tensor<1x1xf32>
  %1 = tensor.collapse_shape %0 [] : tensor<1x1xf32> into tensor<f32>
  %f = tensor.empty() : tensor<f32>
  %2 = linalg.abs ins(%1 : tensor<f32>) outs(%f : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
