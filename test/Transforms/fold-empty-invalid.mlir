// RUN: grout-opt %s --linalg-fold-empty -split-input-file -verify-diagnostics -o /dev/null

// expected-error @+1 {{cannot be compiled: 'tensor<8x0xf16>' in its signature has no elements, as it has extent 0; extents must be at least 1}}
func.func @argument(%a: tensor<8x0xf16>, %b: tensor<0x8xf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x0xf16>, tensor<0x8xf16>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{cannot be compiled: 'tensor<4x0xf16>' in its signature has no elements}}
func.func @result(%a: tensor<4x4xf16>) -> tensor<4x0xf16> {
  %r = tensor.empty() : tensor<4x0xf16>
  return %r : tensor<4x0xf16>
}

// -----

func.func @undefined(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = tensor.empty() : tensor<8x0xf32>
  %b = tensor.empty() : tensor<0x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-error @+1 {{cannot be compiled: a loop of it has extent 0, so it yields the elements of tensor.empty, which are undefined; use linalg.fill}}
  %r = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
