// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --mode=serial -o %t.serial.grout
// RUN: grout-run %t.serial.grout --device=cpu --workers=8 --check | FileCheck %s

// Attention without the maximum: products of tgemm in one chain with ops of
// another dialect, which take part by TileKernelOpInterface. The sum is cut
// along its reduction, too.

// CHECK: result0: relative error {{.*}}: passes
// CHECK: result1: relative error {{.*}}: passes

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @attention(%q: tensor<60x32xf32>, %k: tensor<32x72xf32>,
                     %v: tensor<72x40xf32>)
    -> (tensor<60x40xf32>, tensor<40x60xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums0 = arith.constant dense<0.0> : tensor<60xf32>
  %e1 = tensor.empty() : tensor<60x72xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<60x72xf32>)
    -> tensor<60x72xf32>
  %s = linalg.matmul ins(%q, %k : tensor<60x32xf32>, tensor<32x72xf32>)
    outs(%z1 : tensor<60x72xf32>) -> tensor<60x72xf32>
  %x = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<60x72xf32>) outs(%e1 : tensor<60x72xf32>) {
  ^bb0(%a: f32, %_: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<60x72xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row],
                          iterator_types = ["parallel", "reduction"],
                          grout.tile_sizes = array<i64: 7, 40>}
      ins(%x : tensor<60x72xf32>) outs(%sums0 : tensor<60xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<60xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id],
                       iterator_types = ["parallel", "parallel"],
                       grout.tile_sizes = array<i64: 16, 72>}
      ins(%x, %sums : tensor<60x72xf32>, tensor<60xf32>)
      outs(%e1 : tensor<60x72xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<60x72xf32>
  %e2 = tensor.empty() : tensor<60x40xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<60x40xf32>)
    -> tensor<60x40xf32>
  %o = linalg.matmul ins(%p, %v : tensor<60x72xf32>, tensor<72x40xf32>)
    outs(%z2 : tensor<60x40xf32>) -> tensor<60x40xf32>
  %e3 = tensor.empty() : tensor<40x60xf32>
  %t = linalg.transpose ins(%o : tensor<60x40xf32>)
    outs(%e3 : tensor<40x60xf32>) permutation = [1, 0]
    {grout.tile_sizes = array<i64: 16, 16>}
  return %o, %t : tensor<60x40xf32>, tensor<40x60xf32>
}
