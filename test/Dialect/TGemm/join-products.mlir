// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-join-products -split-input-file | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-join-products=record-origins -split-input-file | FileCheck %s --check-prefix=ORIGIN
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-join-products -split-input-file | FileCheck %s --check-prefix=CPU

// Queries, keys and values: small products of one matrix, in tiles that suit one
// with the columns of all. Those after the first move to it.

// CHECK-LABEL: @three
// CHECK:         %[[Q:.*]] = tgemm.matmul %arg0, %arg1 {launched_with_next, tiling = [[TILING:#tgemm.tiling<m = 128, n = 96, k = 64, .*>]], transpose_rhs}
// CHECK-NEXT:    %[[K:.*]] = tgemm.matmul %arg0, %arg2 {launched_with_next, tiling = [[TILING]], transpose_rhs}
// CHECK-NEXT:    %[[V:.*]] = tgemm.matmul %arg0, %arg3 {tiling = [[TILING]], transpose_rhs}
// CHECK-NEXT:    tensor.expand_shape %[[Q]]
// ORIGIN-LABEL: @three
// ORIGIN:         grout.tiling_origin = {kind = "modelled_together"}
// CPU-LABEL: @three
// CPU-NOT:     launched_with_next
// CPU:         return
func.func @three(%x: tensor<512x768xf16>, %q: tensor<768x768xf16>, %k: tensor<768x768xf16>, %v: tensor<768x768xf16>)
    -> (tensor<512x12x64xf16>, tensor<512x768xf16>, tensor<512x768xf16>) {
  %0 = tgemm.matmul %x, %q {transpose_rhs} : tensor<512x768xf16>, tensor<768x768xf16> -> tensor<512x768xf16>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [512, 12, 64] : tensor<512x768xf16> into tensor<512x12x64xf16>
  %2 = tgemm.matmul %x, %k {transpose_rhs} : tensor<512x768xf16>, tensor<768x768xf16> -> tensor<512x768xf16>
  %3 = tgemm.matmul %x, %v {transpose_rhs} : tensor<512x768xf16>, tensor<768x768xf16> -> tensor<512x768xf16>
  return %1, %2, %3 : tensor<512x12x64xf16>, tensor<512x768xf16>, tensor<512x768xf16>
}

// -----

// Grouped heads: keys and values have fewer columns, and epilogues of their own.

// CHECK-LABEL: @grouped
// CHECK:         tgemm.matmul %arg0, %arg1 epilogue(%arg4 : tensor<1024xf16>) {{.*}}launched_with_next, tiling = [[TILING:#tgemm.tiling<.*>]]}
// CHECK:         tgemm.matmul %arg0, %arg2 {launched_with_next, tiling = [[TILING]]}
// CHECK-NEXT:    tgemm.matmul %arg0, %arg3 {tiling = [[TILING]]}
func.func @grouped(%x: tensor<256x1024xf16>, %q: tensor<1024x1024xf16>, %k: tensor<1024x256xf16>, %v: tensor<1024x256xf16>, %b: tensor<1024xf16>)
    -> (tensor<256x1024xf16>, tensor<256x256xf16>, tensor<256x256xf16>) {
  %0 = tgemm.matmul %x, %q epilogue(%b : tensor<1024xf16>) {epilogue_maps = [affine_map<(m, n) -> (n)>]}
    : tensor<256x1024xf16>, tensor<1024x1024xf16> -> tensor<256x1024xf16> {
  ^bb0(%acc: f32, %bias: f16):
    %wide = arith.extf %bias : f16 to f32
    %sum = arith.addf %acc, %wide : f32
    %r = arith.truncf %sum : f32 to f16
    tgemm.yield %r : f16
  }
  %1 = tgemm.matmul %x, %k : tensor<256x1024xf16>, tensor<1024x256xf16> -> tensor<256x256xf16>
  %2 = tgemm.matmul %x, %v : tensor<256x1024xf16>, tensor<1024x256xf16> -> tensor<256x256xf16>
  return %0, %1, %2 : tensor<256x1024xf16>, tensor<256x256xf16>, tensor<256x256xf16>
}

// -----

// What has another lhs, a batch, or a tiling, is not joined.

// CHECK-LABEL: @apart
// CHECK-NOT:     launched_with_next
// CHECK:         return
func.func @apart(%x: tensor<512x768xf16>, %y: tensor<512x768xf16>, %w: tensor<768x768xf16>, %u: tensor<768x512xf16>, %b: tensor<2x64x64xf16>, %c: tensor<2x64x64xf16>)
    -> (tensor<512x768xf16>, tensor<512x768xf16>, tensor<512x512xf16>, tensor<2x64x64xf16>, tensor<2x64x64xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<512x768xf16>, tensor<768x768xf16> -> tensor<512x768xf16>
  %1 = tgemm.matmul %y, %w : tensor<512x768xf16>, tensor<768x768xf16> -> tensor<512x768xf16>
  %2 = tgemm.matmul %x, %u {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>}
    : tensor<512x768xf16>, tensor<768x512xf16> -> tensor<512x512xf16>
  %3 = tgemm.matmul %b, %b : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf16>
  %4 = tgemm.matmul %b, %c : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf16>
  return %0, %1, %2, %3, %4 : tensor<512x768xf16>, tensor<512x768xf16>, tensor<512x512xf16>, tensor<2x64x64xf16>, tensor<2x64x64xf16>
}

// -----

// CHECK-LABEL: @dependent
// CHECK-NOT:     launched_with_next
// CHECK:         return
func.func @dependent(%x: tensor<512x512xf16>, %w: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %0 = tgemm.matmul %x, %w : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %1 = tgemm.matmul %x, %0 : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return %1 : tensor<512x512xf16>
}

// -----

// Large ones fill the processors by themselves.

// CHECK-LABEL: @large
// CHECK-NOT:     launched_with_next
// CHECK:         return
func.func @large(%x: tensor<8192x4096xf16>, %q: tensor<4096x4096xf16>, %k: tensor<4096x4096xf16>)
    -> (tensor<8192x4096xf16>, tensor<8192x4096xf16>) {
  %0 = tgemm.matmul %x, %q : tensor<8192x4096xf16>, tensor<4096x4096xf16> -> tensor<8192x4096xf16>
  %1 = tgemm.matmul %x, %k : tensor<8192x4096xf16>, tensor<4096x4096xf16> -> tensor<8192x4096xf16>
  return %0, %1 : tensor<8192x4096xf16>, tensor<8192x4096xf16>
}
