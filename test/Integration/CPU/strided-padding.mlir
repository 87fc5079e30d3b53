// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s

// What is padded with the value of a fill goes into that with a stride: the
// padding is as far apart as the rest.

// CHECK: result0: relative error 0, {{.*}}: passes

func.func @strided(%x: tensor<3x5xf32>) -> tensor<10x12xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<10x12xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
  %p = tensor.pad %x low[2, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<3x5xf32> to tensor<5x6xf32>
  %r = tensor.insert_slice %p into %ones[1, 0] [5, 6] [2, 2] : tensor<5x6xf32> into tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}
