// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// y = (silu(x wg) * (x wu)) wd in bf16: two products of one input, one kernel.

// CHECK: result0: relative error {{.*}}, tolerance 0.01 (bf16): passes

#id = affine_map<(i, j) -> (i, j)>

func.func @gated(%x: tensor<65x128xbf16>, %wg: tensor<128x160xbf16>,
                 %wu: tensor<128x160xbf16>, %wd: tensor<160x128xbf16>)
    -> tensor<65x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<65x160xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<65x160xf32>)
    -> tensor<65x160xf32>
  %g = linalg.matmul ins(%x, %wg : tensor<65x128xbf16>, tensor<128x160xbf16>)
    outs(%z : tensor<65x160xf32>) -> tensor<65x160xf32>
  %u = linalg.matmul ins(%x, %wu : tensor<65x128xbf16>, tensor<128x160xbf16>)
    outs(%z : tensor<65x160xf32>) -> tensor<65x160xf32>
  %eh = tensor.empty() : tensor<65x160xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<65x160xf32>, tensor<65x160xf32>)
      outs(%eh : tensor<65x160xbf16>) {
  ^bb0(%a: f32, %b: f32, %_: bf16):
    %n = arith.negf %a : f32
    %x1 = math.exp %n : f32
    %d = arith.addf %x1, %one : f32
    %silu = arith.divf %a, %d : f32
    %m = arith.mulf %silu, %b : f32
    %cast = arith.truncf %m : f32 to bf16
    linalg.yield %cast : bf16
  } -> tensor<65x160xbf16>
  %e2 = tensor.empty() : tensor<65x128xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<65x128xf32>)
    -> tensor<65x128xf32>
  %p = linalg.matmul ins(%h, %wd : tensor<65x160xbf16>, tensor<160x128xbf16>)
    outs(%z2 : tensor<65x128xf32>) -> tensor<65x128xf32>
  %ey = tensor.empty() : tensor<65x128xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<65x128xf32>) outs(%ey : tensor<65x128xbf16>) {
  ^bb0(%a: f32, %_: bf16):
    %cast = arith.truncf %a : f32 to bf16
    linalg.yield %cast : bf16
  } -> tensor<65x128xbf16>
  return %y : tensor<65x128xbf16>
}
