// RUN: image-opt %s --pass-pipeline='builtin.module(grout-set-target{name=image-h200},func.func(convert-linalg-to-scop,scop-build-constraint-tree{policy=program-order}))' | FileCheck %s
// RUN: image-opt %s --pass-pipeline='builtin.module(grout-set-target{name=image-h200},func.func(convert-linalg-to-scop,scop-schedule{tree=program-order},scop-verify-schedule))' | FileCheck %s --check-prefix=SCHEDULE
// RUN: image-opt %s --grout-pipeline='target=image-h200 reference=false scop-tree=program-order' | FileCheck %s --check-prefix=KERNEL

// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] map thread_x vector 4 {

// SCHEDULE: schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 4], @S0 = (d0, d1) -> (d0, d1)>

// KERNEL: llvm.func @transpose_kernel0
// KERNEL: llvm.store {{.*}} : vector<4xf32>

func.func @transpose(%x: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %y = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  return %y : tensor<32x64xf32>
}
