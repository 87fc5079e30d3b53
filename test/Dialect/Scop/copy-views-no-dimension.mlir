// RUN: grout-opt %s --scop-copy-views | FileCheck %s

// Upstream's verifier takes 2^40 for dimension 0. A view of which that is said
// is none whose strides are known; the pipeline refuses it (verify-reshapes).

// CHECK-LABEL: func.func @no_dimension
// CHECK:         tgemm.matmul
func.func @no_dimension(%x: tensor<32x3x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %s = tensor.extract_slice %x[0, 1, 0] [16, 1, 64] [2, 2, 1] : tensor<32x3x64xf16> to tensor<16x1x64xf16>
  %c = tensor.collapse_shape %s [[1099511627776, 1], [2]] : tensor<16x1x64xf16> into tensor<16x64xf16>
  %v = tgemm.matmul %c, %w : tensor<16x64xf16>, tensor<64x32xf16> -> tensor<16x32xf16>
  return %v : tensor<16x32xf16>
}
