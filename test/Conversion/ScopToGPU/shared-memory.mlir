// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true ptxas=%ptxas" -o /dev/null %}
// RUN: %python %S/Inputs/many-reads.py 5 | grout-opt --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s --check-prefix=SMALLER
// RUN: %python %S/Inputs/many-reads.py 110 | not grout-opt --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels 2>&1 | FileCheck %s --check-prefix=REFUSED

// Tiles are as small as their reads need: 16 x 32 elements, in columns of 17.

// SMALLER: grids {{\[\[}}8]] {block = 256 : i64}
// SMALLER-COUNT-5: llvm.mlir.global internal {{.*}} : !llvm.array<4352 x i8>
// SMALLER-NOT: llvm.mlir.global

// REFUSED: error: 'scop.kernel' op cannot be compiled for a GPU: its blocks need 239360 bytes of shared memory, but have 232448

// Sums of columns, 16 columns for each thread: what threads have of 8 is as much
// as they exchange at once. Exchanges use two areas in turn, with one barrier
// each.

// CHECK-DAG: llvm.mlir.global internal @sums_kernel0_shared0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16384 x i8>
// CHECK-DAG: llvm.mlir.global internal @sums_kernel0_shared1() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16384 x i8>
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: llvm.func @sums_kernel0
// CHECK: llvm.mlir.addressof @sums_kernel0_shared0
// CHECK-COUNT-8: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.mlir.addressof @sums_kernel0_shared1
// CHECK-COUNT-8: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.mlir.addressof @sums_kernel0_shared0
// CHECK: nvvm.barrier
// CHECK: llvm.mlir.addressof @sums_kernel0_shared1
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @sums(%x: tensor<512x80000xf32>, %a: tensor<80000xf32>, %b: tensor<80000xf32>)
    -> (tensor<80000xf32>, tensor<80000xf32>) {
  %y:2 = scop.kernel ins(%x : tensor<512x80000xf32>) outs(%a, %b : tensor<80000xf32>, tensor<80000xf32>)
      schedule <[linear band 0 coincident map thread_x vector 16, linear band 0 reduction map thread_y],
                @sums = (d0, d1) -> (d1, d0)> -> tensor<80000xf32>, tensor<80000xf32> {
  ^bb0(%X: memref<512x80000xf32>, %A: memref<80000xf32>, %B: memref<80000xf32>):
    scop.stmt @sums domain [512, 80000]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<512x80000xf32>, %A[(d0, d1) -> (d1)] : memref<80000xf32>,
              %B[(d0, d1) -> (d1)] : memref<80000xf32>)
        writes(%A[(d0, d1) -> (d1)] : memref<80000xf32>, %B[(d0, d1) -> (d1)] : memref<80000xf32>) reductions [0] {
    ^bb0(%e: f32, %s: f32, %t: f32):
      %r = arith.addf %s, %e : f32
      %square = arith.mulf %e, %e : f32
      %q = arith.addf %t, %square : f32
      scop.yield %r, %q : f32, f32
    }
  }
  return %y#0, %y#1 : tensor<80000xf32>, tensor<80000xf32>
}
