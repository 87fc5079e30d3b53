// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s
// RUN: grout-compile %s --emit=asm | FileCheck %s --check-prefix=ASM --implicit-check-not=__

// Arithmetic in bf16 and f16 themselves needs no function of a compiler's
// runtime: elementwise, in choices, and in values that stay in a register while
// a loop combines them; in kernels of scop and in tiles of linalg ops.

// CHECK: result0: relative error {{.*}}: passes
// CHECK: result1: relative error {{.*}}: passes
// CHECK: result2: relative error {{.*}}: passes
// CHECK: result3: relative error {{.*}}: passes
// ASM: f_chain0

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

func.func @f(%x: tensor<65x33xbf16>, %z: tensor<65x33xf16>)
    -> (tensor<65x33xbf16>, tensor<65xbf16>, tensor<65x33xf16>,
        tensor<65xbf16>) {
  %e = tensor.empty() : tensor<65x33xbf16>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<65x33xbf16>) outs(%e : tensor<65x33xbf16>) {
  ^bb0(%a: bf16, %_: bf16):
    %s = arith.addf %a, %a : bf16
    %t = math.fma %s, %a, %s : bf16
    %u = math.exp %t : bf16
    %p = arith.cmpf olt, %u, %a : bf16
    %v = arith.select %p, %u, %t : bf16
    %w = arith.maximumf %v, %a : bf16
    linalg.yield %w : bf16
  } -> tensor<65x33xbf16>
  %least = arith.constant 0xFF80 : bf16
  %r = tensor.empty() : tensor<65xbf16>
  %f = linalg.fill ins(%least : bf16) outs(%r : tensor<65xbf16>) -> tensor<65xbf16>
  %m = linalg.reduce {arith.maximumf} ins(%y : tensor<65x33xbf16>) outs(%f : tensor<65xbf16>) dimensions = [1]
  %eh = tensor.empty() : tensor<65x33xf16>
  %h = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<65x33xf16>) outs(%eh : tensor<65x33xf16>) {
  ^bb0(%a: f16, %_: f16):
    %s = math.fma %a, %a, %a : f16
    linalg.yield %s : f16
  } -> tensor<65x33xf16>
  %start = arith.constant dense<0xFF80> : tensor<65xbf16>
  %tile = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"],
                          grout.tile_sizes = array<i64: 16, 33>}
      ins(%x : tensor<65x33xbf16>) outs(%start : tensor<65xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %s = arith.maximumf %a, %b : bf16
    linalg.yield %s : bf16
  } -> tensor<65xbf16>
  return %y, %m, %h, %tile : tensor<65x33xbf16>, tensor<65xbf16>, tensor<65x33xf16>, tensor<65xbf16>
}
