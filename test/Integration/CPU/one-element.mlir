// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// One element of a product, without dimensions, and with some again.

// CHECK: one: relative error {{.*}}: passes

func.func @one(%x: tensor<8x16xf32>, %w: tensor<16x8xf32>)
    -> (tensor<1x1xf32> {grout.name = "one"}) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x8xf32>)
    -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x8xf32>)
    outs(%z1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %y[3, 5] [1, 1] [1, 1]
    : tensor<8x8xf32> to tensor<1x1xf32>
  %c = tensor.collapse_shape %s [] : tensor<1x1xf32> into tensor<f32>
  %e2 = tensor.empty() : tensor<f32>
  %a = linalg.tanh ins(%c : tensor<f32>) outs(%e2 : tensor<f32>) -> tensor<f32>
  %o = tensor.expand_shape %a [] output_shape [1, 1]
    : tensor<f32> into tensor<1x1xf32>
  %e3 = tensor.empty() : tensor<1x1xf32>
  %r = linalg.exp ins(%o : tensor<1x1xf32>) outs(%e3 : tensor<1x1xf32>)
    -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
