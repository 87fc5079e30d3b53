// RUN: grout-opt %s --convert-tiles-to-kernels | FileCheck %s

// Elements that each round of an outer loop changes, and that start from another
// buffer: the first round reads that one, the others read what the one before has
// written.

// CHECK-LABEL: llvm.func @last(
// CHECK-SAME:      %[[X:.*]]: !llvm.ptr, %[[INIT:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr)
// CHECK: scf.for
// CHECK:   %[[ROUND:.*]] = arith.divui
// CHECK:   %[[FROM:.*]] = llvm.addrspacecast %[[INIT]]
// CHECK:   %[[ELEMENT:.*]] = llvm.getelementptr %[[FROM]]
// CHECK:   %[[FIRST:.*]] = llvm.load %[[ELEMENT]]
// CHECK:   %[[IS_FIRST:.*]] = arith.cmpi eq, %[[ROUND]], %c0
// CHECK:   %[[TO:.*]] = llvm.addrspacecast %[[OUT]]
// CHECK:   %[[ELEMENT:.*]] = llvm.getelementptr %[[TO]]
// CHECK:   %[[LATER:.*]] = llvm.load %[[ELEMENT]]
// CHECK:   arith.select %[[IS_FIRST]], %[[FIRST]], %[[LATER]] : f32
module attributes {grout.target = #grout.target<"h200">} {
launch.plan @f inputs 2 {
^bb0(%x: memref<33x5xf32>, %init: memref<1x5xf32>, %out: memref<1x5xf32>):
  %t = launch.tiles "last" ins(%x, %init) outs(%out) : (memref<33x5xf32>, memref<1x5xf32>) -> memref<1x5xf32> {
  ^bb0(%a: tensor<33x5xf32>, %i: tensor<1x5xf32>):
    %r = scop.kernel ins(%a : tensor<33x5xf32>) outs(%i : tensor<1x5xf32>)
        schedule <[linear band 0, linear band 1 coincident, linear band 2 coincident], @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<1x5xf32> {
    ^bb0(%from: memref<33x5xf32>, %to: memref<1x5xf32>):
      scop.stmt @S domain [33, 1, 5] reads(%from[(d0, d1, d2) -> (d0, d1 * 5 + d2)] : memref<33x5xf32>, %to[(d0, d1, d2) -> (d1, d2)] : memref<1x5xf32>) writes(%to[(d0, d1, d2) -> (d1, d2)] : memref<1x5xf32>) {
      ^bb0(%v: f32, %w: f32):
        %m = arith.mulf %w, %v : f32
        %n = arith.subf %m, %v : f32
        scop.yield %n : f32
      }
    }
    launch.yield %r : tensor<1x5xf32>
  }
}
}
