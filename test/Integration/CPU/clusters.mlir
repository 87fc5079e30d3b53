// REQUIRES: grout-compile, grout-run
// RUN: split-file %s %t
// RUN: grout-compile %t/linalg.mlir -o %t/linalg.grout
// RUN: grout-run %t/linalg.grout --device=cpu --workers=4 --check --output y=%t/linalg.npy | FileCheck %s
// RUN: grout-compile %t/clusters.mlir --no-reference --granularity=tile --explain -o %t/clusters.grout | FileCheck %s --check-prefix=EXPLAIN
// RUN: grout-run %t/clusters.grout --device=cpu --workers=5 --repeat=20 --output y=%t/clusters.npy | FileCheck %s --check-prefix=EQUAL
// RUN: cmp %t/linalg.npy %t/clusters.npy
// RUN: sed 's/stages = 4, .*>/stages = 4>/' %t/clusters.mlir > %t/single.mlir
// RUN: not grep 'cluster_m\|cluster_n\|split_k' %t/single.mlir
// RUN: grout-compile %t/single.mlir --no-reference --granularity=tile --emit=llvm > %t/single.ll
// RUN: grout-compile %t/clusters.mlir --no-reference --granularity=tile --emit=llvm > %t/clusters.ll
// RUN: cmp %t/single.ll %t/clusters.ll

// A CPU has no clusters. Tilings that have them, and would not even go together
// on a GPU, make the same code as those without, and the results are bit by bit
// those that are checked against plain products.

// CHECK: y: relative error {{.*}}: passes
// EQUAL: 19 runs: all bitwise equal
// EXPLAIN: kernel matmul0
// EXPLAIN-NOT: cluster
// EXPLAIN: no deadlock

//--- linalg.mlir
func.func @chain(%x: tensor<200x256xf32>, %w1: tensor<256x192xf32>,
                 %w2: tensor<192x128xf32>, %w3: tensor<128x96xf32>)
    -> (tensor<200x96xf32> {grout.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<200x192xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<200x192xf32>)
    -> tensor<200x192xf32>
  %g = linalg.matmul ins(%x, %w1 : tensor<200x256xf32>, tensor<256x192xf32>)
    outs(%z1 : tensor<200x192xf32>) -> tensor<200x192xf32>
  %e2 = tensor.empty() : tensor<200x128xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<200x128xf32>)
    -> tensor<200x128xf32>
  %h = linalg.matmul ins(%g, %w2 : tensor<200x192xf32>, tensor<192x128xf32>)
    outs(%z2 : tensor<200x128xf32>) -> tensor<200x128xf32>
  %e3 = tensor.empty() : tensor<200x96xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<200x96xf32>)
    -> tensor<200x96xf32>
  %y = linalg.matmul ins(%h, %w3 : tensor<200x128xf32>, tensor<128x96xf32>)
    outs(%z3 : tensor<200x96xf32>) -> tensor<200x96xf32>
  return %y : tensor<200x96xf32>
}

//--- clusters.mlir
func.func @chain(%x: tensor<200x256xf32>, %w1: tensor<256x192xf32>,
                 %w2: tensor<192x128xf32>, %w3: tensor<128x96xf32>)
    -> (tensor<200x96xf32> {grout.name = "y"}) {
  %g = tgemm.matmul %x, %w1 {
    tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, cluster_m = 2>
  } : tensor<200x256xf32>, tensor<256x192xf32> -> tensor<200x192xf32>
  %h = tgemm.matmul %g, %w2 {
    tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 4>
  } : tensor<200x192xf32>, tensor<192x128xf32> -> tensor<200x128xf32>
  %y = tgemm.matmul %h, %w3 {
    tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, cluster_m = 2, cluster_n = 2, split_k = 2>
  } : tensor<200x128xf32>, tensor<128x96xf32> -> tensor<200x96xf32>
  return %y : tensor<200x96xf32>
}
