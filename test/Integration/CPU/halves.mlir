// RUN: grout-compile %s --granularity=row --emit=mlir | FileCheck %s --check-prefix=TABLES
// RUN: grout-compile %s --granularity=row -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// Queries and keys are halves of one product whose tiles do not end in the
// middle, so that semaphores need different numbers of posts: a table of them
// for each half.

// TABLES-DAG: llvm.mlir.global internal constant @semaphore_counts(
// TABLES-DAG: llvm.mlir.global internal constant @semaphore_counts_{{[0-9]+}}(

// CHECK: result0: relative error {{.*}}: passes

func.func @scores(%x: tensor<328x136xf32>, %w: tensor<136x144xf32>)
    -> tensor<328x328xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<328x144xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<328x144xf32>)
    -> tensor<328x144xf32>
  %h = linalg.matmul ins(%x, %w : tensor<328x136xf32>, tensor<136x144xf32>)
    outs(%z1 : tensor<328x144xf32>) -> tensor<328x144xf32>
  %q = tensor.extract_slice %h[0, 0] [328, 72] [1, 1]
    : tensor<328x144xf32> to tensor<328x72xf32>
  %k = tensor.extract_slice %h[0, 72] [328, 72] [1, 1]
    : tensor<328x144xf32> to tensor<328x72xf32>
  %e2 = tensor.empty() : tensor<328x328xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<328x328xf32>)
    -> tensor<328x328xf32>
  %s = linalg.contract
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%q, %k : tensor<328x72xf32>, tensor<328x72xf32>)
    outs(%z2 : tensor<328x328xf32>) -> tensor<328x328xf32>
  return %s : tensor<328x328xf32>
}
