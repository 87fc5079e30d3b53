// RUN: grout-opt %s --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse | FileCheck %s

// Two blocks run three steps each, and steps 2 and 3 read of the same tile. A block
// waits at its first step even so: the step before is the other block's.

// CHECK-LABEL: llvm.func @chain_chain0(
// CHECK-COUNT-2: nvvm.elect.sync
// CHECK:         default {
// CHECK:         scf.for %[[I:.*]] = %c0_i32 to %c3_i32 step %c1_i32
// CHECK-NEXT:      arith.addi %{{.*}}, %[[I]]
// CHECK-NEXT:      %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %c0_i32
// CHECK:           %[[DIFFERS:.*]] = arith.cmpi ne,
// CHECK:           %[[CHANGED:.*]] = arith.ori %{{.*}}, %[[DIFFERS]]
// CHECK:           %[[WAITS:.*]] = arith.ori %[[IS_FIRST]], %{{.*}}
// CHECK-NEXT:      scf.if %[[WAITS]] {
// CHECK:             tsync.wait
func.func @chain(%x: tensor<64x256xf16>, %w1: tensor<256x384xf16>,
                 %w2: tensor<384x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4, cluster_n = 2>
    } : tensor<64x256xf16>, tensor<256x384xf16> -> tensor<64x384xf16>
    %y = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 2>
    } : tensor<64x384xf16>, tensor<384x64xf16> -> tensor<64x64xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [1, 3], counts = [1],
         lower = affine_map<(i, j, k) -> (i, k floordiv 2)>,
         upper = affine_map<(i, j, k) -> (i, k floordiv 2)>>
        : tensor<64x384xf16>, tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
