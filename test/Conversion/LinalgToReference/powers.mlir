// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference --split-input-file --verify-diagnostics | FileCheck %s

// Powers with an exponent that is known are products on a GPU.

// CHECK-LABEL: gpu.module @cube_reference_kernels
// CHECK-NOT:     math.
// CHECK:         %[[SQUARE:.+]] = arith.mulf %[[X:.+]], %[[X]] : f32
// CHECK-NEXT:    arith.mulf %[[SQUARE]], %[[X]] : f32
// CHECK-NOT:     math.
// CHECK-LABEL: launch.plan @cube_reference
#id = affine_map<(i) -> (i)>
func.func @cube(%x: tensor<24xf32>) -> tensor<24xf32> {
  %three = arith.constant 3 : i64
  %empty = tensor.empty() : tensor<24xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<24xf32>) outs(%empty : tensor<24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %power = math.fpowi %in, %three : f32, i64
    linalg.yield %power : f32
  } -> tensor<24xf32>
  return %y : tensor<24xf32>
}

// -----

// Others are exponentials of logarithms.

// CHECK-LABEL: gpu.module @power_reference_kernels
// CHECK-NOT:     math.powf
// CHECK-LABEL: launch.plan @power_reference
#id = affine_map<(i) -> (i)>
func.func @power(%x: tensor<24xf32>) -> tensor<24xf32> {
  %base = arith.constant 1.0e+04 : f32
  %empty = tensor.empty() : tensor<24xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<24xf32>) outs(%empty : tensor<24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %power = math.powf %base, %in : f32
    linalg.yield %power : f32
  } -> tensor<24xf32>
  return %y : tensor<24xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @unknown(%x: tensor<24xf32>, %n: tensor<24xi32>) -> tensor<24xf32> {
  %empty = tensor.empty() : tensor<24xf32>
  // expected-remark @+1 {{there will be no reference to check 'unknown' against: 'math.fpowi' has no code for a GPU}}
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %n : tensor<24xf32>, tensor<24xi32>) outs(%empty : tensor<24xf32>) {
  ^bb0(%in: f32, %exponent: i32, %out: f32):
    %power = math.fpowi %in, %exponent : f32, i32
    linalg.yield %power : f32
  } -> tensor<24xf32>
  return %y : tensor<24xf32>
}
