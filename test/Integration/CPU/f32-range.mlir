// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=2 --check | FileCheck %s

// The reference, in f64, is infinite where f32 is; but for sums that are not
// complete, which are of f64 in compiled code, too, if they are long.

// CHECK: reciprocals: f32[300], min 0, max 0, mean 0
// CHECK: sums: f32[300], {{.*}} elements NaN or infinite
// CHECK: reciprocals: relative error 0, {{.*}}: passes
// CHECK: sums: relative error {{[0-9.e-]+}}, largest absolute error {{[0-9.e+]+}}, tolerance {{.*}}: passes

#id = affine_map<(i) -> (i)>
#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%x: tensor<300xf32>, %y: tensor<300x200xf32>)
    -> (tensor<300xf32> {grout.name = "reciprocals"}, tensor<300xf32> {grout.name = "sums"}) {
  %tiny = arith.constant 1.0e-45 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<300xf32>
  %reciprocals = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<300xf32>) outs(%e : tensor<300xf32>) {
  ^bb0(%a: f32, %_: f32):
    %size = math.absf %a : f32
    %above = arith.addf %size, %one : f32
    %huge = arith.divf %above, %tiny : f32
    %zero = arith.divf %one, %huge : f32
    linalg.yield %zero : f32
  } -> tensor<300xf32>
  %start = arith.constant 0.0 : f32
  %z = linalg.fill ins(%start : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %unit = arith.constant 3.0e38 : f32
  %sums = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<300x200xf32>) outs(%z : tensor<300xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %term = arith.mulf %a, %unit : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<300xf32>
  return %reciprocals, %sums : tensor<300xf32>, tensor<300xf32>
}
