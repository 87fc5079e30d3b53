// RUN: grout-opt %s --pass-pipeline='builtin.module(func.func(tgemm-narrow-results))' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @sums(
// CHECK: %[[H:.*]] = tgemm.matmul {{.*}} -> tensor<48x64xf16> {
// CHECK: %[[NARROW:.*]] = arith.truncf
// CHECK-NEXT: tgemm.yield %[[NARROW]] : f16
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[H]] : tensor<48x64xf16>) outs(%{{.*}} : tensor<48x64xf32>)
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %[[WIDE]]
// CHECK: tensor.collapse_shape %[[VIEW]]
func.func @sums(%x: tensor<48x32xf16>, %w: tensor<32x64xf16>) -> tensor<48xf32> {
  %h = tgemm.matmul %x, %w : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf32> {
  ^bb0(%acc: f32):
    %narrow = arith.truncf %acc : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    tgemm.yield %wide : f32
  }
  %expanded = tensor.expand_shape %h [[0, 1], [2]] output_shape [6, 8, 64]
    : tensor<48x64xf32> into tensor<6x8x64xf32>
  %view = tensor.collapse_shape %expanded [[0, 1], [2]]
    : tensor<6x8x64xf32> into tensor<48x64xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48xf32>) -> tensor<48xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%view : tensor<48x64xf32>) outs(%init : tensor<48xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<48xf32>
  return %sums : tensor<48xf32>
}

// The narrow number is used by other ops of the epilogue, or the wide one is:
// only what is yielded changes. The same for convolutions.

// CHECK-LABEL: func.func @convolution(
// CHECK: %[[H:.*]] = tgemm.conv2d {{.*}} -> tensor<64x16xbf16> {
// CHECK: %[[NARROW:.*]] = arith.select
// CHECK-NEXT: tgemm.yield %[[NARROW]] : bf16
// CHECK: linalg.generic {{.*}} ins(%[[H]] : tensor<64x16xbf16>) outs(%{{.*}} : tensor<64x16xf32>)
func.func @convolution(%x: tensor<1x8x8x16xbf16>, %w: tensor<16x1x1x16xbf16>) -> tensor<64xf32> {
  %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>}
    : tensor<1x8x8x16xbf16>, tensor<16x1x1x16xbf16> -> tensor<64x16xf32> {
  ^bb0(%acc: f32):
    %zero = arith.constant 0.0 : f32
    %rounded = arith.truncf %acc : f32 to bf16
    %before = arith.extf %rounded : bf16 to f32
    %positive = arith.cmpf ogt, %before, %zero : f32
    %none = arith.truncf %zero : f32 to bf16
    %narrow = arith.select %positive, %rounded, %none : bf16
    %wide = arith.extf %narrow : bf16 to f32
    tgemm.yield %wide : f32
  }
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<64x16xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %sums : tensor<64xf32>
}

// A result of the function has its type.

// CHECK-LABEL: func.func @returned(
// CHECK: tgemm.matmul {{.*}} -> tensor<48x64xf32> {
// CHECK-NOT: linalg.generic
func.func @returned(%x: tensor<48x32xf16>, %w: tensor<32x64xf16>) -> tensor<48x64xf32> {
  %h = tgemm.matmul %x, %w : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf32> {
  ^bb0(%acc: f32):
    %narrow = arith.truncf %acc : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    tgemm.yield %wide : f32
  }
  return %h : tensor<48x64xf32>
}

// A product, here as an input of its epilogue, would need another kernel before
// it.

// CHECK-LABEL: func.func @product(
// CHECK: tgemm.matmul {{.*}} -> tensor<48x64xf32> {
// CHECK: tgemm.matmul {{.*}} -> tensor<48x64xf16> {
// CHECK-NOT: linalg.generic
func.func @product(%x: tensor<48x32xf16>, %w: tensor<32x64xf16>) -> tensor<48x64xf16> {
  %h = tgemm.matmul %x, %w : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf32> {
  ^bb0(%acc: f32):
    %narrow = arith.truncf %acc : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    tgemm.yield %wide : f32
  }
  %y = tgemm.matmul %x, %w epilogue(%h : tensor<48x64xf32>) {epilogue_maps = [#id]}
      : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf16> {
  ^bb0(%acc: f32, %v: f32):
    %sum = arith.addf %acc, %v : f32
    %0 = arith.truncf %sum : f32 to f16
    tgemm.yield %0 : f16
  }
  return %y : tensor<48x64xf16>
}

// Products store no numbers of 8 bits.

// CHECK-LABEL: func.func @eight_bits(
// CHECK: tgemm.matmul {{.*}} -> tensor<48x64xf32> {
func.func @eight_bits(%x: tensor<48x32xf16>, %w: tensor<32x64xf16>) -> tensor<48xf32> {
  %h = tgemm.matmul %x, %w : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf32> {
  ^bb0(%acc: f32):
    %narrow = arith.truncf %acc : f32 to f8E5M2
    %wide = arith.extf %narrow : f8E5M2 to f32
    tgemm.yield %wide : f32
  }
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48xf32>) -> tensor<48xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<48x64xf32>) outs(%init : tensor<48xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<48xf32>
  return %sums : tensor<48xf32>
}

// A norm goes through the result twice, and needs the first sums for that.

// CHECK-LABEL: func.func @norm(
// CHECK: tgemm.matmul {{.*}} -> tensor<48x64xf16> {
func.func @norm(%x: tensor<48x32xf16>, %w: tensor<32x64xf16>) -> tensor<48x64xf32> {
  %h = tgemm.matmul %x, %w : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf32> {
  ^bb0(%acc: f32):
    %narrow = arith.truncf %acc : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    tgemm.yield %wide : f32
  }
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48xf32>) -> tensor<48xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<48x64xf32>) outs(%init : tensor<48xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<48xf32>
  %e = tensor.empty() : tensor<48x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %sums : tensor<48x64xf32>, tensor<48xf32>) outs(%e : tensor<48x64xf32>) {
  ^bb0(%v: f32, %sum: f32, %_: f32):
    %0 = arith.divf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<48x64xf32>
  return %y : tensor<48x64xf32>
}

// Sums of rows and of columns are two kernels, one of which would store for the
// other what it has converted.

// CHECK-LABEL: func.func @two_kernels(
// CHECK: tgemm.matmul {{.*}} -> tensor<48x64xf32> {
func.func @two_kernels(%x: tensor<48x32xf16>, %w: tensor<32x64xf16>) -> (tensor<48xf32>, tensor<64xf32>) {
  %h = tgemm.matmul %x, %w : tensor<48x32xf16>, tensor<32x64xf16> -> tensor<48x64xf32> {
  ^bb0(%acc: f32):
    %narrow = arith.truncf %acc : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    tgemm.yield %wide : f32
  }
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<48xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<48xf32>) -> tensor<48xf32>
  %rows = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<48x64xf32>) outs(%i0 : tensor<48xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<48xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %columns = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%h : tensor<48x64xf32>) outs(%i1 : tensor<64xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %rows, %columns : tensor<48xf32>, tensor<64xf32>
}
