// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 19 numbers agree

// Sums and maxima of rows, and the first position of the maximum, in order.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @input() -> tensor<9x13xf32> {
  %e = tensor.empty() : tensor<9x13xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<9x13xf32>) {
  ^bb0(%o: f32):
    %n0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %c1 = arith.constant 13 : index
    %m1 = arith.muli %n0, %c1 : index
    %n1 = arith.addi %m1, %i1 : index
    %w = arith.index_cast %n1 : index to i32
    %f = arith.sitofp %w : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<9x13xf32>
  return %0 : tensor<9x13xf32>
}

func.func @main() {
  %x = call @input() : () -> tensor<9x13xf32>
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -3.0e+38 : f32
  %e = tensor.empty() : tensor<9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<9x13xf32>) outs(%zeros : tensor<9xf32>) dimensions = [1]
  %es = tensor.empty() : tensor<f32>
  %scalar = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %total = linalg.reduce { arith.addf } ins(%sum : tensor<9xf32>) outs(%scalar : tensor<f32>) dimensions = [0]
  %lowests = linalg.fill ins(%lowest : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %max:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x13xf32>) outs(%lowests, %zeros : tensor<9xf32>, tensor<9xf32>) {
  ^bb0(%a: f32, %m: f32, %p: f32):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i32
    %f = arith.sitofp %w : i32 to f32
    %c = arith.cmpf ogt, %a, %m : f32
    %m1 = arith.select %c, %a, %m : f32
    %p1 = arith.select %c, %f, %p : f32
    linalg.yield %m1, %p1 : f32, f32
  } -> (tensor<9xf32>, tensor<9xf32>)
  %sums = linalg.add ins(%sum, %max#0 : tensor<9xf32>, tensor<9xf32>) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %total1 = tensor.expand_shape %total [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %u0 = tensor.cast %sums : tensor<9xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %max#1 : tensor<9xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  %u2 = tensor.cast %total1 : tensor<1xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  return
}
