// RUN: grout-opt %s --scop-copy-views | FileCheck %s --check-prefix=COPY
// RUN: grout-opt %s --scop-copy-views --convert-linalg-to-scop \
// RUN:   | FileCheck %s --check-prefix=SCOP

// The rows behind the first of each image, one image after the other: a product
// reads a copy, which is made once.

// COPY-LABEL: func.func @products
// COPY: %[[ROWS:.*]] = tensor.collapse_shape
// COPY: %[[COPY:.*]] = linalg.copy ins(%[[ROWS]]
// COPY-NOT: linalg.copy
// COPY: tgemm.matmul %[[COPY]], %arg1
// COPY: tgemm.matmul %[[COPY]], %arg2

// SCOP-LABEL: func.func @products
// SCOP: scop.kernel ins(%arg0 : tensor<2x33x64xf16>
// SCOP: tgemm.matmul
func.func @products(%x: tensor<2x33x64xf16>, %v: tensor<64x32xf16>, %w: tensor<64x32xf16>) -> (tensor<64x32xf16>, tensor<64x32xf16>) {
  %s = tensor.extract_slice %x[0, 1, 0] [2, 32, 64] [1, 1, 1] : tensor<2x33x64xf16> to tensor<2x32x64xf16>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<2x32x64xf16> into tensor<64x64xf16>
  %y = tgemm.matmul %c, %v : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  %z = tgemm.matmul %c, %w : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  return %y, %z : tensor<64x32xf16>, tensor<64x32xf16>
}

// A kernel of scop reads them in place.

// COPY-LABEL: func.func @elementwise
// COPY-NOT: linalg.copy

// SCOP-LABEL: func.func @elementwise
// SCOP: scop.kernel ins(%arg0 : tensor<2x33x48xf32>
// SCOP: reads(%arg1[(d0, d1) -> (d0 floordiv 32, d0 mod 32 + 1, d1)]
func.func @elementwise(%x: tensor<2x33x48xf32>) -> tensor<64x48xf32> {
  %s = tensor.extract_slice %x[0, 1, 0] [2, 32, 48] [1, 1, 1] : tensor<2x33x48xf32> to tensor<2x32x48xf32>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<2x32x48xf32> into tensor<64x48xf32>
  %e = tensor.empty() : tensor<64x48xf32>
  %r = linalg.exp ins(%c : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// A dimension of extent 1 has no next element, whose place would matter.

// COPY-LABEL: func.func @unit
// COPY-NOT: linalg.copy
// COPY: tgemm.matmul
func.func @unit(%x: tensor<32x3x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %s = tensor.extract_slice %x[0, 1, 0] [16, 1, 64] [2, 2, 1] : tensor<32x3x64xf16> to tensor<16x1x64xf16>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<16x1x64xf16> into tensor<16x64xf16>
  %y = tgemm.matmul %c, %w : tensor<16x64xf16>, tensor<64x32xf16> -> tensor<16x32xf16>
  return %y : tensor<16x32xf16>
}
