// RUN: grout-compile %s --target=cpu -o %t
// RUN: grout-run %t --device=cpu --check | FileCheck %s

// What a function returns may be a kernel's result with another shape.

// CHECK: result0: {{.*}}: passes
func.func @heads(%x: tensor<48x64xf32>, %w: tensor<64x96xf32>) -> tensor<48x3x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<48x96xf32>) -> tensor<48x96xf32>
  %y = linalg.matmul ins(%x, %w : tensor<48x64xf32>, tensor<64x96xf32>)
                     outs(%init : tensor<48x96xf32>) -> tensor<48x96xf32>
  %r = tensor.expand_shape %y [[0], [1, 2]] output_shape [48, 3, 32]
      : tensor<48x96xf32> into tensor<48x3x32xf32>
  return %r : tensor<48x3x32xf32>
}
