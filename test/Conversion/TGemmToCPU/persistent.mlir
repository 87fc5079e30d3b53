// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// A chain becomes one launch with a body for each kernel. The consumer waits
// for two semaphores: one for the box of each step where it changes, and one for
// the operand of its epilogue, after the last step.

// CHECK-LABEL: launch.plan @chain inputs 3
// CHECK-NEXT:  ^bb0(%[[X:.*]]: memref<40x64xf16>, %[[W1:.*]]: memref<64x64xf16>, %[[W2:.*]]: memref<64x48xf16>, %[[OUT:.*]]: memref<40x48xf16>):
// CHECK-DAG:     %[[H:.*]] = launch.buffer "kernel0" : memref<40x64xf16>
// CHECK-DAG:     %[[R:.*]] = launch.buffer "kernel1" : memref<40x48xf16>
// CHECK:         %[[SEMAPHORES:.*]] = launch.semaphores 6
// CHECK:         launch.kernel "chain_chain0" @chain_kernels
// CHECK-SAME:      [@chain_chain0_body0, @chain_chain0_body1, @chain_chain0_body2]
// CHECK-SAME:      uses(%[[SEMAPHORES]])
// CHECK-SAME:      grids {{\[}}[2, 2], [2, 2], [2, 2]] order
// CHECK-SAME:      residents = 2
// CHECK-LABEL: module @chain_kernels

// The first kernel waits for nothing, and posts the semaphore of its tile.
// CHECK-LABEL: func.func @chain_chain0_body0(
// CHECK-SAME:    %[[CONTEXT:[^:]*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-NOT:     tsync.wait
// CHECK:         tsync.post %{{.*}} scope(device) proxy(generic)
// CHECK-NEXT:    return

// CHECK-LABEL: func.func @chain_chain0_body2(
// The accumulators are cleared before anything is waited for.
// CHECK:         memref.store %{{.*}} : memref<32x32xf32>
// CHECK:         scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           scf.if
// CHECK:             tsync.wait %{{.*}} scope(device) proxy(generic)
// CHECK:           memref.load %{{.*}} : memref<40x64xf16, strided<[64, 1]>>
// CHECK:           math.fma
// CHECK:         tsync.wait %{{.*}} scope(device) proxy(generic)
// CHECK:         memref.load %{{.*}} : memref<40x48xf16, strided<[48, 1]>>
// CHECK:         arith.addf
// CHECK:         memref.store %{{.*}} : memref<40x48xf16, strided<[48, 1]>>
// CHECK-NOT:     tsync.post

func.func @chain(%x: tensor<40x64xf16>, %w1: tensor<64x64xf16>,
                 %w2: tensor<64x48xf16>) -> tensor<40x48xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>,
             affine_map<(i, j) -> (2, i, j)>] residents(2)
      : tensor<40x48xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<40x64xf16>, tensor<64x64xf16> -> tensor<40x64xf16>
    %r = tgemm.matmul %x, %w2 {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<40x64xf16>, tensor<64x48xf16> -> tensor<40x48xf16>
    %y = tgemm.matmul %h, %w2 epilogue(%r : tensor<40x48xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 32, n = 32, k = 32>
    } : tensor<40x64xf16>, tensor<64x48xf16> -> tensor<40x48xf16> {
    ^bb0(%acc: f32, %b: f16):
      %b32 = arith.extf %b : f16 to f32
      %sum = arith.addf %acc, %b32 : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.dependence %h -> %y operand 0 policy
      <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 2], counts = [1],
       lower = affine_map<(i, j, k) -> (i, k)>,
       upper = affine_map<(i, j, k) -> (i, k)>>
      : tensor<40x64xf16>, tensor<40x48xf16>
    tsync.dependence %r -> %y operand 2 policy
      <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [2],
       lower = affine_map<(i, j, k) -> (i)>,
       upper = affine_map<(i, j, k) -> (i)>>
      : tensor<40x48xf16>, tensor<40x48xf16>
    tsync.yield %y : tensor<40x48xf16>
  }
  return %0 : tensor<40x48xf16>
}
