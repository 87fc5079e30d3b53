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
