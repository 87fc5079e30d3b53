// RUN: %to_scop %s | grout-opt --scop-schedule --scop-distribute -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNELS --input-file %t.mlir
// RUN: grout-opt %t.mlir %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 66 numbers agree

// A softmax of all elements, and a sum of the result and its reverse, which
// needs all of it: four kernels. The sum starts from what was there.
func.func private @printMemrefF32(tensor<*xf32>)

// KERNELS-LABEL: func.func @twice
// KERNELS-COUNT-4: scop.kernel
// KERNELS-NOT: scop.kernel
// KERNELS: return
func.func @twice(%x: tensor<33xf32>, %start: tensor<33xf32>) -> (tensor<33xf32>, tensor<33xf32>) {
  %e = tensor.empty() : tensor<33xf32>
  %y = linalg.softmax dimension(0) ins(%x : tensor<33xf32>) outs(%e : tensor<33xf32>) -> tensor<33xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 32)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%y, %y : tensor<33xf32>, tensor<33xf32>) outs(%start : tensor<33xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<33xf32>
  return %y, %z : tensor<33xf32>, tensor<33xf32>
}

func.func @main() {
  %e = tensor.empty() : tensor<33xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<33xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = math.sin %1 : f32
    linalg.yield %2 : f32
  } -> tensor<33xf32>
  %r:2 = call @twice(%x, %x) : (tensor<33xf32>, tensor<33xf32>) -> (tensor<33xf32>, tensor<33xf32>)
  %u0 = tensor.cast %r#0 : tensor<33xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %r#1 : tensor<33xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  return
}
