// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 105 numbers agree

// Transposed, and added to what was not.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @input() -> tensor<3x5x7xf32> {
  %e = tensor.empty() : tensor<3x5x7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%o: f32):
    %n0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %c1 = arith.constant 5 : index
    %m1 = arith.muli %n0, %c1 : index
    %n1 = arith.addi %m1, %i1 : index
    %i2 = linalg.index 2 : index
    %c2 = arith.constant 7 : index
    %m2 = arith.muli %n1, %c2 : index
    %n2 = arith.addi %m2, %i2 : index
    %w = arith.index_cast %n2 : index to i32
    %f = arith.sitofp %w : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<3x5x7xf32>
  return %0 : tensor<3x5x7xf32>
}

func.func @main() {
  %x = call @input() : () -> tensor<3x5x7xf32>
  %e = tensor.empty() : tensor<7x3x5xf32>
  %0 = linalg.transpose ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<7x3x5xf32>) permutation = [2, 0, 1]
  %e1 = tensor.empty() : tensor<3x5x7xf32>
  %1 = linalg.exp ins(%0 : tensor<7x3x5xf32>) outs(%e : tensor<7x3x5xf32>) -> tensor<7x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<7x3x5xf32>) outs(%e1 : tensor<3x5x7xf32>) permutation = [1, 2, 0]
  %3 = linalg.add ins(%2, %x : tensor<3x5x7xf32>, tensor<3x5x7xf32>) outs(%e1 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %u0 = tensor.cast %3 : tensor<3x5x7xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}
