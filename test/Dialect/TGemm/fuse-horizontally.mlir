// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-fuse-horizontally -split-input-file | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-fuse-horizontally=record-origins -split-input-file | FileCheck %s --check-prefix=ORIGIN
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-fuse-horizontally -split-input-file | FileCheck %s --check-prefix=CPU

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

// Products of several matrices and batches of them, each pair in tiles of its
// own that go together in one kernel; but none that has a tiling.

// CHECK-LABEL: @several
// CHECK-NEXT:    tgemm.matmul %arg0, %arg2 {launched_with_next, tiling = [[TILING:#tgemm.tiling<[^>]*>]]}
// CHECK-NEXT:    tgemm.matmul %arg1, %arg2 {launched_with_next, tiling = [[TILING]]}
// CHECK-NEXT:    tgemm.matmul %arg4, %arg4 {launched_with_next, tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 10>}
// CHECK-NEXT:    tgemm.matmul %arg4, %arg5 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 10>}
// CHECK-NEXT:    tgemm.matmul %arg0, %arg3 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>}
func.func @several(%x: tensor<512x768xf16>, %y: tensor<512x768xf16>, %w: tensor<768x768xf16>, %u: tensor<768x512xf16>, %b: tensor<2x64x64xf16>, %c: tensor<2x64x64xf16>)
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

// Branches of a module: filters of one element of the same image. One of them
// is behind a pooling, for which the others do not wait: it joins what comes of
// them, the longer reduction first.

// CHECK-LABEL: @branches
// CHECK:         tgemm.matmul %{{.*}} {launched_with_next,
// CHECK-NEXT:    tgemm.matmul %{{.*}} {tiling
// CHECK:         %[[POOL:.*]] = linalg.generic
// CHECK:         tgemm.conv2d %{{.*}}, %arg3 {dilations = {{.*}}, launched_with_next, padding =
// CHECK-NEXT:    tgemm.conv2d %{{.*}}, %arg4 {dilations = {{.*}}, launched_with_next, padding =
// CHECK-NEXT:    tgemm.matmul %[[POOL]], %arg5 {tiling
func.func @branches(%x: tensor<784x192xf16>, %a: tensor<192x96xf16>, %b: tensor<192x16xf16>, %f: tensor<128x3x3x96xf16>, %g: tensor<32x3x3x16xf16>, %c: tensor<192x32xf16>)
    -> (tensor<784x128xf16>, tensor<784x32xf16>, tensor<784x32xf16>) {
  %0 = tgemm.matmul %x, %a : tensor<784x192xf16>, tensor<192x96xf16> -> tensor<784x96xf16>
  %1 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [1, 28, 28, 96] : tensor<784x96xf16> into tensor<1x28x28x96xf16>
  %2 = tgemm.conv2d %1, %f {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x28x28x96xf16>, tensor<128x3x3x96xf16> -> tensor<784x128xf16>
  %3 = tgemm.matmul %x, %b : tensor<784x192xf16>, tensor<192x16xf16> -> tensor<784x16xf16>
  %4 = tensor.expand_shape %3 [[0, 1, 2], [3]] output_shape [1, 28, 28, 16] : tensor<784x16xf16> into tensor<1x28x28x16xf16>
  %5 = tgemm.conv2d %4, %g {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x28x28x16xf16>, tensor<32x3x3x16xf16> -> tensor<784x32xf16>
  %empty = tensor.empty() : tensor<784x192xf16>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<784x192xf16>) outs(%empty : tensor<784x192xf16>) {
  ^bb0(%in: f16, %out: f16):
    %max = arith.maximumf %in, %in : f16
    linalg.yield %max : f16
  } -> tensor<784x192xf16>
  %7 = tgemm.matmul %6, %c : tensor<784x192xf16>, tensor<192x32xf16> -> tensor<784x32xf16>
  return %2, %5, %7 : tensor<784x128xf16>, tensor<784x32xf16>, tensor<784x32xf16>
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

// The second is needed by the third, which is like the first.

// CHECK-LABEL: @needed
// CHECK-NEXT:    %[[A:.*]] = tgemm.matmul %arg1, %arg3
// CHECK-NEXT:    tgemm.matmul %arg0, %arg2 {launched_with_next,
// CHECK-NEXT:    tgemm.matmul %arg0, %[[A]] {tiling
func.func @needed(%x: tensor<512x512xf16>, %y: tensor<512x512xf16>, %w: tensor<512x512xf16>, %u: tensor<512x512xf16>) -> (tensor<512x512xf16>, tensor<512x512xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %1 = tgemm.matmul %y, %u : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %2 = tgemm.matmul %x, %1 : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return %0, %2 : tensor<512x512xf16>, tensor<512x512xf16>
}

// -----

// What the user launches together stays so.

// CHECK-LABEL: @given
// CHECK-NEXT:    tgemm.matmul %arg0, %arg1 {launched_with_next} :
// CHECK-NEXT:    tgemm.matmul %arg2, %arg1 :
// CHECK-NEXT:    tgemm.matmul %arg0, %arg2 :
func.func @given(%x: tensor<512x512xf16>, %y: tensor<512x512xf16>, %w: tensor<512x512xf16>) -> (tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16>) {
  %0 = tgemm.matmul %x, %y {launched_with_next} : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %1 = tgemm.matmul %w, %y : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  %2 = tgemm.matmul %x, %w : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
  return %0, %1, %2 : tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16>
}

// -----

// Large ones fill the processors by themselves, whatever they multiply.

// CHECK-LABEL: @large
// CHECK-NOT:     launched_with_next
// CHECK:         return
func.func @large(%x: tensor<8192x4096xf16>, %q: tensor<4096x4096xf16>, %k: tensor<4096x4096xf16>, %y: tensor<8192x4096xf16>)
    -> (tensor<8192x4096xf16>, tensor<8192x4096xf16>, tensor<8192x4096xf16>) {
  %0 = tgemm.matmul %x, %q : tensor<8192x4096xf16>, tensor<4096x4096xf16> -> tensor<8192x4096xf16>
  %1 = tgemm.matmul %x, %k : tensor<8192x4096xf16>, tensor<4096x4096xf16> -> tensor<8192x4096xf16>
  %2 = tgemm.matmul %y, %k : tensor<8192x4096xf16>, tensor<4096x4096xf16> -> tensor<8192x4096xf16>
  return %0, %1, %2 : tensor<8192x4096xf16>, tensor<8192x4096xf16>, tensor<8192x4096xf16>
}
