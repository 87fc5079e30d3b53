// RUN: grout-opt %s --tgemm-concatenate-in-place -split-input-file | FileCheck %s

// Branches: images, of which another product reads one, too.

// CHECK-LABEL: @branches
// CHECK:         %[[A:.*]] = tgemm.matmul %arg0, %arg1
// CHECK:         %[[X:.*]] = tensor.expand_shape %[[A]]
// CHECK:         %[[B:.*]] = tgemm.conv2d %[[X]], %arg2
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[B]]
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[ALL:.*]] = tensor.concat dim(3) %[[X]], %[[Y]] : (tensor<1x28x28x96xf16>, tensor<1x28x28x128xf16>) -> tensor<1x28x28x224xf16>
// CHECK-NEXT:    return %[[ALL]]
func.func @branches(%x: tensor<784x192xf16>, %a: tensor<192x96xf16>, %f: tensor<128x3x3x96xf16>) -> tensor<1x28x28x224xf16> {
  %0 = tgemm.matmul %x, %a : tensor<784x192xf16>, tensor<192x96xf16> -> tensor<784x96xf16>
  %1 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [1, 28, 28, 96] : tensor<784x96xf16> into tensor<1x28x28x96xf16>
  %2 = tgemm.conv2d %1, %f {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x28x28x96xf16>, tensor<128x3x3x96xf16> -> tensor<784x128xf16>
  %3 = tensor.expand_shape %2 [[0, 1, 2], [3]] output_shape [1, 28, 28, 128] : tensor<784x128xf16> into tensor<1x28x28x128xf16>
  %e = tensor.empty() : tensor<1x28x28x224xf16>
  // The order of what they insert is that of their offsets.
  %4 = tensor.insert_slice %3 into %e[0, 0, 0, 96] [1, 28, 28, 128] [1, 1, 1, 1] : tensor<1x28x28x128xf16> into tensor<1x28x28x224xf16>
  %5 = tensor.insert_slice %1 into %4[0, 0, 0, 0] [1, 28, 28, 96] [1, 1, 1, 1] : tensor<1x28x28x96xf16> into tensor<1x28x28x224xf16>
  return %5 : tensor<1x28x28x224xf16>
}

// -----

// CHECK-LABEL: @rows
// CHECK:         tensor.concat dim(0)
func.func @rows(%x: tensor<64x64xf16>, %y: tensor<72x64xf16>, %w: tensor<64x40xf16>) -> tensor<136x40xf16> {
  %0 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %1 = tgemm.matmul %y, %w : tensor<72x64xf16>, tensor<64x40xf16> -> tensor<72x40xf16>
  %e = tensor.empty() : tensor<136x40xf16>
  %2 = tensor.insert_slice %0 into %e[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<136x40xf16>
  %3 = tensor.insert_slice %1 into %2[64, 0] [72, 40] [1, 1] : tensor<72x40xf16> into tensor<136x40xf16>
  return %3 : tensor<136x40xf16>
}

// -----

// Rows of 24 bytes, what is no product, what is returned, what something else
// reads, and what is there twice, is copied.

// CHECK-LABEL: @copied
// CHECK-NOT:     tensor.concat
// CHECK:         return
func.func @copied(%x: tensor<64x64xf16>, %w: tensor<64x12xf16>, %v: tensor<64x40xf16>)
    -> (tensor<64x52xf16>, tensor<64x104xf16>, tensor<64x80xf16>, tensor<64x40xf16>, tensor<64x80xf16>, tensor<64x80xf16>) {
  %narrow = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x12xf16> -> tensor<64x12xf16>
  %0 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %e0 = tensor.empty() : tensor<64x52xf16>
  %1 = tensor.insert_slice %narrow into %e0[0, 0] [64, 12] [1, 1] : tensor<64x12xf16> into tensor<64x52xf16>
  %2 = tensor.insert_slice %0 into %1[0, 12] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x52xf16>
  %3 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %e1 = tensor.empty() : tensor<64x104xf16>
  %4 = tensor.insert_slice %3 into %e1[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x104xf16>
  %5 = tensor.insert_slice %x into %4[0, 40] [64, 64] [1, 1] : tensor<64x64xf16> into tensor<64x104xf16>
  %6 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %7 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %e2 = tensor.empty() : tensor<64x80xf16>
  %8 = tensor.insert_slice %6 into %e2[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  %9 = tensor.insert_slice %7 into %8[0, 40] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  %10 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %11 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %e3 = tensor.empty() : tensor<64x40xf16>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%10 : tensor<64x40xf16>) outs(%e3 : tensor<64x40xf16>) {
  ^bb0(%in: f16, %out: f16):
    %neg = arith.negf %in : f16
    linalg.yield %neg : f16
  } -> tensor<64x40xf16>
  %13 = tensor.insert_slice %10 into %e2[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  %14 = tensor.insert_slice %11 into %13[0, 40] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  %15 = tgemm.matmul %x, %v : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %16 = tensor.insert_slice %15 into %e2[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  %17 = tensor.insert_slice %15 into %16[0, 40] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  return %2, %5, %9, %6, %14, %17 : tensor<64x52xf16>, tensor<64x104xf16>, tensor<64x80xf16>, tensor<64x40xf16>, tensor<64x80xf16>, tensor<64x80xf16>
}

// -----

// What leaves a gap, overlaps, or starts from something is no concatenation.

// CHECK-LABEL: @other
// CHECK-NOT:     tensor.concat
// CHECK:         return
func.func @other(%x: tensor<64x64xf16>, %w: tensor<64x40xf16>, %d: tensor<64x80xf16>)
    -> (tensor<64x88xf16>, tensor<64x72xf16>, tensor<64x80xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %1 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %e0 = tensor.empty() : tensor<64x88xf16>
  %2 = tensor.insert_slice %0 into %e0[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x88xf16>
  %3 = tensor.insert_slice %1 into %2[0, 48] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x88xf16>
  %4 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %5 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %e1 = tensor.empty() : tensor<64x72xf16>
  %6 = tensor.insert_slice %4 into %e1[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x72xf16>
  %7 = tensor.insert_slice %5 into %6[0, 32] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x72xf16>
  %8 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %9 = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x40xf16> -> tensor<64x40xf16>
  %10 = tensor.insert_slice %8 into %d[0, 0] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  %11 = tensor.insert_slice %9 into %10[0, 40] [64, 40] [1, 1] : tensor<64x40xf16> into tensor<64x80xf16>
  return %3, %7, %11 : tensor<64x88xf16>, tensor<64x72xf16>, tensor<64x80xf16>
}
