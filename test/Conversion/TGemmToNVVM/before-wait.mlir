// RUN: grout-opt %s --grout-set-target=name=h200 --convert-tiles-to-kernels | FileCheck %s

// A kernel that triggers before it waits does so first of all, and not again: a
// memory-bound one, a product, and attention. The plan says so of its launch.

// CHECK-LABEL: launch.plan @all
// CHECK:         launch.kernel "bound" {{.*}}triggers_before_wait} :
// CHECK:         launch.kernel "product" {{.*}}triggers_before_wait} :
// CHECK:         launch.kernel "attention" {{.*}}triggers_before_wait} :
// CHECK:         launch.kernel "last"
// CHECK-NOT:     triggers_before_wait

// CHECK-LABEL: llvm.func @bound(
// CHECK-NEXT:    llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
// CHECK-NEXT:    llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
// CHECK-NOT:     griddepcontrol.launch_dependents

// CHECK-LABEL: llvm.func @product(
// CHECK-NOT:     mbarrier.init
// CHECK:         "griddepcontrol.launch_dependents;"
// CHECK:         mbarrier.init
// CHECK-NOT:     griddepcontrol.launch_dependents
// CHECK:         "griddepcontrol.wait;"
// CHECK-NOT:     griddepcontrol.launch_dependents

// CHECK-LABEL: llvm.func @attention(
// CHECK-NOT:     mbarrier.init
// CHECK:         "griddepcontrol.launch_dependents;"
// CHECK:         mbarrier.init
// CHECK-NOT:     griddepcontrol.launch_dependents
// CHECK:         "griddepcontrol.wait;"
// CHECK-NOT:     griddepcontrol.launch_dependents
// CHECK-LABEL: llvm.func @last(
launch.plan @all inputs 2 {
^bb0(%x: memref<64x64xf16>, %w: memref<64x64xf16>, %o: memref<64x64xf16>):
  %h = launch.buffer "h" : memref<64x64xf16>
  %a = launch.buffer "a" : memref<64x64xf16>
  %b = launch.buffer "b" : memref<64x64xf16>
  %c = launch.buffer "c" : memref<1x1x64x64xf16>
  %first = launch.kernel "first" @m [@first] (%x, %h) writes [1] args [] grids [[1]]
    : memref<64x64xf16>, memref<64x64xf16>
  %t0 = launch.tiles "bound" ins(%h) outs(%a) after programmatic(%first)
      starts_early trigger(before_wait)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %empty = tensor.empty() : tensor<64x64xf16>
    %y = scop.kernel ins(%t : tensor<64x64xf16>) outs(%empty : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (i, j) -> (i, j)> -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %Y: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%X[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%Y[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %r = arith.negf %v : f16
        scop.yield %r : f16
      }
    }
    launch.yield %y : tensor<64x64xf16>
  }
  %t1 = launch.tiles "product" ins(%a, %w) outs(%b) after programmatic(%t0)
      starts_early early [] trigger(before_wait)
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %u: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %u {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %t2 = launch.tiles "attention" ins(%b) outs(%c) after programmatic(%t1)
      starts_early early [] trigger(before_wait)
      : (memref<64x64xf16>) -> memref<1x1x64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %q = tensor.expand_shape %t [[0, 1, 2], [3]] output_shape [1, 1, 64, 64]
      : tensor<64x64xf16> into tensor<1x1x64x64xf16>
    %y = tgemm.attention %q, %q, %q {
      scale = 0.125 : f32,
      tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 2>
    } : tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16> -> tensor<1x1x64x64xf16>
    launch.yield %y : tensor<1x1x64x64xf16>
  }
  %t3 = launch.tiles "last" ins(%b, %w) outs(%o) after programmatic(%t2)
      starts_early early []
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %u: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %u {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}
