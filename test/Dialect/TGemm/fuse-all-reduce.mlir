// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-fuse-all-reduce | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-fuse-all-reduce | FileCheck %s --check-prefix=NOT
// RUN: grout-opt %s --grout-set-target=name=a100 --tgemm-fuse-all-reduce | FileCheck %s --check-prefix=NOT

// NOT: func.func @fused(
// NOT-NOT: sum_ranks
// NOT: collective.all_reduce

// The sum has the channel of the op.

// CHECK-LABEL: func.func @fused(
// CHECK: %[[Y:.*]] = tgemm.matmul %{{.*}} {sum_channel = 7 : i64, sum_ranks = 4 : i64}
// CHECK: return %[[Y]]
func.func @fused(%x: tensor<64x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<64x512xbf16> {
  %0 = tgemm.matmul %x, %w : tensor<64x256xbf16>, tensor<256x512xbf16> -> tensor<64x512xbf16>
  %1 = collective.all_reduce %0 ranks 4 channel 7 : tensor<64x512xbf16>
  return %1 : tensor<64x512xbf16>
}

// What reshapes the product, reshapes the sum.

// CHECK-LABEL: func.func @reshaped(
// CHECK: %[[Y:.*]] = tgemm.matmul %{{.*}} {sum_ranks = 2 : i64}
// CHECK: %[[E:.*]] = tensor.expand_shape %[[Y]]
// CHECK: return %[[E]]
func.func @reshaped(%x: tensor<64x256xf16>, %w: tensor<256x512xf16>) -> tensor<4x16x512xf16> {
  %0 = tgemm.matmul %x, %w : tensor<64x256xf16>, tensor<256x512xf16> -> tensor<64x512xf16>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 16, 512] : tensor<64x512xf16> into tensor<4x16x512xf16>
  %2 = collective.all_reduce %1 ranks 2 : tensor<4x16x512xf16>
  return %2 : tensor<4x16x512xf16>
}

// Something else reads this rank's part.

// CHECK-LABEL: func.func @read(
// CHECK: tgemm.matmul
// CHECK-NOT: sum_ranks
// CHECK: collective.all_reduce
func.func @read(%x: tensor<64x256xf16>, %w: tensor<256x512xf16>) -> (tensor<64x512xf16>, tensor<64x512xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<64x256xf16>, tensor<256x512xf16> -> tensor<64x512xf16>
  %1 = collective.all_reduce %0 ranks 2 : tensor<64x512xf16>
  return %0, %1 : tensor<64x512xf16>, tensor<64x512xf16>
}

// A sum of a sum, a batch, and rows of 1,020 bytes.

// CHECK-LABEL: func.func @others(
// CHECK: tgemm.matmul {{.*}}sum_ranks = 2
// CHECK-COUNT-3: collective.all_reduce
func.func @others(%x: tensor<64x256xf16>, %w: tensor<256x512xf16>, %b: tensor<2x256x512xf16>, %v: tensor<256x510xf16>)
    -> (tensor<64x512xf16>, tensor<2x64x512xf16>, tensor<64x510xf16>) {
  %0 = tgemm.matmul %x, %w : tensor<64x256xf16>, tensor<256x512xf16> -> tensor<64x512xf16>
  %1 = collective.all_reduce %0 ranks 2 : tensor<64x512xf16>
  %2 = collective.all_reduce %1 ranks 2 : tensor<64x512xf16>
  %3 = tgemm.matmul %x, %b : tensor<64x256xf16>, tensor<2x256x512xf16> -> tensor<2x64x512xf16>
  %4 = collective.all_reduce %3 ranks 2 : tensor<2x64x512xf16>
  %5 = tgemm.matmul %x, %v : tensor<64x256xf16>, tensor<256x510xf16> -> tensor<64x510xf16>
  %6 = collective.all_reduce %5 ranks 2 : tensor<64x510xf16>
  return %2, %4, %6 : tensor<64x512xf16>, tensor<2x64x512xf16>, tensor<64x510xf16>
}
