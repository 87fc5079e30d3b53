// RUN: grout-opt %s -pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(scop-assign-gpu-tiling{mode=overlap}))' | FileCheck %s
// RUN: grout-opt %s -pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(scop-assign-gpu-tiling{mode=persistent}))' | FileCheck %s --check-prefix=NONE
// RUN: grout-opt %s -pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(scop-assign-gpu-tiling))' | FileCheck %s --check-prefix=NONE
// RUN: not grout-opt %s -pass-pipeline='builtin.module(grout-set-target{name=cpu},func.func(scop-assign-gpu-tiling))' 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: 'cpu' is not a GPU
// NONE-NOT: tiles [
// NONE: scop.kernel
// NONE-NOT: tiles [

// A block has 32 rows of 8 threads; tiles are boxes of up to as many.
// CHECK-LABEL: func.func @rows
// CHECK: scop.kernel
// CHECK-SAME: tiles [2, 15]
func.func @rows(%x: tensor<7x15x64xf16>, %w: tensor<64x64xf16>) -> tensor<7x15x64xf16> {
  %h = tgemm.matmul %x, %w : tensor<7x15x64xf16>, tensor<64x64xf16> -> tensor<7x15x64xf16>
  %e = tensor.empty() : tensor<7x15x64xf16>
  %r = scop.kernel ins(%h : tensor<7x15x64xf16>) outs(%e : tensor<7x15x64xf16>)
      schedule <[linear band 0 coincident map block, linear band 0 coincident map block,
                 sequence band 1, linear band 2 reduction map thread_x vector 8],
                @Z = (d0, d1) -> (d0, d1, 0, 0), @M = (d0, d1, d2) -> (d0, d1, 1, d2),
                @S = (d0, d1, d2) -> (d0, d1, 2, d2)> -> tensor<7x15x64xf16> {
  ^bb0(%H: memref<7x15x64xf16>, %R: memref<7x15x64xf16>):
    %m = scop.local : memref<7x15xf16>
    scop.stmt @Z domain [7, 15] writes(%m[(d0, d1) -> (d0, d1)] : memref<7x15xf16>) {
      %zero = arith.constant 0.0 : f16
      scop.yield %zero : f16
    }
    scop.stmt @M domain [7, 15, 64]
        reads(%H[(d0, d1, d2) -> (d0, d1, d2)] : memref<7x15x64xf16>, %m[(d0, d1, d2) -> (d0, d1)] : memref<7x15xf16>)
        writes(%m[(d0, d1, d2) -> (d0, d1)] : memref<7x15xf16>) reductions [2] {
    ^bb0(%v: f16, %a: f16):
      %c = arith.maximumf %v, %a : f16
      scop.yield %c : f16
    }
    scop.stmt @S domain [7, 15, 64]
        reads(%H[(d0, d1, d2) -> (d0, d1, d2)] : memref<7x15x64xf16>, %m[(d0, d1, d2) -> (d0, d1)] : memref<7x15xf16>)
        writes(%R[(d0, d1, d2) -> (d0, d1, d2)] : memref<7x15x64xf16>) {
    ^bb0(%v: f16, %a: f16):
      %c = arith.subf %v, %a : f16
      scop.yield %c : f16
    }
  }
  return %r : tensor<7x15x64xf16>
}

// Without another tile kernel there is nothing to wait for.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: tiles [
func.func @alone(%x: tensor<64xf16>) -> tensor<64xf16> {
  %e = tensor.empty() : tensor<64xf16>
  %r = scop.kernel ins(%x : tensor<64xf16>) outs(%e : tensor<64xf16>)
      schedule <[linear band 0 coincident map thread_x vector 8], @S = (d0) -> (d0)> -> tensor<64xf16> {
  ^bb0(%X: memref<64xf16>, %Y: memref<64xf16>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf16>) writes(%Y[(d0) -> (d0)] : memref<64xf16>) {
    ^bb0(%v: f16):
      %c = arith.negf %v : f16
      scop.yield %c : f16
    }
  }
  return %r : tensor<64xf16>
}
