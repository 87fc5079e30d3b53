// What cannot be proved within the budget is synchronised by one semaphore for
// a kernel, and the user is told, though the policy itself is found.

// RUN: grout-opt %s --tsync-form-chains --tsync-derive-dependences --tsync-assign-order --tsync-select-policy --tsync-verify | FileCheck %s --check-prefix=ROW
// RUN: grout-opt %s --tsync-form-chains --tsync-derive-dependences --tsync-assign-order --tsync-select-policy=max-proof-operations=2000 --tsync-verify 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Without an order there is no proof to fall back from.
// RUN: grout-opt %s --tsync-form-chains --tsync-derive-dependences --tsync-select-policy=max-proof-operations=2000 --tsync-assign-order --tsync-verify | FileCheck %s --check-prefix=ROW

// CHECK: tsync.chain {{.*}} residents(1)
// CHECK-COUNT-3: tsync.dependence {{.*}} policy <{{.*}} shape = [],
// ROW: tsync.chain {{.*}} residents(1)
// ROW: tsync.dependence {{.*}} policy <{{.*}} shape = [8],
// ROW: tsync.dependence {{.*}} policy <{{.*}} shape = [6],
// ROW: tsync.dependence {{.*}} policy <{{.*}} shape = [8],
// REMARK-COUNT-3: remark: each of its tiles waits for all tiles that make operand 0, since it takes too long to prove that fewer are enough

func.func @f(%x: tensor<512x256xf32>, %w: tensor<256x256xf32>) -> tensor<512x256xf32> {
  %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 32>} : tensor<512x256xf32>, tensor<256x256xf32> -> tensor<512x256xf32>
  %1 = tgemm.matmul %0, %w {tiling = #tgemm.tiling<m = 96, n = 64, k = 32>} : tensor<512x256xf32>, tensor<256x256xf32> -> tensor<512x256xf32>
  %2 = tgemm.matmul %1, %w {tiling = #tgemm.tiling<m = 64, n = 96, k = 32>} : tensor<512x256xf32>, tensor<256x256xf32> -> tensor<512x256xf32>
  %3 = tgemm.matmul %2, %w {tiling = #tgemm.tiling<m = 80, n = 96, k = 32>} : tensor<512x256xf32>, tensor<256x256xf32> -> tensor<512x256xf32>
  return %3 : tensor<512x256xf32>
}
