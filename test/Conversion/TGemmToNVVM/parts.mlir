// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=serial --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.serial.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.serial.mlir
// RUN: FileCheck %s --check-prefix=WAIT < %t.serial.mlir
// RUN: grout-opt %t.serial.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=POST < %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=persistent --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.persistent.mlir
// RUN: FileCheck %s --check-prefix=ONE < %t.persistent.mlir
// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=overlap --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.overlap.mlir
// RUN: FileCheck %s --check-prefix=OVERLAP < %t.overlap.mlir
// RUN: grout-opt %s --tgemm-expand-stream-k --tsync-form-chains=mode=pdl --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.pdl.mlir
// RUN: FileCheck %s --check-prefix=PDL < %t.pdl.mlir
// RUN: %if ptxas %{ grout-opt %t.serial.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ grout-opt %t.persistent.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT-ONE %}
// RUN: %if ptxas %{ grout-opt %t.overlap.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ grout-opt %t.pdl.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Two products, of which the second has two of its four columns of tiles in
// three parts: 2 x 2 x 2 partial sums, which run in one launch with the tiles in
// every mode.

// Where launches wait for launches, the second has semaphores of its own, one
// for each tile with parts, and the first has none.

// PLAN-LABEL: launch.plan @two
// PLAN:       launch.buffer "kernel1" : memref<2x2x2x24576xf32>
// PLAN:       launch.kernel "two_chain0_kernel0"
// PLAN-NOT:     uses
// PLAN:       %[[SEMAPHORES:.*]] = launch.semaphores 4
// PLAN:       launch.kernel "two_chain0_kernel1"
// PLAN-SAME:    uses(%[[SEMAPHORES]])
// PLAN-SAME:    grids {{\[\[}}2, 2, 2], [2, 4]]
// PLAN-NOT:   launch.kernel

// One thread of a warpgroup waits, and the barrier passes it on. Tiles without
// parts do neither.

// WAIT-LABEL: llvm.func @two_chain0_kernel1
// WAIT-COUNT-1: tsync.wait %{{.*}} scope(device) proxy(generic)
// WAIT-NOT:   tsync.wait
// WAIT:       }

// ONE:      launch.semaphores 14
// ONE:      launch.kernel "two_chain0"
// ONE-SAME:   grids {{\[\[}}2, 4], [2, 2, 2], [2, 4]]
// ONE-NOT:  launch.kernel

// OVERLAP:      %[[SEMAPHORES:.*]] = launch.semaphores 14
// OVERLAP:      launch.kernel "two_chain0_kernel0"
// OVERLAP-SAME:   uses(%[[SEMAPHORES]])
// OVERLAP:      launch.kernel "two_chain0_kernel1"
// OVERLAP-SAME:   uses(%[[SEMAPHORES]])
// OVERLAP-SAME:   #launch.arg<semaphores>

// PDL:      launch.kernel "two_chain0_kernel0"
// PDL-NOT:    uses
// PDL:      %[[SEMAPHORES:.*]] = launch.semaphores 4
// PDL:      launch.kernel "two_chain0_kernel1"
// PDL-SAME:   after programmatic(
// PDL-SAME:   uses(%[[SEMAPHORES]])

// Nobody waits for tiles of the result, so only the storer of parts posts: when
// the warps of both warpgroups have arrived, and it has told them so.

// POST-LABEL:   .visible .entry two_chain0_kernel1
// POST:         cp.async.bulk.wait_group.read 0
// POST:         mbarrier.try_wait.parity
// POST:         mbarrier.arrive.shared.b64
// POST:         mbarrier.try_wait.parity
// POST:         mbarrier.arrive.shared.b64
// POST-NOT:     mbarrier
// POST:         red.release.gpu.global.add.u32
// POST-NOT:     red.release

// In a tile with parts, one thread of a warpgroup waits, and a barrier passes it
// on; then each thread loads its 96 accumulators, 16 bytes at a time, once in a
// loop over the parts. In a part it stores them, and the warp tells the storer.

// PTX-LABEL:    .visible .entry two_chain0_kernel1
// PTX:          setmaxnreg.inc
// PTX:          ld.acquire.gpu.global.b32
// PTX:          bar.sync {{.*}}, 128;
// PTX-COUNT-24: ld.global.v4.b32
// PTX-NOT:      ld.global
// PTX:          mbarrier.arrive
// PTX-COUNT-24: st.global.v4.b32
// PTX-NOT:      st.global
// PTX:          bar.warp.sync
// PTX:          mbarrier.arrive.shared.b64
// PTX-NOT:      ld.global.nc

// REPORT-DAG: two_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: two_chain0_kernel1: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-NOT: {{.}}
// REPORT-ONE: two_chain0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-ONE-NOT: {{.}}

func.func @two(%x: tensor<250x512xf16>, %w1: tensor<512x768xf16>, %w2: tensor<768x760xf16>) -> tensor<250x760xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 192, k = 64, stages = 4>}
    : tensor<250x512xf16>, tensor<512x768xf16> -> tensor<250x768xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 128, n = 192, k = 64, stages = 4, stream_k = 3, tail = 2>}
    : tensor<250x768xf16>, tensor<768x760xf16> -> tensor<250x760xf16>
  return %y : tensor<250x760xf16>
}
