// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 95 numbers agree
func.func private @printMemrefF32(tensor<*xf32>)

func.func @input() -> tensor<5x19xf32> {
  %e = tensor.empty() : tensor<5x19xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<5x19xf32>) {
  ^bb0(%o: f32):
    %n0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %c1 = arith.constant 19 : index
    %m1 = arith.muli %n0, %c1 : index
    %n1 = arith.addi %m1, %i1 : index
    %w = arith.index_cast %n1 : index to i32
    %f = arith.sitofp %w : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<5x19xf32>
  return %0 : tensor<5x19xf32>
}

func.func @main() {
  %x = call @input() : () -> tensor<5x19xf32>
  %e = tensor.empty() : tensor<5x19xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<5x19xf32>) outs(%e : tensor<5x19xf32>) -> tensor<5x19xf32>
  %u0 = tensor.cast %0 : tensor<5x19xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}
