// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(scop-form-launches,scop-schedule{tree=auto},scop-verify-schedule))' | FileCheck %s
// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(scop-form-launches{max-operations=100}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(scop-schedule{tree=auto trace=true}))' | FileCheck %s --check-prefix=REPORTS

// Each of two equal kernels is split, and each part gets its schedule.

// CHECK-LABEL: func.func @layers(
// CHECK:         scop.kernel ins(%arg0 : {{.*}} schedule <
// CHECK:           scop.stmt @S0
// CHECK:         scop.kernel {{.*}} schedule <
// CHECK:           scop.stmt @S1
// CHECK:           scop.stmt @S2
// CHECK:         scop.kernel ins(%arg1 : {{.*}} schedule <
// CHECK:           scop.stmt @S0
// CHECK:         scop.kernel {{.*}} schedule <
// CHECK:           scop.stmt @S1
// CHECK:           scop.stmt @S2

// Each has its own remark, and its own report.

// REMARKS-COUNT-2: remark: stays one kernel: gave up: the operation budget of the integer set library ran out
// REMARKS-NOT:     remark:

// REPORTS-COUNT-2: kernel at loc({{.*}}equal-kernels.mlir

func.func @layers(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<f32>, tensor<1024x1024xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<f32>
  %0:2 = scop.kernel ins(%x : tensor<1024x1024xf32>) outs(%e, %f : tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024x1024xf32>, tensor<f32> {
  ^bb0(%X: memref<1024x1024xf32>, %Y: memref<1024x1024xf32>, %Z: memref<f32>):
    scop.stmt @S0 domain [1024, 1024] reads(%X[(d0, d1) -> (d0, d1)] : memref<1024x1024xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<1024x1024xf32>) {
    ^bb0(%v: f32):
      %r = arith.mulf %v, %v : f32
      scop.yield %r : f32
    }
    scop.stmt @S1 domain [] writes(%Z[() -> ()] : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @S2 domain [1024, 1024] reads(%Y[(d0, d1) -> (d0, d1)] : memref<1024x1024xf32>, %Z[(d0, d1) -> ()] : memref<f32>) writes(%Z[(d0, d1) -> ()] : memref<f32>) reductions [0, 1] {
    ^bb0(%v: f32, %o: f32):
      %r = arith.addf %o, %v : f32
      scop.yield %r : f32
    }
  }
  %1:2 = scop.kernel ins(%y : tensor<1024x1024xf32>) outs(%e, %f : tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024x1024xf32>, tensor<f32> {
  ^bb0(%X: memref<1024x1024xf32>, %Y: memref<1024x1024xf32>, %Z: memref<f32>):
    scop.stmt @S0 domain [1024, 1024] reads(%X[(d0, d1) -> (d0, d1)] : memref<1024x1024xf32>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<1024x1024xf32>) {
    ^bb0(%v: f32):
      %r = arith.mulf %v, %v : f32
      scop.yield %r : f32
    }
    scop.stmt @S1 domain [] writes(%Z[() -> ()] : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @S2 domain [1024, 1024] reads(%Y[(d0, d1) -> (d0, d1)] : memref<1024x1024xf32>, %Z[(d0, d1) -> ()] : memref<f32>) writes(%Z[(d0, d1) -> ()] : memref<f32>) reductions [0, 1] {
    ^bb0(%v: f32, %o: f32):
      %r = arith.addf %o, %v : f32
      scop.yield %r : f32
    }
  }
  return %0#0, %0#1, %1#0, %1#1 : tensor<1024x1024xf32>, tensor<f32>, tensor<1024x1024xf32>, tensor<f32>
}
