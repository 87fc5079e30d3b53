// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s --check-prefix=PLAN

// All launches start early, the first one after whatever comes before the plan:
// each waits before it touches memory, and lets the next one start.

// PLAN: launch.kernel "three_kernel0"
// PLAN-SAME: after programmatic(
// PLAN: launch.kernel "three_kernel1"
// PLAN-SAME: after programmatic(
// PLAN: launch.kernel "three_kernel2"
// PLAN-SAME: after programmatic(

// CHECK-LABEL: llvm.func @three_kernel0(
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
// CHECK-NOT: griddepcontrol
// CHECK-LABEL: llvm.func @three_kernel1(
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
// CHECK-NOT: griddepcontrol
// CHECK-LABEL: llvm.func @three_kernel2(
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
// CHECK-NOT: griddepcontrol
func.func @three(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a = scop.kernel ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = arith.negf %v : f32
      scop.yield %r : f32
    }
  }
  %b = scop.kernel ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = arith.addf %v, %v : f32
      scop.yield %r : f32
    }
  }
  %c = scop.kernel ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<1024xf32> {
  ^bb0(%X: memref<1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S domain [1024] reads(%X[(d0) -> (d0)] : memref<1024xf32>) writes(%Y[(d0) -> (d0)] : memref<1024xf32>) {
    ^bb0(%v: f32):
      %r = arith.mulf %v, %v : f32
      scop.yield %r : f32
    }
  }
  return %c : tensor<1024xf32>
}
