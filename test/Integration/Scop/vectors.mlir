// RUN: cat %s | grout-opt %run_scop 2>/dev/null > %t.vectors
// RUN: sed -E 's/ vector [0-9]+//' %s | grout-opt %run_scop > %t.scalars
// RUN: %compare %t.vectors %t.scalars | FileCheck %s
// CHECK: 231 numbers agree

// Rows of 12 and of 11, a width of four with and without alignment, a column
// for all lanes, a transposed read and write, and bits.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @main() {
  %e = tensor.empty() : tensor<9x12xf32>
  %x = scop.kernel outs(%e : tensor<9x12xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident vector 4], @S = (d0, d1) -> (d0, d1)> -> tensor<9x12xf32> {
  ^bb0(%X: memref<9x12xf32>):
    scop.stmt @S domain [9, 12] writes(%X[(d0, d1) -> (d0, d1)] : memref<9x12xf32>) {
      %i = scop.index 0 : index
      %j = scop.index 1 : index
      %c12 = arith.constant 12 : index
      %0 = arith.muli %i, %c12 : index
      %1 = arith.addi %0, %j : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f32
      %4 = math.sin %3 : f32
      scop.yield %4 : f32
    }
  }
  %r = tensor.empty() : tensor<12x9xf32>
  %y:2 = scop.kernel ins(%x : tensor<9x12xf32>) outs(%e, %r : tensor<9x12xf32>, tensor<12x9xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident vector 4, sequence band 1],
                @M = (d0, d1) -> (d0, d1, 0), @S = (d0, d1) -> (d0, d1, 1), @T = (d0, d1) -> (d0, d1, 2)> -> tensor<9x12xf32>, tensor<12x9xf32> {
  ^bb0(%X: memref<9x12xf32>, %Y: memref<9x12xf32>, %R: memref<12x9xf32>):
    %m = scop.local : memref<9x11xi1>
    scop.stmt @M domain [9, 11] reads(%X[(d0, d1) -> (d0, d1)] : memref<9x12xf32>) writes(%m[(d0, d1) -> (d0, d1)] : memref<9x11xi1>) {
    ^bb0(%a: f32):
      %zero = arith.constant 0.0 : f32
      %0 = arith.cmpf olt, %a, %zero : f32
      scop.yield %0 : i1
    }
    scop.stmt @S domain [9, 11]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<9x12xf32>, %X[(d0, d1) -> (d0, 11)] : memref<9x12xf32>, %m[(d0, d1) -> (d0, d1)] : memref<9x11xi1>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<9x12xf32>) {
    ^bb0(%a: f32, %b: f32, %c: i1):
      %0 = arith.addf %a, %b : f32
      %1 = arith.select %c, %0, %a : f32
      scop.yield %1 : f32
    }
    scop.stmt @T domain [9, 11]
        reads(%Y[(d0, d1) -> (d0, d1)] : memref<9x12xf32>, %R[(d0, d1) -> (d1 + 1, d0)] : memref<12x9xf32>)
        writes(%R[(d0, d1) -> (d1 + 1, d0)] : memref<12x9xf32>) {
    ^bb0(%a: f32, %b: f32):
      scop.yield %a : f32
    }
  }
  %y0 = tensor.extract_slice %y#0[0, 0] [9, 11] [1, 1] : tensor<9x12xf32> to tensor<9x11xf32>
  %y1 = tensor.extract_slice %y#1[1, 0] [11, 9] [1, 1] : tensor<12x9xf32> to tensor<11x9xf32>
  %u0 = tensor.cast %y0 : tensor<9x11xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %y1 : tensor<11x9xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  %z = tensor.empty() : tensor<33xf32>
  %flat = tensor.collapse_shape %y0 [[0, 1]] : tensor<9x11xf32> into tensor<99xf32>
  %w = scop.kernel ins(%flat : tensor<99xf32>) outs(%z : tensor<33xf32>)
      schedule <[linear band 0, linear band 1 coincident vector 8, sequence band 2], @F = (d0) -> (0, d0, 0), @A = (d0, d1) -> (d1, d0, 1)> -> tensor<33xf32> {
  ^bb0(%X: memref<99xf32>, %Z: memref<33xf32>):
    scop.stmt @F domain [33] writes(%Z[(d0) -> (d0)] : memref<33xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @A domain [33, 3] reads(%X[(d0, d1) -> (d1 * 33 + d0)] : memref<99xf32>, %Z[(d0, d1) -> (d0)] : memref<33xf32>)
        writes(%Z[(d0, d1) -> (d0)] : memref<33xf32>) reductions [1] {
    ^bb0(%a: f32, %acc: f32):
      %0 = arith.addf %acc, %a : f32
      scop.yield %0 : f32
    }
  }
  %u2 = tensor.cast %w : tensor<33xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  return
}
