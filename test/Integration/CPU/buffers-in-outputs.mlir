// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --info | FileCheck %s --check-prefix=INFO
// RUN: grout-run %t.grout --device=cpu --workers=2 --check --repeat=20 --poison | FileCheck %s
// RUN: grout-compile %s --mode=serial --target=h200 --emit=mlir -o - | FileCheck %s --check-prefix=GPU

// Two small products, and one whose result is large, as that of a language
// model's head: the first intermediate is in the bytes of the result, and the
// second, which is read while these are written, is in the workspace.

// INFO: plan on the CPU, workspace of 4096 bytes
// INFO: InOutput {{.*}} f16[32x64] at 0 of output 0
// INFO: Intermediate {{.*}} f16[32x64] at 0
// CHECK: all bitwise equal
// CHECK: y: relative error {{.*}}: passes

// GPU: launch.buffer "{{.*}}" at 0 of argument 4 : memref<32x64xf16>
// GPU: launch.buffer "{{.*}}" at 0 : memref<32x64xf16>

func.func @head(%x: tensor<32x64xf16>, %w1: tensor<64x64xf16>,
                %w2: tensor<64x64xf16>, %w3: tensor<64x1024xf16>)
    -> (tensor<32x1024xf16> {grout.name = "y"}) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<32x64xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<32x64xf16>)
    -> tensor<32x64xf16>
  %a = linalg.matmul ins(%x, %w1 : tensor<32x64xf16>, tensor<64x64xf16>)
    outs(%z : tensor<32x64xf16>) -> tensor<32x64xf16>
  %b = linalg.matmul ins(%a, %w2 : tensor<32x64xf16>, tensor<64x64xf16>)
    outs(%z : tensor<32x64xf16>) -> tensor<32x64xf16>
  %e3 = tensor.empty() : tensor<32x1024xf16>
  %z3 = linalg.fill ins(%zero : f16) outs(%e3 : tensor<32x1024xf16>)
    -> tensor<32x1024xf16>
  %y = linalg.matmul ins(%b, %w3 : tensor<32x64xf16>, tensor<64x1024xf16>)
    outs(%z3 : tensor<32x1024xf16>) -> tensor<32x1024xf16>
  return %y : tensor<32x1024xf16>
}
