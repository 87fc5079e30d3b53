// RUN: %to_scop %s | grout-opt --scop-schedule %run_scop > %t.scop
// RUN: cat %s | %run_linalg > %t.linalg
// RUN: %compare %t.scop %t.linalg | FileCheck %s
// CHECK: 362 numbers agree

// Padding on all sides, slices with steps and fewer dimensions, of what a kernel
// computes and of what it is given, insertions into a tensor, into one value and
// into nothing, and a sum that starts from a constant.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @input() -> tensor<6x10xf32> {
  %e = tensor.empty() : tensor<6x10xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<6x10xf32>) {
  ^bb0(%o: f32):
    %n0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %c1 = arith.constant 10 : index
    %m1 = arith.muli %n0, %c1 : index
    %n1 = arith.addi %m1, %i1 : index
    %w = arith.index_cast %n1 : index to i32
    %f = arith.sitofp %w : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}

func.func @main() {
  %x = call @input() : () -> tensor<6x10xf32>
  %e = tensor.empty() : tensor<6x10xf32>
  %0 = linalg.exp ins(%x : tensor<6x10xf32>) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>

  // 9 x 24; more is added than there is.
  %seven = arith.constant 7.0 : f32
  %padded = tensor.pad %0 low[1, 12] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : f32
  } : tensor<6x10xf32> to tensor<9x24xf32>

  // Every third element of a row, from the second on, of both.
  %s0 = tensor.extract_slice %0[2, 1] [1, 3] [1, 3] : tensor<6x10xf32> to tensor<3xf32>
  %s1 = tensor.extract_slice %x[4, 1] [1, 3] [1, 3] : tensor<6x10xf32> to tensor<3xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %sum = linalg.add ins(%s0, %s1 : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  // What starts from a slice leaves the tensor alone.
  %start = tensor.extract_slice %0[0, 0] [6, 1] [1, 1] : tensor<6x10xf32> to tensor<6xf32>
  %rows = linalg.reduce {arith.addf} ins(%0 : tensor<6x10xf32>) outs(%start : tensor<6xf32>) dimensions = [1]

  // From a constant.
  %halves = arith.constant dense<0.5> : tensor<10xf32>
  %columns = linalg.reduce {arith.addf} ins(%x : tensor<6x10xf32>) outs(%halves : tensor<10xf32>) dimensions = [0]

  // With steps, and without the first dimension.
  %inserted = tensor.insert_slice %sum into %0[3, 2] [1, 3] [1, 2] : tensor<3xf32> into tensor<6x10xf32>
  // Side by side: 6 x 11.
  %e11 = tensor.empty() : tensor<6x11xf32>
  %left = tensor.insert_slice %x into %e11[0, 0] [6, 10] [1, 1] : tensor<6x10xf32> into tensor<6x11xf32>
  %both = tensor.insert_slice %rows into %left[0, 10] [6, 1] [1, 1] : tensor<6xf32> into tensor<6x11xf32>
  %en = tensor.empty() : tensor<7xf32>
  %nines = linalg.fill ins(%seven : f32) outs(%en : tensor<7xf32>) -> tensor<7xf32>
  %filled = tensor.insert_slice %s1 into %nines[2] [3] [2] : tensor<3xf32> into tensor<7xf32>

  %u0 = tensor.cast %padded : tensor<9x24xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %sum : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  %u2 = tensor.cast %inserted : tensor<6x10xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  %u3 = tensor.cast %both : tensor<6x11xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  %u4 = tensor.cast %filled : tensor<7xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  %u5 = tensor.cast %columns : tensor<10xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()
  return
}
