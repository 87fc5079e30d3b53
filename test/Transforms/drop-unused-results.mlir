// RUN: grout-opt %s --linalg-drop-unused-results --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A maximum and its index, of which only the maximum is used.

// CHECK-LABEL: func.func @maximum(
// CHECK:      %[[R:.*]] = linalg.generic
// CHECK-SAME:   outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[M:.*]]: f32):
// CHECK-NEXT:   %[[N:.*]] = arith.maximumf %[[X]], %[[M]] : f32
// CHECK-NEXT:   linalg.yield %[[N]] : f32
// CHECK-NEXT: } -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @maximum(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%m, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %max = arith.maximumf %in, %out : f32
    %more = arith.cmpf ogt, %in, %out : f32
    %new = arith.select %more, %k, %at : i64
    linalg.yield %max, %new : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The index depends on the maximum so far.

// CHECK-LABEL: func.func @index(
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xi64>)
func.func @index(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %i: tensor<4xi64>) -> tensor<4xi64> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%m, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %max = arith.maximumf %in, %out : f32
    %more = arith.cmpf ogt, %in, %out : f32
    %new = arith.select %more, %k, %at : i64
    linalg.yield %max, %new : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#1 : tensor<4xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// No operand but the unused output says how many iterations the second loop has.

// CHECK-LABEL: func.func @extent(
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4x8xf32>)
func.func @extent(%x: tensor<4xf32>, %s: tensor<4xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#row, #row, #id], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4xf32>) outs(%s, %y : tensor<4xf32>, tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32, %copy: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum, %in : f32, f32
  } -> (tensor<4xf32>, tensor<4x8xf32>)
  return %0#0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The last op is not read, so nor is the second result of the first.

// CHECK-LABEL: func.func @chained(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @chained(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %neg = arith.negf %in : f32
    linalg.yield %in, %neg : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0#1 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %a: f32):
    %neg = arith.negf %in : f32
    linalg.yield %neg : f32
  } -> tensor<4xf32>
  return %0#0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A region of an op in the body reads the output.

// CHECK-LABEL: func.func @read_in_region(
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
func.func @read_in_region(%x: tensor<4x8xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%a, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %largest: f32, %last: f32):
    %is_larger = arith.cmpf ogt, %in, %largest : f32
    %next = scf.if %is_larger -> f32 {
      %product = arith.mulf %last, %in : f32
      scf.yield %product : f32
    } else {
      scf.yield %largest : f32
    }
    linalg.yield %next, %in : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The body checks the output.

// CHECK-LABEL: func.func @checked(
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xi64>)
func.func @checked(%x: tensor<4x8xf32>, %a: tensor<4xf32>, %b: tensor<4xi64>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%a, %b : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %largest: f32, %count: i64):
    %c9 = arith.constant 9 : i64
    %c1 = arith.constant 1 : i64
    %is_small = arith.cmpi slt, %count, %c9 : i64
    cf.assert %is_small, "too many"
    %next = arith.maximumf %in, %largest : f32
    %more = arith.addi %count, %c1 : i64
    linalg.yield %next, %more : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0 : tensor<4xf32>
}
