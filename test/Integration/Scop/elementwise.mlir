// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 154 numbers agree

// A chain with a broadcast bias, of which an intermediate is used elsewhere, too.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @chain(%x: tensor<7x11xf32>, %b: tensor<11xf32>) -> (tensor<7x11xf32>, tensor<7x11xf32>) {
  %e = tensor.empty() : tensor<7x11xf32>
  %bb = linalg.broadcast ins(%b : tensor<11xf32>) outs(%e : tensor<7x11xf32>) dimensions = [0]
  %0 = linalg.add ins(%x, %bb : tensor<7x11xf32>, tensor<7x11xf32>) outs(%e : tensor<7x11xf32>) -> tensor<7x11xf32>
  %1 = linalg.tanh ins(%0 : tensor<7x11xf32>) outs(%e : tensor<7x11xf32>) -> tensor<7x11xf32>
  %2 = linalg.mul ins(%1, %x : tensor<7x11xf32>, tensor<7x11xf32>) outs(%e : tensor<7x11xf32>) -> tensor<7x11xf32>
  %3 = linalg.exp ins(%2 : tensor<7x11xf32>) outs(%e : tensor<7x11xf32>) -> tensor<7x11xf32>
  return %3, %1 : tensor<7x11xf32>, tensor<7x11xf32>
}

func.func @main() {
  %ex = tensor.empty() : tensor<7x11xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ex : tensor<7x11xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c11 = arith.constant 11 : index
    %0 = arith.muli %i, %c11 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = math.sin %3 : f32
    linalg.yield %4 : f32
  } -> tensor<7x11xf32>
  %b = arith.constant dense<[0.5, -1.0, 2.0, 0.0, 1.0, 3.0, -2.0, 0.25, 4.0, 5.0, -0.125]> : tensor<11xf32>
  %y:2 = call @chain(%x, %b) : (tensor<7x11xf32>, tensor<11xf32>) -> (tensor<7x11xf32>, tensor<7x11xf32>)
  %u0 = tensor.cast %y#0 : tensor<7x11xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %y#1 : tensor<7x11xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  return
}
