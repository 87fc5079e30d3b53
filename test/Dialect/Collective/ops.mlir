// RUN: grout-opt %s | grout-opt | FileCheck %s
// RUN: grout-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: grout-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @sum
func.func @sum(%x: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {
  // CHECK: collective.all_reduce %{{.*}} ranks 4 : tensor<64x4096xbf16>
  %0 = collective.all_reduce %x ranks 4 : tensor<64x4096xbf16>
  return %0 : tensor<64x4096xbf16>
}

// A single rank has the sum.

// CHECK-LABEL: func.func @alone
// FOLD-LABEL: func.func @alone
func.func @alone(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: collective.all_reduce %{{.*}} ranks 1 : tensor<f32>
  // FOLD-NOT: collective
  // FOLD: return %arg0
  %0 = collective.all_reduce %x ranks 1 : tensor<f32>
  return %0 : tensor<f32>
}

// Sums of one channel are one sum if their operands are equal.

// CSE-LABEL: func.func @channels
func.func @channels(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: collective.all_reduce %{{.*}} ranks 2 channel 0 : tensor<4xf32>
  // CSE: %[[A:.*]] = collective.all_reduce %{{.*}} ranks 2 channel 0
  // CSE: %[[B:.*]] = collective.all_reduce %{{.*}} ranks 2 channel 1
  // CSE: return %[[A]], %[[A]], %[[B]]
  %0 = collective.all_reduce %x ranks 2 channel 0 : tensor<4xf32>
  %1 = collective.all_reduce %x ranks 2 channel 0 : tensor<4xf32>
  %2 = collective.all_reduce %x ranks 2 channel 1 : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @parts
// CHECK: collective.reduce_scatter %{{.*}} ranks 4 dim 0 : tensor<64x4096xbf16> -> tensor<16x4096xbf16>
// CHECK: collective.all_gather %{{.*}} ranks 2 dim 1 channel 3 : tensor<16x4096xbf16> -> tensor<16x8192xbf16>
func.func @parts(%x: tensor<64x4096xbf16>) -> tensor<16x8192xbf16> {
  %0 = collective.reduce_scatter %x ranks 4 dim 0 : tensor<64x4096xbf16> -> tensor<16x4096xbf16>
  %1 = collective.all_gather %0 ranks 2 dim 1 channel 3 : tensor<16x4096xbf16> -> tensor<16x8192xbf16>
  return %1 : tensor<16x8192xbf16>
}

// CHECK-LABEL: func.func @exchanged
// CHECK: collective.all_to_all %{{.*}} ranks 4 split_dim 1 concat_dim 0 : tensor<16x32xi8> -> tensor<64x8xi8>
// CHECK: collective.all_to_all %{{.*}} ranks 2 split_dim 0 concat_dim 0 channel 1 : tensor<64x8xi8> -> tensor<64x8xi8>
// FOLD-LABEL: func.func @exchanged
// FOLD-COUNT-2: collective.all_to_all
// FOLD-NEXT: return %1
func.func @exchanged(%x: tensor<16x32xi8>) -> tensor<64x8xi8> {
  %0 = collective.all_to_all %x ranks 4 split_dim 1 concat_dim 0 : tensor<16x32xi8> -> tensor<64x8xi8>
  %1 = collective.all_to_all %0 ranks 2 split_dim 0 concat_dim 0 channel 1 : tensor<64x8xi8> -> tensor<64x8xi8>
  %2 = collective.all_to_all %1 ranks 1 split_dim 0 concat_dim 0 channel 2 : tensor<64x8xi8> -> tensor<64x8xi8>
  return %2 : tensor<64x8xi8>
}

// CHECK-LABEL: func.func @gathered_types
// CHECK-COUNT-3: collective.all_gather
func.func @gathered_types(%x: tensor<3xi1>, %y: tensor<3xi64>, %z: tensor<3xf64>)
    -> (tensor<6xi1>, tensor<6xi64>, tensor<6xf64>) {
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<3xi1> -> tensor<6xi1>
  %1 = collective.all_gather %y ranks 2 dim 0 : tensor<3xi64> -> tensor<6xi64>
  %2 = collective.all_gather %z ranks 2 dim 0 : tensor<3xf64> -> tensor<6xf64>
  return %0, %1, %2 : tensor<6xi1>, tensor<6xi64>, tensor<6xf64>
}

// FOLD-LABEL: func.func @parts_alone
// FOLD-NOT: collective
// FOLD: return %arg0, %arg1
func.func @parts_alone(%x: tensor<4x6xf32>, %y: tensor<4xi8>) -> (tensor<4x6xf32>, tensor<4xi8>) {
  %0 = collective.reduce_scatter %x ranks 1 dim 1 : tensor<4x6xf32> -> tensor<4x6xf32>
  %1 = collective.all_gather %y ranks 1 dim 0 : tensor<4xi8> -> tensor<4xi8>
  return %0, %1 : tensor<4x6xf32>, tensor<4xi8>
}

// CSE-LABEL: func.func @channels_of_parts
// CSE: %[[A:.*]] = collective.all_gather
// CSE: %[[B:.*]] = collective.all_gather
// CSE: return %[[A]], %[[A]], %[[B]]
func.func @channels_of_parts(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = collective.all_gather %x ranks 2 dim 0 channel 0 : tensor<4xf32> -> tensor<8xf32>
  %1 = collective.all_gather %x ranks 2 dim 0 channel 0 : tensor<4xf32> -> tensor<8xf32>
  %2 = collective.all_gather %x ranks 2 dim 0 channel 1 : tensor<4xf32> -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
