// RUN: grout-opt %s --linalg-insert-results | FileCheck %s
// RUN: grout-compile %s --target=h200 -o %t.h200 && grout-run %t.h200 --info > /dev/null
// RUN: grout-compile %s --target=cpu -o %t.cpu
// RUN: grout-run %t.cpu --device=cpu --check | FileCheck %s --check-prefix=PASS

// PASS-COUNT-5: passes

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @parts
// CHECK-SAME: %[[A:.*]]: tensor<4x5xf32>, %[[B:.*]]: tensor<10x12xf32>
func.func @parts(%a: tensor<4x5xf32>, %b: tensor<10x12xf32>)
    -> (tensor<10x12xf32>, tensor<10x12xf32>, tensor<2x4xf32>, tensor<10x12xf32>,
        tensor<4x5xf32>) {
  // Offsets and strides, of a transposed result.
  // CHECK: %[[E0:.*]] = tensor.empty() : tensor<5x4xf32>
  // CHECK: %[[R0:.*]] = linalg.generic
  // CHECK-SAME: outs(%[[E0]] : tensor<5x4xf32>)
  // CHECK: %[[I0:.*]] = tensor.insert_slice %[[R0]] into %[[B]][1, 2] [5, 4] [2, 3] : tensor<5x4xf32> into tensor<10x12xf32>
  %0 = linalg.generic {
      indexing_maps = [#id, affine_map<(d0, d1) -> (d1 * 2 + 1, d0 * 3 + 2)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x5xf32>) outs(%b : tensor<10x12xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<10x12xf32>

  // What an op reads of its output is a slice of it.
  // CHECK: %[[S1:.*]] = tensor.extract_slice %[[I0]][6, 7] [4, 5] [1, 1] : tensor<10x12xf32> to tensor<4x5xf32>
  // CHECK: %[[R1:.*]] = linalg.generic
  // CHECK-SAME: outs(%[[S1]] : tensor<4x5xf32>)
  // CHECK: tensor.insert_slice %[[R1]] into %[[I0]][6, 7] [4, 5] [1, 1]
  %1 = linalg.generic {
      indexing_maps = [#id, affine_map<(d0, d1) -> (d0 + 6, d1 + 7)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x5xf32>) outs(%0 : tensor<10x12xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<10x12xf32>

  // Constants, of a sum over the other loop. A part of what is filled is filled.
  // CHECK: %[[S2:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4xf32>)
  // CHECK: %[[R2:.*]] = linalg.generic
  // CHECK-SAME: outs(%[[S2]] : tensor<4xf32>)
  // CHECK: tensor.insert_slice %[[R2]] into %{{.*}}[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  %c1 = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %ones = linalg.fill ins(%c1 : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = linalg.generic {
      indexing_maps = [#id, affine_map<(d0, d1) -> (1, d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x5xf32>) outs(%ones : tensor<2x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<2x4xf32>

  // One of two results.
  // CHECK: %[[R3:.*]]:2 = linalg.generic
  // CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4x5xf32>, tensor<4x5xf32>)
  // CHECK: %[[I3:.*]] = tensor.insert_slice %[[R3]]#0 into %[[B]][5, 0]
  // CHECK: return {{.*}}, %[[I3]], %[[R3]]#1
  %f = tensor.empty() : tensor<4x5xf32>
  %3:2 = linalg.generic {
      indexing_maps = [#id, affine_map<(d0, d1) -> (d0 + 5, d1 * 2)>, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x5xf32>) outs(%b, %f : tensor<10x12xf32>, tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %double = arith.addf %x, %x : f32
    linalg.yield %x, %double : f32, f32
  } -> (tensor<10x12xf32>, tensor<4x5xf32>)
  return %0, %1, %2, %3#0, %3#1
    : tensor<10x12xf32>, tensor<10x12xf32>, tensor<2x4xf32>, tensor<10x12xf32>,
      tensor<4x5xf32>
}
