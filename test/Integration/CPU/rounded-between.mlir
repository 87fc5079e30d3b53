// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=4 --check | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s --check-prefix=PLAN

// What is rounded to bf16 within a kernel is in no buffer, but decides how
// exact the result can be. The reference is rounded, too.

// CHECK: y: relative error 0, {{.*}}, tolerance 0.01 (bf16): passes
// PLAN:  launch.plan @rounded_between_reference inputs 1 reference of @rounded_between attributes {rounded_to = bf16}

func.func @rounded_between(%x: tensor<64x33xf32>)
    -> (tensor<64x33xf32> {grout.name = "y"}) {
  %e16 = tensor.empty() : tensor<64x33xbf16>
  %e32 = tensor.empty() : tensor<64x33xf32>
  %h = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x33xf32>) outs(%e16 : tensor<64x33xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x33xbf16>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x33xbf16>) outs(%e32 : tensor<64x33xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %t = arith.extf %a : bf16 to f32
    linalg.yield %t : f32
  } -> tensor<64x33xf32>
  return %y : tensor<64x33xf32>
}
