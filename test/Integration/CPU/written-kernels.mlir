// RUN: grout-compile %s --target=cpu -o %t.grout
// RUN: grout-run %t.grout --check | FileCheck %s

// Kernels that are written by hand have a reference: a loop nest for each
// statement, in their order, whatever the schedule.

// CHECK: result0: relative error {{.*}}: passes
// CHECK: result1: relative error 0, {{.*}}: passes
// CHECK: result2: relative error {{.*}}: passes
func.func @sums(%x: tensor<8x16xf32>, %b: tensor<20xf32>) -> (tensor<8xf32>, tensor<12xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %s = scop.kernel ins(%x, %b : tensor<8x16xf32>, tensor<20xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%X: memref<8x16xf32>, %B: memref<20xf32>, %S: memref<8xf32>):
    %t = scop.local : memref<8xf32>
    scop.stmt @Zero domain [8] writes(%t[(d0) -> (d0)] : memref<8xf32>) {
      %z = arith.constant 0.0 : f32
      scop.yield %z : f32
    }
    scop.stmt @Sum domain [8, 16] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x16xf32>, %B[(d0, d1) -> (d1 + 4)] : memref<20xf32>, %t[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%t[(d0, d1) -> (d0)] : memref<8xf32>) reductions [1] {
    ^bb0(%v: f32, %w: f32, %acc: f32):
      %p = arith.mulf %v, %w : f32
      %r = arith.addf %acc, %p : f32
      scop.yield %r : f32
    }
    scop.stmt @Out domain [8] reads(%t[(d0) -> (d0)] : memref<8xf32>) writes(%S[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%v: f32):
      %i = scop.index 0 : index
      %n = arith.index_cast %i : index to i64
      %f = arith.sitofp %n : i64 to f32
      %r = arith.addf %v, %f : f32
      scop.yield %r : f32
    }
  }
  %e2 = tensor.empty() : tensor<12xf32>
  %q = scop.kernel ins(%b : tensor<20xf32>) outs(%e2 : tensor<12xf32>) -> tensor<12xf32> {
  ^bb0(%B: memref<20xf32>, %S: memref<12xf32>):
    scop.stmt @Even domain [6] reads(%B[(d0) -> (d0)] : memref<20xf32>) writes(%S[(d0) -> (2 * d0)] : memref<12xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
    scop.stmt @Odd domain [6] reads(%B[(d0) -> (d0 * 2 + 3)] : memref<20xf32>) writes(%S[(d0) -> (2 * d0 + 1)] : memref<12xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
  }
  // A row of the table for each number, and both orders of loops.
  %c = arith.constant dense<[3, 0, -7, 99, 1, 2, 2, 19]> : tensor<8xi64>
  %e3 = tensor.empty() : tensor<8x16xf32>
  %g = scop.kernel ins(%x, %c, %b : tensor<8x16xf32>, tensor<8xi64>, tensor<20xf32>) outs(%e3 : tensor<8x16xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d1, d0)>
      -> tensor<8x16xf32> {
  ^bb0(%X: memref<8x16xf32>, %N: memref<8xi64>, %B: memref<20xf32>, %Y: memref<8x16xf32>):
    scop.stmt @S domain [8, 16] reads(%N[(d0, d1) -> (d0)] : memref<8xi64>, %X[(d0, d1) -> (7 - d0, d1)] : memref<8x16xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x16xf32>) {
    ^bb0(%n: i64, %v: f32):
      %i = arith.index_cast %n : i64 to index
      %w = scop.gather %B[%i] : memref<20xf32>
      %r = arith.addf %v, %w : f32
      scop.yield %r : f32
    }
  }
  return %s, %q, %g : tensor<8xf32>, tensor<12xf32>, tensor<8x16xf32>
}
