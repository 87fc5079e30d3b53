// RUN: grout-opt %s --linalg-round-once --linalg-widen-residuals --split-input-file | FileCheck %s

// Two layers add to %x. The first sum is read by a norm, which widens it, and by
// the second sum: it is f32. The second one is read by the caller.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @residual(
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<8x16xbf16>, tensor<8x16xbf16>) outs(%{{.*}} : tensor<8x16xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: bf16, %[[Y:.*]]: bf16, %{{.*}}: f32):
// CHECK: %[[ADD:.*]] = arith.addf
// CHECK-NEXT: linalg.yield %[[ADD]] : f32
// CHECK-NOT: arith.extf
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<8x16xf32>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%[[COPY]] : tensor<8x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %arg2 : tensor<8x16xf32>, tensor<8x16xbf16>) outs(%{{.*}} : tensor<8x16xbf16>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @residual(%x: tensor<8x16xbf16>, %y: tensor<8x16xbf16>, %z: tensor<8x16xbf16>)
    -> (tensor<8xf32>, tensor<8x16xbf16>) {
  %e = tensor.empty() : tensor<8x16xbf16>
  %0 = linalg.add ins(%x, %y : tensor<8x16xbf16>, tensor<8x16xbf16>) outs(%e : tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %wide = tensor.empty() : tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x16xbf16>) outs(%wide : tensor<8x16xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %c = arith.extf %a : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%1 : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %2 = linalg.add ins(%0, %z : tensor<8x16xbf16>, tensor<8x16xbf16>) outs(%e : tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return %norm, %2 : tensor<8xf32>, tensor<8x16xbf16>
}

// -----

// Reshapes in between are f32, too.

// CHECK-LABEL: func.func @reshaped(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x16xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<8x16xf32> into tensor<2x4x16xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x4x16xf32>, tensor<2x4x16xf16>) outs(%{{.*}} : tensor<2x4x16xf16>)
func.func @reshaped(%x: tensor<8x16xf16>, %y: tensor<8x16xf16>, %z: tensor<2x4x16xf16>)
    -> (tensor<2x4x16xf16>, tensor<2x4x16xf16>) {
  %e = tensor.empty() : tensor<8x16xf16>
  %0 = linalg.add ins(%x, %y : tensor<8x16xf16>, tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) -> tensor<8x16xf16>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf16> into tensor<2x4x16xf16>
  %f = tensor.empty() : tensor<2x4x16xf16>
  %2 = linalg.add ins(%1, %z : tensor<2x4x16xf16>, tensor<2x4x16xf16>) outs(%f : tensor<2x4x16xf16>) -> tensor<2x4x16xf16>
  %3 = linalg.exp ins(%1 : tensor<2x4x16xf16>) outs(%f : tensor<2x4x16xf16>) -> tensor<2x4x16xf16>
  return %2, %3 : tensor<2x4x16xf16>, tensor<2x4x16xf16>
}

// -----

// A product multiplies the sum, in 16 bits: it stays.

// CHECK-LABEL: func.func @multiplied(
// CHECK-NOT: tensor<8x16xf32>
// CHECK: return
func.func @multiplied(%x: tensor<8x16xf16>, %y: tensor<8x16xf16>, %z: tensor<8x16xf16>, %w: tensor<16x16xf16>)
    -> (tensor<8x16xf16>, tensor<8x16xf16>) {
  %e = tensor.empty() : tensor<8x16xf16>
  %0 = linalg.add ins(%x, %y : tensor<8x16xf16>, tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) -> tensor<8x16xf16>
  %1 = linalg.add ins(%0, %z : tensor<8x16xf16>, tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) -> tensor<8x16xf16>
  %zero = arith.constant 0.0 : f16
  %init = linalg.fill ins(%zero : f16) outs(%e : tensor<8x16xf16>) -> tensor<8x16xf16>
  %2 = linalg.matmul ins(%0, %w : tensor<8x16xf16>, tensor<16x16xf16>) outs(%init : tensor<8x16xf16>) -> tensor<8x16xf16>
  return %1, %2 : tensor<8x16xf16>, tensor<8x16xf16>
}

// -----

// A comparison, a result of the function, and readers that do not add: it stays.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @compared(
// CHECK-NOT: tensor<8xf32>
// CHECK: return
func.func @compared(%x: tensor<8xf16>, %y: tensor<8xf16>, %z: tensor<8xf16>)
    -> (tensor<8xf16>, tensor<8xi1>) {
  %e = tensor.empty() : tensor<8xf16>
  %0 = linalg.add ins(%x, %y : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  %1 = linalg.add ins(%0, %z : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  %truth = tensor.empty() : tensor<8xi1>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %z : tensor<8xf16>, tensor<8xf16>) outs(%truth : tensor<8xi1>) {
  ^bb0(%a: f16, %b: f16, %c: i1):
    %d = arith.cmpf oeq, %a, %b : f16
    linalg.yield %d : i1
  } -> tensor<8xi1>
  return %1, %2 : tensor<8xf16>, tensor<8xi1>
}

// CHECK-LABEL: func.func @returned(
// CHECK-NOT: tensor<8xf32>
// CHECK: return
func.func @returned(%x: tensor<8xf16>, %y: tensor<8xf16>, %z: tensor<8xf16>)
    -> (tensor<8xf16>, tensor<8xf16>) {
  %e = tensor.empty() : tensor<8xf16>
  %0 = linalg.add ins(%x, %y : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  %1 = linalg.add ins(%0, %z : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  return %0, %1 : tensor<8xf16>, tensor<8xf16>
}

// CHECK-LABEL: func.func @exponentials(
// CHECK-NOT: tensor<8xf32>
// CHECK: return
func.func @exponentials(%x: tensor<8xf16>, %y: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf16>) {
  %e = tensor.empty() : tensor<8xf16>
  %0 = linalg.add ins(%x, %y : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  %1 = linalg.exp ins(%0 : tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  %2 = linalg.sqrt ins(%0 : tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  return %1, %2 : tensor<8xf16>, tensor<8xf16>
}
