// RUN: grout-opt %s | grout-opt | FileCheck %s
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
