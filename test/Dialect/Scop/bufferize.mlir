// RUN: grout-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// The output takes the memory of its init where nothing else reads that; the
// arrays have the layouts of their buffers.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32, strided<[?], offset: ?>>, %[[Y:[a-z0-9]+]]: memref<4xf32, strided<[?], offset: ?>>, %{{[a-z0-9]+}}: f32)
func.func @in_place(%x: tensor<4xf32>, %y: tensor<4xf32> {bufferization.writable = true}, %alpha: f32) -> tensor<4xf32> {
  // CHECK-NOT: memref.alloc
  // CHECK: scop.kernel ins(%[[X]], %{{.*}} : memref<4xf32, strided<[?], offset: ?>>, f32) outs(%[[Y]] : memref<4xf32, strided<[?], offset: ?>>)
  // CHECK-SAME: schedule <[linear band 0 coincident], @S = (d0) -> (d0)> {
  // CHECK-NEXT: ^bb0(%{{.*}}: memref<4xf32, strided<[?], offset: ?>>, %{{.*}}: f32, %{{.*}}: memref<4xf32, strided<[?], offset: ?>>):
  %0 = scop.kernel ins(%x, %alpha : tensor<4xf32>, f32) outs(%y : tensor<4xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<4xf32> {
  ^bb0(%X: memref<4xf32>, %a: f32, %Y: memref<4xf32>):
    scop.stmt @S domain [4] reads(%X[(d0) -> (d0)] : memref<4xf32>, %Y[(d0) -> (d0)] : memref<4xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%e: f32, %old: f32):
      %0 = arith.mulf %e, %a : f32
      %1 = arith.addf %0, %old : f32
      scop.yield %1 : f32
    }
  }
  return %0 : tensor<4xf32>
}

// An output never shares memory with an input.
// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> {
  // CHECK: %[[NEW:.*]] = memref.alloc
  // CHECK: memref.copy %[[X:[a-z0-9]+]], %[[NEW]]
  // CHECK: scop.kernel ins(%[[X]] : {{.*}}) outs(%[[NEW]] : memref<4xf32>)
  %0 = scop.kernel ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%X: memref<4xf32>, %Y: memref<4xf32>):
    scop.stmt @S domain [4] reads(%X[(d0) -> (-d0 + 3)] : memref<4xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %0 : tensor<4xf32>
}
