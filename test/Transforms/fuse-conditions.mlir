// RUN: grout-opt %s --linalg-fuse-conditions --split-input-file | FileCheck %s

// A maximum that keeps what is no number is four ops, and becomes one.

// CHECK-LABEL: @maximum
// CHECK:         linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<8x16xf16>, tensor<8x16xf16>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16, %{{.*}}: f16):
// CHECK-DAG:       %[[IS_LESS:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK-DAG:       %[[IS_NAN:.*]] = arith.cmpf une, %[[A]], %[[A]]
// CHECK:           %[[IS_A:.*]] = arith.ori %[[IS_LESS]], %[[IS_NAN]]
// CHECK-NEXT:      arith.select %[[IS_A]], %[[A]], %[[B]]
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @maximum(%a: tensor<8x16xf16>, %b: tensor<8x16xf16>) -> tensor<8x16xf16> {
  %truths = tensor.empty() : tensor<8x16xi1>
  %empty = tensor.empty() : tensor<8x16xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<8x16xf16>, tensor<8x16xf16>) outs(%truths : tensor<8x16xi1>) {
  ^bb0(%x: f16, %y: f16, %out: i1):
    %4 = arith.cmpf ogt, %x, %y : f16
    linalg.yield %4 : i1
  } -> tensor<8x16xi1>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x16xf16>) outs(%truths : tensor<8x16xi1>) {
  ^bb0(%x: f16, %out: i1):
    %4 = arith.cmpf une, %x, %x : f16
    linalg.yield %4 : i1
  } -> tensor<8x16xi1>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<8x16xi1>, tensor<8x16xi1>) outs(%truths : tensor<8x16xi1>) {
  ^bb0(%x: i1, %y: i1, %out: i1):
    %4 = arith.ori %x, %y : i1
    linalg.yield %4 : i1
  } -> tensor<8x16xi1>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2, %a, %b : tensor<8x16xi1>, tensor<8x16xf16>, tensor<8x16xf16>) outs(%empty : tensor<8x16xf16>) {
  ^bb0(%c: i1, %x: f16, %y: f16, %out: f16):
    %4 = arith.select %c, %x, %y : f16
    linalg.yield %4 : f16
  } -> tensor<8x16xf16>
  return %3 : tensor<8x16xf16>
}

// -----

// What two ops read, or what is tiled, or a value that is no truth, stays.

// CHECK-LABEL: @stays
// CHECK-COUNT-5: linalg.generic
#id = affine_map<(d0) -> (d0)>
func.func @stays(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %truths = tensor.empty() : tensor<8xi1>
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%truths : tensor<8xi1>) {
  ^bb0(%x: f32, %y: f32, %out: i1):
    %5 = arith.cmpf ogt, %x, %y : f32
    linalg.yield %5 : i1
  } -> tensor<8xi1>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %a, %b : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%c: i1, %x: f32, %y: f32, %out: f32):
    %5 = arith.select %c, %x, %y : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %b, %a : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%c: i1, %x: f32, %y: f32, %out: f32):
    %5 = arith.select %c, %x, %y : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%truths : tensor<8xi1>) attrs = {grout.tile_sizes = array<i64: 4>} {
  ^bb0(%x: f32, %out: i1):
    %5 = arith.cmpf une, %x, %x : f32
    linalg.yield %5 : i1
  } -> tensor<8xi1>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%3, %b, %a : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%c: i1, %x: f32, %y: f32, %out: f32):
    %5 = arith.select %c, %x, %y : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  return %1, %2, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
