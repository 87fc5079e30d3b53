// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=FREE < %t.mlir
// RUN: FileCheck %s --check-prefix=ORDERED < %t.mlir
// RUN: FileCheck %s --check-prefix=APART < %t.mlir
// RUN: FileCheck %s --check-prefix=GROUPS < %t.mlir

// How blocks come to their tasks.

// Where no tile waits for a tile, and all are of one product, a block has the
// task of its own number, and every so many after it as there are blocks. Where
// they are in the order of the grid's dimensions, that is all there is to know.
// A thread that has nothing else to do fetches the tensor maps while the barriers
// are made ready. Later tasks are published at
// 164016; that place is full at 163904, and empty at 163912, which three helpers
// and eight warps say.

// FREE-LABEL: llvm.func @free_chain0_kernel0(
// FREE:         %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// FREE-NEXT:    %[[COLUMN:.*]] = arith.remui %[[BLOCK]], %c48_i32
// FREE-NEXT:    %[[ROW:.*]] = arith.divui %[[BLOCK]], %c48_i32
// FREE-NEXT:    %[[PLACE:.*]] = llvm.insertelement %[[COLUMN]], %{{.*}}[%c2_i32
// FREE-NEXT:    %[[TASK:.*]] = llvm.insertelement %[[ROW]], %[[PLACE]][%c1_i32
// FREE-NEXT:    %[[IS_FETCHER:.*]] = arith.cmpi eq, %{{.*}}, %c32_i32
// FREE-NEXT:    scf.if %[[IS_FETCHER]] {
// FREE-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %arg0
// FREE-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %arg1
// FREE-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %arg2
// FREE-NEXT:    }
// FREE:         %[[AT:.*]] = arith.addi %{{.*}}, %c163904_i32
// FREE-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// FREE-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c1_i32
// FREE-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c163912_i32
// FREE-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// FREE-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c11_i32
// FREE:         nvvm.barrier0

// A loader waits for nothing before its first task, says that it has it, and
// waits for round 0 when its loads are issued.
// FREE:         nvvm.elect.sync
// FREE-NOT:     nvvm.mbarrier
// FREE:           %[[BODY:.*]] = llvm.extractelement %[[TASK]][%c0_i32
// FREE-NEXT:      %[[COLUMN:.*]] = llvm.extractelement %[[TASK]][%c2_i32
// FREE-NEXT:      scf.while (%{{.*}} = %c0_i32, %[[BODY1:.*]] = %[[BODY]], %{{.*}} = %[[COLUMN]],
// FREE-NEXT:        arith.cmpi ne, %[[BODY1]], %c-1_i32
// FREE:           ^bb0(%[[PARITY:[^:]*]]: i32,
// FREE-NOT:         nvvm.cp.async
// FREE:             %[[AT:.*]] = arith.addi %{{.*}}, %c163912_i32
// FREE-NEXT:        %[[EMPTY:.*]] = llvm.inttoptr %[[AT]]
// FREE-NEXT:        nvvm.mbarrier.arrive %[[EMPTY]]
// FREE:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1,
// FREE:             %[[NEXT:.*]] = arith.xori %[[PARITY]], %c1_i32
// FREE-NEXT:        %[[AT:.*]] = arith.addi %{{.*}}, %c163904_i32
// FREE-NEXT:        %[[FULL:.*]] = llvm.inttoptr %[[AT]]
// FREE:             nvvm.mbarrier.try_wait %[[FULL]], %[[PARITY]] :
// FREE:             %[[AT:.*]] = arith.addi %{{.*}}, %c164016_i32
// FREE-NEXT:        %[[PLACE:.*]] = llvm.inttoptr %[[AT]]
// FREE-NEXT:        %[[WORDS:.*]] = llvm.load %[[PLACE]]
// FREE-NEXT:        %[[BODY:.*]] = llvm.extractelement %[[WORDS]][%c0_i32
// FREE-NEXT:        %[[COLUMN:.*]] = llvm.extractelement %[[WORDS]][%c2_i32
// FREE-NEXT:        scf.yield %[[NEXT]], %[[BODY]], %[[COLUMN]],

// The scheduler publishes the second task in round 0, when all have read the
// first: that is round 0 of what is empty. It draws no ticket, and leaves the
// synchronisation state alone.
// FREE-COUNT-2: nvvm.elect.sync
// FREE-NOT:     nvvm.mbarrier
// FREE:         scf.while (%[[ROUND:.*]] = %c0_i32)
// FREE-NEXT:      %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// FREE-NEXT:      %[[AT:.*]] = arith.addi %{{.*}}, %c163912_i32
// FREE-NEXT:      %[[EMPTY:.*]] = llvm.inttoptr %[[AT]]
// FREE:           nvvm.mbarrier.try_wait %[[EMPTY]], %[[PARITY]] :
// FREE-NOT:       llvm.atomicrmw
// FREE:           %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// FREE-NEXT:      %[[NEXT:.*]] = arith.addi %[[ROUND]], %c1_i32
// FREE-NEXT:      %[[BEFORE:.*]] = arith.muli %[[NEXT]], %[[BLOCKS]]
// FREE-NEXT:      %[[NUMBER:.*]] = arith.addi %[[BLOCK]], %[[BEFORE]]
// FREE-NEXT:      %[[IS_TASK:.*]] = arith.cmpi ult, %[[NUMBER]], %arg5
// FREE-NEXT:      scf.if %[[IS_TASK]]
// FREE:           %[[AT:.*]] = arith.addi %{{.*}}, %c163904_i32
// FREE-NEXT:      %[[FULL:.*]] = llvm.inttoptr %[[AT]]
// FREE-NEXT:      nvvm.mbarrier.arrive %[[FULL]]
// FREE-NEXT:      scf.condition(%[[IS_TASK]]) %[[ROUND]]
// FREE:         ^bb0(%[[ROUND:.*]]: i32):
// FREE-NEXT:      %[[NEXT:.*]] = arith.addi %[[ROUND]], %c1_i32
// FREE-NEXT:      scf.yield %[[NEXT]]
// FREE-NOT:     llvm.atomicrmw

// Consumers go by the first lane's words, and say at once that they need the
// place no more.
// FREE:         nvvm.setmaxregister increase
// FREE-NOT:     nvvm.mbarrier
// FREE:         llvm.extractelement %[[TASK]][%c0_i32
// FREE-NEXT:    %[[BODY:.*]] = nvvm.shfl.sync
// FREE-NOT:     nvvm.mbarrier
// FREE:         scf.while (%{{.*}} = %c0_i32, %{{.*}} = %[[BODY]],
// FREE:         ^bb0(%[[PARITY:[^:]*]]: i32,
// FREE-NEXT:      nvvm.bar.warp.sync
// FREE:           arith.addi %{{.*}}, %c163912_i32
// FREE-NOT:       wgmma
// FREE:           nvvm.mbarrier.arrive
// FREE:           nvvm.wgmma
// FREE:           nvvm.mbarrier.try_wait %{{.*}}, %[[PARITY]] :
// FREE:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3>
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
// ticket. Round 0 is the first task's, for readers and for the scheduler, and
// nobody has read anything before it.

// ORDERED-LABEL: llvm.func @ordered_chain0(
// ORDERED-NOT:     {{nvvm.read.ptx.sreg.ctaid.x|llvm.load}}
// ORDERED:         nvvm.elect.sync
// ORDERED-NOT:     {{nvvm.read.ptx.sreg.ctaid.x|llvm.load}}
// ORDERED:           %[[AT:.*]] = arith.addi %{{.*}}, %c49184_i32
// ORDERED-NEXT:      %[[FULL:.*]] = llvm.inttoptr %[[AT]]
// ORDERED:           nvvm.mbarrier.try_wait %[[FULL]], %c0_i32 :
// ORDERED:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3>
// ORDERED:           scf.while (%{{.*}} = %c1_i32,
// ORDERED:           ^bb0(%[[PARITY:[^:]*]]: i32,
// ORDERED:             %[[AT:.*]] = arith.addi %{{.*}}, %c49192_i32
// ORDERED-NEXT:        %[[EMPTY:.*]] = llvm.inttoptr %[[AT]]
// ORDERED-NEXT:        nvvm.mbarrier.arrive %[[EMPTY]]
// ORDERED:             nvvm.mbarrier.try_wait %[[FULL]], %[[PARITY]] :
// ORDERED-COUNT-2: nvvm.elect.sync
// ORDERED-NOT:     nvvm.read.ptx.sreg.ctaid.x
// ORDERED:         scf.while (%[[ROUND:.*]] = %c0_i32)
// ORDERED:           %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// ORDERED-DAG:       %[[AT:.*]] = arith.addi %{{.*}}, %c49192_i32
// ORDERED-DAG:       %[[WRITER:.*]] = arith.xori %[[PARITY]], %c1_i32
// ORDERED:           %[[EMPTY:.*]] = llvm.inttoptr %[[AT]]
// ORDERED:           nvvm.mbarrier.try_wait %[[EMPTY]], %[[WRITER]] :
// ORDERED:           %[[TICKET:.*]] = llvm.atomicrmw add
// ORDERED-NEXT:      arith.cmpi ult, %[[TICKET]], %arg
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
// the cluster's number, and their number comes before all tickets, which balance
// tasks that need not take equally long. Four blocks'
// eight readers each, of which one is the scheduler, say to the first block when
// they have read a task: 32 arrivals at 61480.

// APART-LABEL: llvm.func @apart_chain0(
// APART:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// APART:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// APART-NEXT:    %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// APART-NEXT:    %[[CLUSTER:.*]] = arith.shrui %[[BLOCK]], %c2_i32
// APART-NEXT:    %[[LIST:.*]] = llvm.addrspacecast %arg5
// APART-NEXT:    %[[INDEX:.*]] = arith.extui %[[CLUSTER]]
// APART-NEXT:    %[[BYTES:.*]] = arith.muli %[[INDEX]], %c16_i64
// APART-NEXT:    %[[AT:.*]] = llvm.getelementptr %[[LIST]][%[[BYTES]]]
// APART-NEXT:    %[[TASK:.*]] = llvm.load %[[AT]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// APART:         %[[AT:.*]] = arith.addi %{{.*}}, %c61480_i32
// APART-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// APART-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c32_i32

// A loader's first task has a body, too.
// APART:         nvvm.elect.sync
// APART-NOT:     nvvm.mbarrier
// APART:           %[[BODY:.*]] = llvm.extractelement %[[TASK]][%c0_i32
// APART:           scf.while (%{{.*}} = %c0_i32, %{{.*}} = %[[BODY]],
// APART-NOT:       nvvm.mbarrier
// APART:           scf.index_switch

// Every scheduler says once, at its start, that it needs no first task. It
// says so of each later one when it has read it, of the last one, too; for that
// the first block waits in the end: for the phase after that of the last round.
// APART-COUNT-2: nvvm.elect.sync
// APART:         %[[AT:.*]] = arith.addi %{{.*}}, %c61480_i32
// APART-NEXT:    %[[EMPTY:.*]] = llvm.inttoptr %[[AT]]
// APART-NEXT:    %[[FIRST:.*]] = nvvm.mapa %[[EMPTY]], %c0_i32 :
// APART-NEXT:    nvvm.mbarrier.arrive %[[FIRST]] : !llvm.ptr<7>
// APART-NEXT:    %[[LAST:.*]] = scf.while (%[[ROUND:.*]] = %c0_i32)
// APART:           nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c16_i32
// APART-NEXT:      %[[IS_FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0_i32
// APART-NEXT:      scf.if %[[IS_FIRST]] {
// APART-NEXT:        %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// APART:             nvvm.mbarrier.try_wait %[[EMPTY]], %[[PARITY]] :
// APART:             %[[TICKET:.*]] = llvm.atomicrmw add
// APART-NEXT:        %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// APART-NEXT:        %[[CLUSTERS:.*]] = arith.shrui %[[BLOCKS]], %c2_i32
// APART-NEXT:        %[[LATER:.*]] = arith.addi %[[CLUSTERS]], %[[TICKET]]
// APART-NEXT:        arith.cmpi ult, %[[LATER]], %arg6
// APART-COUNT-4:     st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32
// APART:           %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// APART:           nvvm.mbarrier.try_wait %[[FULL]], %[[PARITY]] {scope = #nvvm.mem_scope<cluster>}
// APART:           llvm.load
// APART:           %[[FIRST:.*]] = nvvm.mapa %[[EMPTY]], %c0_i32 :
// APART-NEXT:      nvvm.mbarrier.arrive %[[FIRST]] : !llvm.ptr<7>
// APART:           scf.condition(%{{.*}}) %[[ROUND]]
// APART:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0_i32
// APART-NEXT:    scf.if %[[IS_FIRST]] {
// APART-NEXT:      %[[AFTER:.*]] = arith.addi %[[LAST]], %c1_i32
// APART-NEXT:      %[[PARITY:.*]] = arith.andi %[[AFTER]], %c1_i32
// APART-NOT:       nvvm.elect.sync
// APART:           nvvm.mbarrier.try_wait %[[EMPTY]], %[[PARITY]] :
// APART:         nvvm.elect.sync
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

// By columns, as 2 rows of tiles are one group of 8: tile 5 is in row 1 of column 2.
// 16 rows are two groups; which tile comes when says the list.

// GROUPS-LABEL: llvm.func @groups_chain0_kernel0(
// GROUPS-NOT:     llvm.load
// GROUPS:         %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// GROUPS-NEXT:    %[[ROW:.*]] = arith.remui %[[BLOCK]], %c2_i32
// GROUPS-NEXT:    %[[COLUMN:.*]] = arith.divui %[[BLOCK]], %c2_i32
// GROUPS-NEXT:    %[[PLACE:.*]] = llvm.insertelement %[[ROW]], %{{.*}}[%c1_i32
// GROUPS-NEXT:    llvm.insertelement %[[COLUMN]], %[[PLACE]][%c2_i32
// GROUPS-LABEL: llvm.func @groups_chain0_kernel1(
// GROUPS:         %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// GROUPS-NEXT:    %[[LIST:.*]] = llvm.addrspacecast %arg4
// GROUPS-NEXT:    %[[INDEX:.*]] = arith.extui %[[BLOCK]]
// GROUPS-NEXT:    %[[BYTES:.*]] = arith.muli %[[INDEX]], %c16_i64
// GROUPS-NEXT:    %[[AT:.*]] = llvm.getelementptr %[[LIST]][%[[BYTES]]]
// GROUPS-NEXT:    llvm.load %[[AT]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
func.func @groups(%x: tensor<128x512xf16>, %y: tensor<1024x512xf16>,
                  %w: tensor<512x512xf16>)
    -> (tensor<128x512xf16>, tensor<1024x512xf16>) {
  %0:2 = tsync.chain mode(serial)
      order [affine_map<(i, j) -> (0, i floordiv 8, j, i)>,
             affine_map<(i, j) -> (1, i floordiv 8, j, i)>]
      : tensor<128x512xf16>, tensor<1024x512xf16> {
    %a = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x512xf16> -> tensor<128x512xf16>
    %b = tgemm.matmul %y, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<1024x512xf16>, tensor<512x512xf16> -> tensor<1024x512xf16>
    tsync.yield %a, %b : tensor<128x512xf16>, tensor<1024x512xf16>
  }
  return %0#0, %0#1 : tensor<128x512xf16>, tensor<1024x512xf16>
}
