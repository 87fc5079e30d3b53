// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// scores = q k^T, then scores v: batched, and with either operand stored
// transposed. One tile waits for tiles of its own batch only.

// CHECK: result0: relative error {{.*}}: passes

func.func @attention(%q: tensor<3x40x24xf32>, %k: tensor<3x56x24xf32>,
                     %v: tensor<3x56x24xf32>, %w: tensor<3x40x48xf32>)
    -> tensor<3x24x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<3x40x56xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x40x56xf32>)
    -> tensor<3x40x56xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                       affine_map<(b, m, n, k) -> (b, n, k)>,
                       affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<3x40x24xf32>, tensor<3x56x24xf32>)
      outs(%z1 : tensor<3x40x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x40x56xf32>
  %e2 = tensor.empty() : tensor<3x40x24xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3x40x24xf32>)
    -> tensor<3x40x24xf32>
  %o = linalg.batch_matmul
    ins(%s, %v : tensor<3x40x56xf32>, tensor<3x56x24xf32>)
    outs(%z2 : tensor<3x40x24xf32>) -> tensor<3x40x24xf32>
  %e3 = tensor.empty() : tensor<3x24x48xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3x24x48xf32>)
    -> tensor<3x24x48xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>,
                       affine_map<(b, m, n, k) -> (b, k, n)>,
                       affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%o, %w : tensor<3x40x24xf32>, tensor<3x40x48xf32>)
      outs(%z3 : tensor<3x24x48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x24x48xf32>
  return %t : tensor<3x24x48xf32>
}
