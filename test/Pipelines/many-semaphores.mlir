// More rows of tiles than a chain may have semaphores: auto waits for whole
// kernels there, and for rows where there are semaphores for them; row is
// refused. Nothing takes longer for so many tiles.

// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=persistent" 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: grout-compile %s --target=h200 --mode=persistent --no-reference --emit=ptx -o %t.ptx
// RUN: grout-compile %s --target=cpu --mode=persistent --no-reference -o %t
// RUN: not grout-compile %s --target=h200 --mode=persistent --granularity=row -o %t 2>&1 | FileCheck %s --check-prefix=ROW

// CHECK: tsync.chain {{.*}} residents(1)
// CHECK-COUNT-3: tsync.dependence {{.*}} policy <{{.*}} shape = [1048576, 1],
// CHECK-COUNT-2: tsync.dependence {{.*}} policy <{{.*}} shape = [],
// REMARK-NOT: remark
// REMARK: :[[#@LINE + 12]]:{{[0-9]+}}: remark: each of its tiles waits for all tiles that make operand 0, since waits for fewer need more than the 4194304 semaphores that a chain may have
// REMARK: :[[#@LINE + 12]]:{{[0-9]+}}: remark: each of its tiles waits
// REMARK-NOT: remark
// ROW: error: 'tsync.dependence' op is one of a chain that needs more than 4194304 semaphores; a coarser granularity needs fewer
func.func @f(%x0: tensor<536870912x64xf16>, %w: tensor<64x64xf16>) -> tensor<536870912x64xf16> {
  %c = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<536870912x64xf16>
  %z = linalg.fill ins(%c : f16) outs(%e : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  %x1 = linalg.matmul ins(%x0, %w : tensor<536870912x64xf16>, tensor<64x64xf16>) outs(%z : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  %x2 = linalg.matmul ins(%x1, %w : tensor<536870912x64xf16>, tensor<64x64xf16>) outs(%z : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  %x3 = linalg.matmul ins(%x2, %w : tensor<536870912x64xf16>, tensor<64x64xf16>) outs(%z : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  %x4 = linalg.matmul ins(%x3, %w : tensor<536870912x64xf16>, tensor<64x64xf16>) outs(%z : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  %x5 = linalg.matmul ins(%x4, %w : tensor<536870912x64xf16>, tensor<64x64xf16>) outs(%z : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  %x6 = linalg.matmul ins(%x5, %w : tensor<536870912x64xf16>, tensor<64x64xf16>) outs(%z : tensor<536870912x64xf16>) -> tensor<536870912x64xf16>
  return %x6 : tensor<536870912x64xf16>
}
