// RUN: grout-opt %s --grout-pipeline="target=h200 mode=serial edge-modes=pdl,pdl reference=false" \
// RUN:   | FileCheck %s
// RUN: grout-opt %s --grout-pipeline="target=h200 mode=serial edge-modes=overlap,overlap reference=false" \
// RUN:   | FileCheck %s

// The first product of a chain starts when all before has ended, and reads
// nothing of it; the others start early, and read what comes before the chain.
// So the first one has an edge to that.

// CHECK-LABEL: launch.plan @f
// CHECK: %[[BEFORE:.*]] = launch.kernel "f_kernel0_and_1_more"
// CHECK: launch.kernel "f_chain0_kernel0" {{.*}} after full(%[[BEFORE]])
// CHECK: launch.kernel "f_chain0_kernel1"
// CHECK: launch.kernel "f_chain0_kernel2"
func.func @f(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>, %a: tensor<256x256xf16>,
             %b: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<256x256xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<256x256xf16>) -> tensor<256x256xf16>
  %ea = linalg.exp ins(%a : tensor<256x256xf16>) outs(%e : tensor<256x256xf16>) -> tensor<256x256xf16>
  %eb = linalg.exp ins(%b : tensor<256x256xf16>) outs(%e : tensor<256x256xf16>) -> tensor<256x256xf16>
  %0 = linalg.matmul ins(%x, %w : tensor<256x256xf16>, tensor<256x256xf16>)
      outs(%z : tensor<256x256xf16>) -> tensor<256x256xf16>
  %1 = linalg.matmul ins(%0, %ea : tensor<256x256xf16>, tensor<256x256xf16>)
      outs(%z : tensor<256x256xf16>) -> tensor<256x256xf16>
  %2 = linalg.matmul ins(%1, %eb : tensor<256x256xf16>, tensor<256x256xf16>)
      outs(%z : tensor<256x256xf16>) -> tensor<256x256xf16>
  return %2 : tensor<256x256xf16>
}
