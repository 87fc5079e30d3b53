// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s

// Elementwise arithmetic in bf16 itself, and choices, need no function of a compiler's runtime.

// CHECK: result0: relative error {{.*}}: passes

#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<65x33xbf16>) -> tensor<65x33xbf16> {
  %e = tensor.empty() : tensor<65x33xbf16>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<65x33xbf16>) outs(%e : tensor<65x33xbf16>) {
  ^bb0(%a: bf16, %_: bf16):
    %s = arith.addf %a, %a : bf16
    %t = arith.mulf %s, %a : bf16
    %u = math.exp %t : bf16
    %p = arith.cmpf olt, %u, %a : bf16
    %v = arith.select %p, %u, %t : bf16
    %w = arith.maximumf %v, %a : bf16
    linalg.yield %w : bf16
  } -> tensor<65x33xbf16>
  return %y : tensor<65x33xbf16>
}
