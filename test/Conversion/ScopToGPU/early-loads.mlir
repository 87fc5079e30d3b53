// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule=tree=auto --scop-assign-gpu-tiling --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=FIRST < %t.mlir
// RUN: grout-opt %t.mlir --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX

// The second kernel loads the weights, which no launch writes, before it waits
// for the first, and what that makes behind. Its addresses are computed before,
// too.

// CHECK-LABEL: llvm.func @scale_kernel1(
// CHECK-NOT:   griddepcontrol
// CHECK:       %[[WEIGHTS:.*]] = llvm.addrspacecast %arg1
// CHECK:       %[[ADDRESS:.*]] = llvm.getelementptr %[[WEIGHTS]]
// CHECK-NEXT:  llvm.load %[[ADDRESS]]
// CHECK-NOT:   llvm.load
// CHECK:       "griddepcontrol.wait;", "~{memory}"
// CHECK-NOT:   llvm.addrspacecast %arg1
// CHECK:       %[[MADE:.*]] = llvm.addrspacecast %arg0
// CHECK-NEXT:  %[[ADDRESS:.*]] = llvm.getelementptr %[[MADE]]
// CHECK-NEXT:  llvm.load %[[ADDRESS]]
// CHECK:       llvm.store

// What precedes the plan may still write what the first one reads.

// FIRST-LABEL: llvm.func @scale_kernel0(
// FIRST-NOT:   llvm.load
// FIRST:       "griddepcontrol.wait;", "~{memory}"
// FIRST:       llvm.load

// PTX-LABEL: .entry scale_kernel1(
// PTX:       ld.global
// PTX-NOT:   ld.global
// PTX:       griddepcontrol.wait;
// PTX:       ld.global
func.func @scale(%x: tensor<64x1024xf32>, %w: tensor<64x1024xf32>)
    -> tensor<64x1024xf32> {
  %empty = tensor.empty() : tensor<64x1024xf32>
  %h = scop.kernel ins(%x : tensor<64x1024xf32>)
      outs(%empty : tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  ^bb0(%from: memref<64x1024xf32>, %to: memref<64x1024xf32>):
    scop.stmt @S domain [64, 1024]
        reads(%from[(i, j) -> (i, j)] : memref<64x1024xf32>)
        writes(%to[(i, j) -> (i, j)] : memref<64x1024xf32>) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      scop.yield %b : f32
    }
  }
  %y = scop.kernel ins(%h, %w : tensor<64x1024xf32>, tensor<64x1024xf32>)
      outs(%empty : tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  ^bb0(%from: memref<64x1024xf32>, %by: memref<64x1024xf32>,
       %to: memref<64x1024xf32>):
    scop.stmt @S domain [64, 1024]
        reads(%from[(i, j) -> (i, j)] : memref<64x1024xf32>,
              %by[(i, j) -> (i, j)] : memref<64x1024xf32>)
        writes(%to[(i, j) -> (i, j)] : memref<64x1024xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %y : tensor<64x1024xf32>
}
