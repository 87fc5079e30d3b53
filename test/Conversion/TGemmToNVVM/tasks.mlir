// RUN: grout-opt %s --convert-tgemm-to-nvvm --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=FREE < %t.mlir
// RUN: FileCheck %s --check-prefix=ORDERED < %t.mlir
// RUN: FileCheck %s --check-prefix=APART < %t.mlir

// How blocks come to their tasks.

// Where no tile waits for a tile, a block begins with the task of its own number,
// and draws tickets for those after the first of all blocks. Before that, a
// thread that has nothing else to do fetches the tensor maps.

// FREE-LABEL: llvm.func @free_chain0_kernel0(
// FREE:         %[[IS_FETCHER:.*]] = arith.cmpi eq, %{{.*}}, %c32_i32
// FREE-NEXT:    scf.if %[[IS_FETCHER]] {
// FREE-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %arg0
// FREE-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %arg1
// FREE-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %arg2
// FREE-NEXT:    }
// FREE:         nvvm.barrier0
// FREE-COUNT-3: nvvm.elect.sync
// FREE:         scf.while (%[[PARITY:.*]] = %c0_i32, %[[IS_FIRST:.*]] = %true)
// FREE:           nvvm.mbarrier.try_wait
// FREE:           %[[TASK:.*]] = scf.if %[[IS_FIRST]] -> (i32) {
// FREE-NEXT:        %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// FREE-NEXT:        scf.yield %[[BLOCK]]
// FREE-NEXT:      } else {
// FREE-NEXT:        %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// FREE:             %[[TICKET:.*]] = llvm.atomicrmw add
// FREE-NEXT:        %[[LATER:.*]] = arith.addi %[[BLOCKS]], %[[TICKET]]
// FREE-NEXT:        scf.yield %[[LATER]]
// FREE-NEXT:      }
// FREE-NEXT:      arith.cmpi ult, %[[TASK]], %arg5
// FREE:         } do {
// FREE-NEXT:    ^bb0(%[[PARITY:.*]]: i32):
// FREE-NEXT:      %[[NEXT:.*]] = arith.xori %[[PARITY]], %c1_i32
// FREE-NEXT:      scf.yield %[[NEXT]], %false
func.func @free(%x: tensor<1024x4096xf16>, %w: tensor<4096x6144xf16>)
    -> tensor<1024x6144xf16> {
  %0 = tsync.chain mode(serial) : tensor<1024x6144xf16> {
    %y = tgemm.matmul %x, %w {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<1024x4096xf16>, tensor<4096x6144xf16> -> tensor<1024x6144xf16>
    tsync.yield %y : tensor<1024x6144xf16>
  }
  return %0 : tensor<1024x6144xf16>
}

// Where one waits, blocks that do not run yet must hold no task: all come by
// ticket.

// ORDERED-LABEL: llvm.func @ordered_chain0(
// ORDERED-NOT:     nvvm.read.ptx.sreg.ctaid.x
// ORDERED:         %[[TICKET:.*]] = llvm.atomicrmw add
// ORDERED-NEXT:    arith.cmpi ult, %[[TICKET]], %arg
// ORDERED-NOT:     nvvm.read.ptx.sreg.ctaid.x
// ORDERED:       llvm.func @apart_chain0(
func.func @ordered(%x: tensor<128x128xf16>) -> tensor<128x128xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<128x128xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    %z = tgemm.matmul %y, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    tsync.dependence %y -> %z operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [2],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x128xf16>, tensor<128x128xf16>
    tsync.yield %z : tensor<128x128xf16>
  }
  return %0 : tensor<128x128xf16>
}

// In one kernel, but independent of each other; clusters begin with the task of
// the cluster's number, and their number comes before all tickets.

// APART-LABEL: llvm.func @apart_chain0(
// APART:         %[[TASK:.*]] = scf.if %{{.*}} -> (i32) {
// APART-NEXT:      %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// APART-NEXT:      %[[CLUSTER:.*]] = arith.shrui %[[BLOCK]], %c2_i32
// APART-NEXT:      scf.yield %[[CLUSTER]]
// APART-NEXT:    } else {
// APART-NEXT:      %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// APART-NEXT:      %[[CLUSTERS:.*]] = arith.shrui %[[BLOCKS]], %c2_i32
// APART:           %[[TICKET:.*]] = llvm.atomicrmw add
// APART-NEXT:      %[[LATER:.*]] = arith.addi %[[CLUSTERS]], %[[TICKET]]
// APART-NEXT:      scf.yield %[[LATER]]
func.func @apart(%x: tensor<512x512xf16>)
    -> (tensor<512x512xf16>, tensor<512x512xf16>) {
  %0:2 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<512x512xf16>, tensor<512x512xf16> {
    %y = tgemm.matmul %x, %x {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 4>
    } : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    %z = tgemm.matmul %x, %x {
      tiling = #tgemm.tiling<m = 256, n = 64, k = 64, cluster_m = 4>
    } : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    tsync.yield %y, %z : tensor<512x512xf16>, tensor<512x512xf16>
  }
  return %0#0, %0#1 : tensor<512x512xf16>, tensor<512x512xf16>
}
