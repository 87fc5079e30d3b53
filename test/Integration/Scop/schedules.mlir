// RUN: cat %s | grout-opt %run_scop | FileCheck %s

// Pascal's triangle, by diagonals.
func.func private @printMemrefI32(tensor<*xi32>)

func.func @main() {
  %one = arith.constant dense<1> : tensor<5x6xi32>
  // CHECK: [1,   1,   1,   1,   1,   1]
  // CHECK-NEXT: [1,   2,   3,   4,   5,   6]
  // CHECK-NEXT: [1,   3,   6,   10,   15,   21]
  // CHECK-NEXT: [1,   4,   10,   20,   35,   56]
  // CHECK-NEXT: [1,   5,   15,   35,   70,   126]
  %0 = scop.kernel outs(%one : tensor<5x6xi32>)
      schedule <[linear band 0, linear band 1 coincident], @S = (d0, d1) -> (d0 + d1, d1)> -> tensor<5x6xi32> {
  ^bb0(%Y: memref<5x6xi32>):
    scop.stmt @S domain [4, 5]
        reads(%Y[(d0, d1) -> (d0, d1 + 1)] : memref<5x6xi32>, %Y[(d0, d1) -> (d0 + 1, d1)] : memref<5x6xi32>)
        writes(%Y[(d0, d1) -> (d0 + 1, d1 + 1)] : memref<5x6xi32>) {
    ^bb0(%a: i32, %b: i32):
      %1 = arith.addi %a, %b : i32
      scop.yield %1 : i32
    }
  }
  %u0 = tensor.cast %0 : tensor<5x6xi32> to tensor<*xi32>
  call @printMemrefI32(%u0) : (tensor<*xi32>) -> ()

  // Every other iteration of one loop, of which the second statement only has
  // the first half, counted downwards.
  // CHECK: [3,   2,   1,   0]
  %e = tensor.empty() : tensor<4xi32>
  %2 = scop.kernel outs(%e : tensor<4xi32>)
      schedule <[linear band 0 coincident, sequence band 1], @W = (d0) -> (2 * d0, 0), @R = (d0) -> (-2 * d0 + 6, 1)> -> tensor<4xi32> {
  ^bb0(%Y: memref<4xi32>):
    %t = scop.local : memref<8xi32>
    scop.stmt @W domain [8] writes(%t[(d0) -> (d0)] : memref<8xi32>) {
      %i = scop.index 0 : index
      %w = arith.index_cast %i : index to i32
      scop.yield %w : i32
    }
    scop.stmt @R domain [4] reads(%t[(d0) -> (-d0 + 3)] : memref<8xi32>) writes(%Y[(d0) -> (d0)] : memref<4xi32>) {
    ^bb0(%v: i32):
      scop.yield %v : i32
    }
  }
  %u2 = tensor.cast %2 : tensor<4xi32> to tensor<*xi32>
  call @printMemrefI32(%u2) : (tensor<*xi32>) -> ()
  return
}
