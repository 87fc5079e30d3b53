// RUN: grout-opt %s -canonicalize | FileCheck %s

// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ELEMENT:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @drop_unused
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<8x8xf32>, %{{[a-z0-9]+}}: tensor<8xf32>, %[[USED:[a-z0-9]+]]: tensor<8x8xf32>)
func.func @drop_unused(%x: tensor<8x8xf32>, %unused: tensor<8xf32>, %used: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: epilogue(%[[USED]] : tensor<8x8xf32>) {epilogue_maps = [#[[ELEMENT]]]}
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[R:.*]]: f32):
  // CHECK-NEXT: arith.addf %[[ACC]], %[[R]]
  %0 = tgemm.matmul %x, %x epilogue(%unused, %used : tensor<8xf32>, tensor<8x8xf32>) {
    epilogue_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>]
  } : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%acc: f32, %u: f32, %r: f32):
    %sum = arith.addf %acc, %r : f32
    tgemm.yield %sum : f32
  }
  return %0 : tensor<8x8xf32>
}

// One input that is read in one way twice counts once; in two ways, twice.
// CHECK-LABEL: func.func @merge
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>)
func.func @merge(%x: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  // CHECK: epilogue(%[[B]], %[[B]] : tensor<8xf32>, tensor<8xf32>) {epilogue_maps = [#[[COLUMN]], #{{.*}}]}
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[C:.*]]: f32, %[[R:.*]]: f32):
  // CHECK-NEXT: %[[S0:.*]] = arith.addf %[[ACC]], %[[C]]
  // CHECK-NEXT: %[[S1:.*]] = arith.addf %[[S0]], %[[R]]
  // CHECK-NEXT: arith.mulf %[[S1]], %[[C]]
  %0 = tgemm.matmul %x, %x epilogue(%b, %b, %b : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    epilogue_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>]
  } : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%acc: f32, %c: f32, %r: f32, %again: f32):
    %s0 = arith.addf %acc, %c : f32
    %s1 = arith.addf %s0, %r : f32
    %out = arith.mulf %s1, %again : f32
    tgemm.yield %out : f32
  }
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @dead
// CHECK-NOT: tgemm.matmul
func.func @dead(%x: tensor<8x8xf32>) {
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// Constants stay inside: an epilogue uses nothing from outside.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: tgemm.matmul
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.constant 2.000000e+00 : f32
func.func @constants(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tgemm.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32> {
  ^bb0(%acc: f32):
    %two = arith.constant 2.0 : f32
    %out = arith.mulf %acc, %two : f32
    tgemm.yield %out : f32
  }
  return %0 : tensor<8x8xf32>
}

// So it is with convolutions.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>, %{{[a-z0-9]+}}: tensor<16x8xf32>)
// CHECK: tgemm.conv2d %{{.*}}, %{{.*}} epilogue(%[[B]] : tensor<8xf32>) {dilations = array<i64: 1, 1>, epilogue_maps = [#[[COLUMN]]],
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[ACC]], %[[C]]
// CHECK-NEXT: arith.mulf %[[S]], %[[C]]
// CHECK-NOT: tgemm.conv2d
func.func @convolution(%x: tensor<1x4x4x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>, %unused: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = tgemm.conv2d %x, %w epilogue(%b, %unused, %b : tensor<8xf32>, tensor<16x8xf32>, tensor<8xf32>) {
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
    epilogue_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>]
  } : tensor<1x4x4x4xf32>, tensor<8x3x3x4xf32> -> tensor<16x8xf32> {
  ^bb0(%acc: f32, %c: f32, %u: f32, %again: f32):
    %s = arith.addf %acc, %c : f32
    %out = arith.mulf %s, %again : f32
    tgemm.yield %out : f32
  }
  %dead = tgemm.conv2d %x, %w {
    strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>
  } : tensor<1x4x4x4xf32>, tensor<8x3x3x4xf32> -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
