// RUN: not grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},tsync-derive-dependences,tsync-assign-order,tsync-select-policy,tsync-verify,launch-form-plans,launch-schedule,convert-tiles-to-kernels)' --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s
// RUN: sed 's/mode(persistent)/mode(serial)/' %s > %t.mlir
// RUN: not grout-opt %t.mlir --pass-pipeline='builtin.module(grout-set-target{name=h200},tsync-derive-dependences,tsync-assign-order,tsync-select-policy,tsync-verify,launch-form-plans,launch-schedule,convert-tiles-to-kernels)' --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s

// The error is at the kernel that no generator knows, in every mode, and not at
// the launch that it shares with one that is known.

// CHECK-NOT: error
// CHECK: :[[#@LINE+6]]:10: error: 'linalg.transpose' op cannot be compiled for h200: there are no kernels for 'linalg.transpose'
// CHECK: note: a LaunchGenerator of the target makes them
// CHECK-NOT: error
func.func @shared(%x: tensor<128x128xf16>, %e: tensor<128x128xf16>) -> tensor<128x128xf16> {
  %0 = tsync.chain mode(persistent) : tensor<128x128xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4>} : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    %t = linalg.transpose ins(%h : tensor<128x128xf16>) outs(%e : tensor<128x128xf16>) permutation = [1, 0] {grout.tile_sizes = array<i64: 64, 64>}
    tsync.yield %t : tensor<128x128xf16>
  }
  return %0 : tensor<128x128xf16>
}
