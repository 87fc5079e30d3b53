// RUN: grout-compile %s --target=h200 --no-reference --emit=mlir -o - \
// RUN:   | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX

// A softmax between two products: launches in the order of the function.

// CHECK-LABEL: launch.plan @scores
// CHECK: launch.kernel "scores_chain0"
// CHECK: launch.kernel "scores_kernel0"
// CHECK: launch.kernel "scores_chain1"

// PTX-DAG: .entry scores_kernel0
// PTX-DAG: .entry scores_chain1
func.func @scores(%q: tensor<128x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<128x64xf16> {
  %zero = arith.constant 0.0 : f16
  %se = tensor.empty() : tensor<128x256xf16>
  %s0 = linalg.fill ins(%zero : f16) outs(%se : tensor<128x256xf16>) -> tensor<128x256xf16>
  %s = linalg.matmul ins(%q, %k : tensor<128x64xf16>, tensor<64x256xf16>) outs(%s0 : tensor<128x256xf16>) -> tensor<128x256xf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<128x256xf16>) outs(%se : tensor<128x256xf16>) -> tensor<128x256xf16>
  %oe = tensor.empty() : tensor<128x64xf16>
  %o0 = linalg.fill ins(%zero : f16) outs(%oe : tensor<128x64xf16>) -> tensor<128x64xf16>
  %o = linalg.matmul ins(%p, %v : tensor<128x256xf16>, tensor<256x64xf16>) outs(%o0 : tensor<128x64xf16>) -> tensor<128x64xf16>
  return %o : tensor<128x64xf16>
}
