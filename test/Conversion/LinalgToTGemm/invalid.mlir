// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics

func.func @dynamic(%a: tensor<?x16xf32>, %b: tensor<16x32xf32>, %c: tensor<?x32xf32>) -> tensor<?x32xf32> {
  // expected-error @+1 {{'linalg.matmul' op cannot be compiled: dynamic shapes are not supported: 'tensor<?x16xf32>'}}
  %0 = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x32xf32>) outs(%c : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// -----

// All such ops are named, not only the first.
func.func @types(%a: tensor<8x8xi8>, %b: tensor<8x8xi32>, %c: tensor<8x8xf64>) -> (tensor<8x8xi32>, tensor<8x8xf64>) {
  // expected-error @+1 {{'linalg.matmul' op cannot be compiled: elements of 'i8' are not supported; f16, bf16 and f32 are}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xi8>, tensor<8x8xi8>) outs(%b : tensor<8x8xi32>) -> tensor<8x8xi32>
  // expected-error @+1 {{'linalg.matmul' op cannot be compiled: elements of 'f64' are not supported; f16, bf16 and f32 are}}
  %1 = linalg.matmul ins(%c, %c : tensor<8x8xf64>, tensor<8x8xf64>) outs(%c : tensor<8x8xf64>) -> tensor<8x8xf64>
  return %0, %1 : tensor<8x8xi32>, tensor<8x8xf64>
}

// -----

func.func @undefined(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  // expected-error @+1 {{'linalg.matmul' op cannot be compiled: it accumulates onto tensor.empty, whose elements are undefined; use linalg.fill}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
