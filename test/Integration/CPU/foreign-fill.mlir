// RUN: grout-compile %s --explain -o %t.grout | FileCheck %s --check-prefix=CHAIN
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --granularity=tile -o %t.tile.grout
// RUN: grout-run %t.tile.grout --device=cpu --workers=3 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --mode=serial -o %t.serial.grout
// RUN: grout-run %t.serial.grout --device=cpu --workers=8 --check | FileCheck %s

// A product that has a tile shape of its own stays in linalg, between products
// of tgemm, and all are one chain: the fills that it and the maximum of its
// columns start from are part of their kernels.

// CHAIN:     chain 0, mode persistent
// CHAIN:       kernel matmul0 (tgemm.matmul)
// CHAIN:       kernel matmul1 (linalg.matmul)
// CHAIN:       kernel generic2 (linalg.generic)
// CHAIN:       kernel matmul3 (tgemm.matmul)
// CHAIN:       edge matmul0 -> matmul1 (operand 0)
// CHAIN:       edge matmul1 -> matmul3 (operand 0)
// CHAIN-NOT: chain 1

// CHECK: result0: relative error {{.*}}: passes
// CHECK: result1: relative error {{.*}}: passes

func.func @products(%x: tensor<60x48xf32>, %w1: tensor<48x72xf32>,
                    %w2: tensor<72x40xf32>, %w3: tensor<40x56xf32>)
    -> (tensor<60x56xf32>, tensor<40xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<60x72xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<60x72xf32>)
    -> tensor<60x72xf32>
  %a = linalg.matmul ins(%x, %w1 : tensor<60x48xf32>, tensor<48x72xf32>)
    outs(%z1 : tensor<60x72xf32>) -> tensor<60x72xf32>
  %e2 = tensor.empty() : tensor<60x40xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<60x40xf32>)
    -> tensor<60x40xf32>
  %b = linalg.matmul {grout.tile_sizes = array<i64: 16, 20, 24>}
    ins(%a, %w2 : tensor<60x72xf32>, tensor<72x40xf32>)
    outs(%z2 : tensor<60x40xf32>) -> tensor<60x40xf32>
  // A reshaped fill.
  %lowest = arith.constant -1.0e4 : f32
  %e3 = tensor.empty() : tensor<5x8xf32>
  %z3 = linalg.fill ins(%lowest : f32) outs(%e3 : tensor<5x8xf32>)
    -> tensor<5x8xf32>
  %z4 = tensor.collapse_shape %z3 [[0, 1]]
    : tensor<5x8xf32> into tensor<40xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (j)>],
                       iterator_types = ["reduction", "parallel"],
                       grout.tile_sizes = array<i64: 32, 8>}
      ins(%b : tensor<60x40xf32>) outs(%z4 : tensor<40xf32>) {
  ^bb0(%v: f32, %most: f32):
    %t = arith.maximumf %v, %most : f32
    linalg.yield %t : f32
  } -> tensor<40xf32>
  %e5 = tensor.empty() : tensor<60x56xf32>
  %z5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<60x56xf32>)
    -> tensor<60x56xf32>
  %c = linalg.matmul ins(%b, %w3 : tensor<60x40xf32>, tensor<40x56xf32>)
    outs(%z5 : tensor<60x56xf32>) -> tensor<60x56xf32>
  return %c, %m : tensor<60x56xf32>, tensor<40xf32>
}
