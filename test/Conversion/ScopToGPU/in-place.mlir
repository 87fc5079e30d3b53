// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// The first element of a row is read, then all of it is replaced. What a row
// becomes is kept for later phases, in memory of the thread's own, but what it
// is at first is read from the array, in every round.

// CHECK-LABEL: llvm.func @in_place_kernel0
// CHECK: %[[FIRST:.*]] = llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK: scf.for
// CHECK-NOT: !llvm.ptr -> f32
// CHECK-COUNT-8: arith.subf %{{.*}}, %[[FIRST]]
// CHECK-NOT: !llvm.ptr -> f32
// CHECK: scf.for {{.*}} iter_args
// CHECK: llvm.load {{.*}} : !llvm.ptr -> f32
func.func @in_place(%a: tensor<8x131072xf32>, %b: tensor<8x131072xf32>, %m: tensor<8xf32>)
    -> (tensor<8x131072xf32>, tensor<8x131072xf32>, tensor<8xf32>) {
  %y:3 = scop.kernel outs(%a, %b, %m : tensor<8x131072xf32>, tensor<8x131072xf32>, tensor<8xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x, sequence band 3],
                @first = (d0) -> (d0, 0, 0, 0), @difference = (d0, d1) -> (d0, 1, d1, 0), @start = (d0) -> (d0, 2, 0, 0),
                @sum = (d0, d1) -> (d0, 3, d1, 0), @product = (d0, d1) -> (d0, 4, d1, 0)>
      -> tensor<8x131072xf32>, tensor<8x131072xf32>, tensor<8xf32> {
  ^bb0(%A: memref<8x131072xf32>, %B: memref<8x131072xf32>, %M: memref<8xf32>):
    %firsts = scop.local : memref<8xf32>
    scop.stmt @first domain [8] reads(%A[(d0) -> (d0, 0)] : memref<8x131072xf32>)
        writes(%firsts[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @difference domain [8, 131072]
        reads(%A[(d0, d1) -> (d0, d1)] : memref<8x131072xf32>, %firsts[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%A[(d0, d1) -> (d0, d1)] : memref<8x131072xf32>) {
    ^bb0(%e: f32, %f: f32):
      %r = arith.subf %e, %f : f32
      scop.yield %r : f32
    }
    scop.stmt @start domain [8] writes(%M[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @sum domain [8, 131072]
        reads(%A[(d0, d1) -> (d0, d1)] : memref<8x131072xf32>, %M[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%M[(d0, d1) -> (d0)] : memref<8xf32>) reductions [1] {
    ^bb0(%e: f32, %s: f32):
      %r = arith.addf %s, %e : f32
      scop.yield %r : f32
    }
    scop.stmt @product domain [8, 131072]
        reads(%A[(d0, d1) -> (d0, d1)] : memref<8x131072xf32>, %M[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%B[(d0, d1) -> (d0, d1)] : memref<8x131072xf32>) {
    ^bb0(%e: f32, %s: f32):
      %r = arith.mulf %e, %s : f32
      scop.yield %r : f32
    }
  }
  return %y#0, %y#1, %y#2 : tensor<8x131072xf32>, tensor<8x131072xf32>, tensor<8xf32>
}

// A sum in order over rounds that are too few for a loop: what it starts from
// is read once, and each round goes on from the one before.

// CHECK-LABEL: llvm.func @few_rounds_kernel0
// CHECK: %[[START:.*]] = llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: %[[START0:.*]] = llvm.extractelement %[[START]]
// CHECK: %[[SUM0:.*]] = arith.addf %{{.*}}, %[[START0]]
// CHECK: %[[SUM1:.*]] = arith.addf %{{.*}}, %[[SUM0]]
// CHECK: arith.addf %{{.*}}, %[[SUM1]]
func.func @few_rounds(%x: tensor<3x1024xf32>, %s: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = scop.kernel ins(%x : tensor<3x1024xf32>) outs(%s : tensor<1024xf32>)
      schedule <[linear band 0 coincident map thread_x vector 16, linear band 0], @S = (d0, d1) -> (d0, d1)> -> tensor<1024xf32> {
  ^bb0(%X: memref<3x1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S domain [1024, 3]
        reads(%X[(d0, d1) -> (d1, d0)] : memref<3x1024xf32>, %Y[(d0, d1) -> (d0)] : memref<1024xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<1024xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<1024xf32>
}
