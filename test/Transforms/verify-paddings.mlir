// RUN: grout-opt %s --split-input-file --verify-paddings --verify-diagnostics
// RUN: not grout-compile %S/Inputs/padding-without-operand.mlir --target=h200 -o %t.grout 2>&1 | FileCheck %s

// CHECK: error: 'tensor.pad' op has 0 operands for 1 dynamic paddings above

// -2^63 stands for an operand.
func.func @low(%x: tensor<8x4xf32>, %n: index) -> tensor<10x4xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{has 1 operands for 2 dynamic paddings below}}
  %0 = tensor.pad %x low[-9223372036854775808, %n] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}

// -----

func.func @right(%x: tensor<8x4xf32>, %n: index) -> tensor<10x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, %n] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x?xf32>
  return %0 : tensor<10x?xf32>
}
