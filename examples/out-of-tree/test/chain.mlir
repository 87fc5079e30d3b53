// An op of one's own between two products, of ragged shapes: the passes, the
// artifact on the CPU with what finds a missing wait, and the kernels for a GPU.
//
// RUN: image-opt %s --grout-synchronised-pipeline='target=image-cpu reference=false' | FileCheck %s
// RUN: image-compile %s -o %t.grout --options='target=image-cpu mode=persistent'
// RUN: grout-run %t.grout --workers=8 --check --poison --inject-delays=1 --repeat=50 | FileCheck %s --check-prefix=RESULT
// RUN: image-compile %s -o %t.serial.grout --options='target=image-cpu mode=serial'
// RUN: grout-run %t.serial.grout --workers=4 --check --poison --inject-delays=1 | FileCheck %s --check-prefix=RESULT
//
// RUN: image-opt %s --grout-pipeline='target=image-h200 mode=overlap reference=false' | FileCheck %s --check-prefix=GPU
// RUN: image-compile %s -o %t.pdl.grout --options='target=image-h200 mode=pdl'
// RUN: grout-run %t.pdl.grout --info | FileCheck %s --check-prefix=INFO
// RUN: not image-compile %s -o %t.none.grout --options='target=image-h200 mode=persistent' 2>&1 | FileCheck %s --check-prefix=REFUSED

// Tiles of 16 rows wait for tiles of 64, and for those of the rows around them.
// CHECK-DAG: #[[LOWER:.*]] = affine_map<(d0, d1, d2) -> ((d0 - 1) floordiv 4, d1)>
// CHECK-DAG: #[[UPPER:.*]] = affine_map<(d0, d1, d2) -> ((d0 + 1) floordiv 4, d1)>
// CHECK: tsync.chain mode(persistent)
// CHECK: %[[H:.*]] = tgemm.matmul
// CHECK: %[[S:.*]] = image.smooth %[[H]]
// CHECK: %[[Y:.*]] = tgemm.matmul %[[S]]
// CHECK: tsync.dependence %[[H]] -> %[[S]] operand 0 {{.*}} lower = #[[LOWER]], upper = #[[UPPER]]>
// CHECK: tsync.dependence %[[S]] -> %[[Y]] operand 0

// RESULT: result0: {{.*}} passes

// GPU: launch.kernel "chain_chain0_kernel1" {{.*}} after tile({{.*}} args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>, #launch.arg<semaphores>] grids {{\[\[}}40]] {block = 256 : i64}
// GPU: llvm.func @chain_chain0_kernel1
// One thread waits, and all of the block behind it.
// GPU: llvm.load {{.*}} atomic syncscope("device") acquire
// GPU: nvvm.barrier0
// GPU: llvm.fmul
// GPU: nvvm.barrier0
// GPU: atomic

// INFO: chain for image-h200, mode pdl

// The kernels of a chain are one launch in this mode, which SmoothKernel does
// not handle.
// REFUSED: chain.mlir:[[#]]:8: error: cannot be compiled for image-h200: there are no kernels for 'tgemm.matmul' and 'image.smooth' in one launch

func.func @chain(%x: tensor<150x40xf32>, %w: tensor<40x200xf32>,
                 %v: tensor<200x24xf32>) -> tensor<150x24xf32> {
  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<150x200xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<150x200xf32>) -> tensor<150x200xf32>
  %h = linalg.matmul ins(%x, %w : tensor<150x40xf32>, tensor<40x200xf32>)
      outs(%hz : tensor<150x200xf32>) -> tensor<150x200xf32>
  %s = image.smooth %h : tensor<150x200xf32>
  %ye = tensor.empty() : tensor<150x24xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<150x24xf32>) -> tensor<150x24xf32>
  %y = linalg.matmul ins(%s, %v : tensor<150x200xf32>, tensor<200x24xf32>)
      outs(%yz : tensor<150x24xf32>) -> tensor<150x24xf32>
  return %y : tensor<150x24xf32>
}
