// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --granularity=tile -o %t.tile.grout
// RUN: grout-run %t.tile.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// Queries and keys are slices of one product, and heads are a reshape of it:
// tiles read parts of rows, with strides.

// CHECK: scores: relative error {{.*}}: passes

func.func @scores(%x: tensor<2x50x96xf32>, %w: tensor<96x144xf32>)
    -> (tensor<50x50xf32> {grout.name = "scores"}) {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]]
    : tensor<2x50x96xf32> into tensor<100x96xf32>
  %e1 = tensor.empty() : tensor<100x144xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<100x144xf32>)
    -> tensor<100x144xf32>
  %qkv = linalg.matmul ins(%rows, %w : tensor<100x96xf32>, tensor<96x144xf32>)
    outs(%z1 : tensor<100x144xf32>) -> tensor<100x144xf32>
  %q = tensor.extract_slice %qkv[50, 0] [50, 48] [1, 1]
    : tensor<100x144xf32> to tensor<50x48xf32>
  %k = tensor.extract_slice %qkv[50, 48] [50, 48] [1, 1]
    : tensor<100x144xf32> to tensor<50x48xf32>
  %e2 = tensor.empty() : tensor<50x50xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<50x50xf32>)
    -> tensor<50x50xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                      affine_map<(m, n, k) -> (n, k)>,
                                      affine_map<(m, n, k) -> (m, n)>]
    ins(%q, %k : tensor<50x48xf32>, tensor<50x48xf32>)
    outs(%z2 : tensor<50x50xf32>) -> tensor<50x50xf32>
  return %s : tensor<50x50xf32>
}
