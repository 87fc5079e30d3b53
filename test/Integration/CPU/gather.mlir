// RUN: grout-compile %s --explain -o %t.grout | FileCheck %s --check-prefix=EXPLAIN
// RUN: grout-run %t.grout --device=cpu --workers=2 --check | FileCheck %s

// Rows of a product, by numbers, less the same rows by a sum over all of them.
// The kernel that takes them waits for all tiles of the product.

// CHECK: result0: f32[64x48], min 0, max 0, mean 0
// CHECK: result0: {{.*}}: passes

// EXPLAIN:      edge matmul0 -> kernel1
// EXPLAIN-NEXT:   relation    { kernel1[{{.*}}] -> matmul0[o0, o1] : {{.*}}0 <= o0 <= 1 and 0 <= o1 <= 1 }
// EXPLAIN:        gathers   input {{[0-9]}}, f32

func.func @chain(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %n: tensor<64xi64>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = arith.constant 64 : i64
  %e = tensor.empty() : tensor<64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %h = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%z : tensor<64x48xf32>) -> tensor<64x48xf32>
  %taken = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<64xi64>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%at: i64, %_: f32):
    %row = arith.remui %at, %rows : i64
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %h[%i, %j] : tensor<64x48xf32>
    linalg.yield %v : f32
  } -> tensor<64x48xf32>
  %summed = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (k, j)>,
                                             affine_map<(i, j, k) -> (i, j)>],
                            iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%n, %h : tensor<64xi64>, tensor<64x48xf32>) outs(%z : tensor<64x48xf32>) {
  ^bb0(%at: i64, %v: f32, %sum: f32):
    %row = arith.remui %at, %rows : i64
    %i = arith.index_cast %row : i64 to index
    %k = linalg.index 2 : index
    %is = arith.cmpi eq, %i, %k : index
    %term = arith.select %is, %v, %zero : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<64x48xf32>
  %y = linalg.sub ins(%taken, %summed : tensor<64x48xf32>, tensor<64x48xf32>)
    outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}
