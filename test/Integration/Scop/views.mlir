// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 71 numbers agree

// Reshapes between the ops of a kernel, and pooling with overlapping windows.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @input() -> tensor<5x14xf32> {
  %e = tensor.empty() : tensor<5x14xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<5x14xf32>) {
  ^bb0(%o: f32):
    %n0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %c1 = arith.constant 14 : index
    %m1 = arith.muli %n0, %c1 : index
    %n1 = arith.addi %m1, %i1 : index
    %w = arith.index_cast %n1 : index to i32
    %f = arith.sitofp %w : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<5x14xf32>
  return %0 : tensor<5x14xf32>
}

func.func @main() {
  %x = call @input() : () -> tensor<5x14xf32>
  %e = tensor.empty() : tensor<5x14xf32>
  %0 = linalg.exp ins(%x : tensor<5x14xf32>) outs(%e : tensor<5x14xf32>) -> tensor<5x14xf32>
  %flat = tensor.collapse_shape %0 [[0, 1]] : tensor<5x14xf32> into tensor<70xf32>
  %ef = tensor.empty() : tensor<70xf32>
  %1 = linalg.negf ins(%flat : tensor<70xf32>) outs(%ef : tensor<70xf32>) -> tensor<70xf32>
  %cube = tensor.expand_shape %1 [[0, 1, 2]] output_shape [2, 7, 5] : tensor<70xf32> into tensor<2x7x5xf32>
  %et = tensor.empty() : tensor<5x7x2xf32>
  %2 = linalg.transpose ins(%cube : tensor<2x7x5xf32>) outs(%et : tensor<5x7x2xf32>) permutation = [2, 1, 0]
  %image = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [1, 5, 14, 1] : tensor<5x14xf32> into tensor<1x5x14x1xf32>
  %window = tensor.empty() : tensor<5x14xf32>
  %ep = tensor.empty() : tensor<1x1x1x1xf32>
  %lowest = arith.constant -3.0e+38 : f32
  %start = linalg.fill ins(%lowest : f32) outs(%ep : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %max = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %window : tensor<1x5x14x1xf32>, tensor<5x14xf32>) outs(%start : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %u0 = tensor.cast %2 : tensor<5x7x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %max : tensor<1x1x1x1xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  return
}
