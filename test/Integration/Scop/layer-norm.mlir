// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// RUN: %to_scop %s | grout-opt --scop-schedule=solver=isl %run_scop > %t.isl
// RUN: %compare %t.isl %t.linalg | FileCheck %s
// CHECK: 129 numbers agree

// Ragged, with gain and bias.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @input() -> tensor<3x43xf32> {
  %e = tensor.empty() : tensor<3x43xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<3x43xf32>) {
  ^bb0(%o: f32):
    %n0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %c1 = arith.constant 43 : index
    %m1 = arith.muli %n0, %c1 : index
    %n1 = arith.addi %m1, %i1 : index
    %w = arith.index_cast %n1 : index to i32
    %f = arith.sitofp %w : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<3x43xf32>
  return %0 : tensor<3x43xf32>
}

func.func @layer_norm(%x: tensor<3x43xf32>, %gain: tensor<43xf32>, %bias: tensor<43xf32>) -> tensor<3x43xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<3xf32>
  %e2 = tensor.empty() : tensor<3x43xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<3x43xf32>) outs(%zeros : tensor<3xf32>) dimensions = [1]
  %centred = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<3x43xf32>, tensor<3xf32>) outs(%e2 : tensor<3x43xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %n = arith.constant 43.0 : f32
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %a, %mean : f32
    linalg.yield %d : f32
  } -> tensor<3x43xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%centred : tensor<3x43xf32>) outs(%zeros : tensor<3xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%centred, %squares, %gain, %bias : tensor<3x43xf32>, tensor<3xf32>, tensor<43xf32>, tensor<43xf32>) outs(%e2 : tensor<3x43xf32>) {
  ^bb0(%a: f32, %s: f32, %g: f32, %b: f32, %o: f32):
    %n = arith.constant 43.0 : f32
    %epsilon = arith.constant 1.0e-05 : f32
    %variance = arith.divf %s, %n : f32
    %v = arith.addf %variance, %epsilon : f32
    %r = math.rsqrt %v : f32
    %0 = arith.mulf %a, %r : f32
    %1 = arith.mulf %0, %g : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<3x43xf32>
  return %y : tensor<3x43xf32>
}

func.func @main() {
  %x = call @input() : () -> tensor<3x43xf32>
  %gain = tensor.extract_slice %x[1, 0] [1, 43] [1, 1] : tensor<3x43xf32> to tensor<43xf32>
  %bias = tensor.extract_slice %x[2, 0] [1, 43] [1, 1] : tensor<3x43xf32> to tensor<43xf32>
  %y = call @layer_norm(%x, %gain, %bias) : (tensor<3x43xf32>, tensor<43xf32>, tensor<43xf32>) -> tensor<3x43xf32>
  %u0 = tensor.cast %y : tensor<3x43xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}
