// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s

// Concatenations along each dimension, of what kernels compute, of arguments,
// and of one tensor twice. Flattened, their rows are no multiples of a tile:
// the last tile of one row must not claim what the next row has.

// CHECK: result0: relative error {{[0-9.e-]+}}, {{.*}}: passes
// CHECK: result1: relative error 0, {{.*}}: passes
// CHECK: result2: relative error 0, {{.*}}: passes
// CHECK: result3: relative error 0, {{.*}}: passes
func.func @concat(%x: tensor<5x7x12xf32>, %y: tensor<5x3x12xf32>, %p: tensor<1x64x28x28xf16>,
                  %q: tensor<1x32x28x28xf16>, %r: tensor<1x96x28x28xf16>)
    -> (tensor<5x17x12xf32>, tensor<5x3x15xf32>, tensor<2x5x3x12xf32>, tensor<1x192x28x28xf16>) {
  %e = tensor.empty() : tensor<5x7x12xf32>
  %a = linalg.exp ins(%x : tensor<5x7x12xf32>) outs(%e : tensor<5x7x12xf32>) -> tensor<5x7x12xf32>
  %middle = tensor.concat dim(1) %a, %y, %x : (tensor<5x7x12xf32>, tensor<5x3x12xf32>, tensor<5x7x12xf32>) -> tensor<5x17x12xf32>
  %s = tensor.extract_slice %y[0, 0, 2] [5, 3, 3] [1, 1, 1] : tensor<5x3x12xf32> to tensor<5x3x3xf32>
  %last = tensor.concat dim(2) %s, %y : (tensor<5x3x3xf32>, tensor<5x3x12xf32>) -> tensor<5x3x15xf32>
  %one = tensor.expand_shape %y [[0, 1], [2], [3]] output_shape [1, 5, 3, 12] : tensor<5x3x12xf32> into tensor<1x5x3x12xf32>
  %stack = tensor.concat dim(0) %one, %one : (tensor<1x5x3x12xf32>, tensor<1x5x3x12xf32>) -> tensor<2x5x3x12xf32>
  %channels = tensor.concat dim(1) %p, %q, %r : (tensor<1x64x28x28xf16>, tensor<1x32x28x28xf16>, tensor<1x96x28x28xf16>) -> tensor<1x192x28x28xf16>
  return %middle, %last, %stack, %channels : tensor<5x17x12xf32>, tensor<5x3x15xf32>, tensor<2x5x3x12xf32>, tensor<1x192x28x28xf16>
}
