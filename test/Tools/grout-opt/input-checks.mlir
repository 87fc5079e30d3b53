// RUN: not grout-opt %s -split-input-file -scop-copy-views -o /dev/null 2>&1 | FileCheck %s
// RUN: not grout-opt %s -split-input-file -convert-linalg-to-attention -o /dev/null 2>&1 | FileCheck %s
// RUN: not grout-opt %s -split-input-file -canonicalize -o /dev/null 2>&1 | FileCheck %s
// RUN: not grout-opt %s -split-input-file -o /dev/null 2>&1 | FileCheck %s

// What MLIR's verifiers let pass is refused before any pass, and be it MLIR's,
// which could not do with it.

// CHECK: :[[@LINE+2]]:8: error: 'tensor.collapse_shape' op has a reassociation with dimension 1099511627776, which 'tensor<16x1x64xf16>' does not have
func.func @reshape(%x: tensor<16x1x64xf16>) -> tensor<16x64xf16> {
  %c = tensor.collapse_shape %x [[1099511627776, 1], [2]] : tensor<16x1x64xf16> into tensor<16x64xf16>
  return %c : tensor<16x64xf16>
}

// -----

// CHECK: :[[@LINE+3]]:8: error: 'tensor.pad' op
func.func @padding(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = "tensor.pad"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: -9223372036854775808>, static_high = array<i64: 0>}> ({
  ^bb0(%i: index):
    tensor.yield %zero : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %p : tensor<4xf32>
}
