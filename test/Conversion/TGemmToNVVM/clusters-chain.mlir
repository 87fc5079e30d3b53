// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=INIT < %t.mlir
// RUN: FileCheck %s --check-prefix=WEIGHTS < %t.mlir
// RUN: FileCheck %s --check-prefix=WAITING < %t.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULER < %t.mlir
// RUN: FileCheck %s --check-prefix=STORER < %t.mlir
// RUN: FileCheck %s --check-prefix=CONSUMER < %t.mlir
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// REPORT: chain_chain0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-NOT: {{.}}

// One kernel for tiles whose rows are split, and tiles whose steps are; the
// latter have one warpgroup, and leave the other idle. Each helper's code is checked
// by itself, as in clusters.mlir. All barriers:
//
//   147456  stages are full: two loaders
//   147488  stages are empty: eight warps of two blocks
//   147520  the task is full: the scheduler
//   147528  the task is empty: three helpers, eight warps and the scheduler, of
//           two blocks
//   147536  staging buffers are full: four warps
//   147568  staging buffers are empty: the storer
//   147600  partial sums have come: a thread
//   147616  the other block has read them: four warps

// INIT-LABEL: launch.kernel "chain_chain0"
// INIT-SAME:    block = 384 : i64, cluster = 2 : i64
// INIT-LABEL: llvm.func @chain_chain0(
// INIT-SAME:    nvvm.cluster_dim = array<i32: 2, 1, 1>
// INIT:         %[[AT:.*]] = arith.addi %{{.*}}, %c147456_i32
// INIT-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// INIT-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c2_i32
// INIT-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c147488_i32
// INIT-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// INIT-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c16_i32
// INIT-COUNT-6: nvvm.mbarrier.init %{{.*}}, %{{c2_i32|c16_i32}}
// INIT-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c147520_i32
// INIT-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// INIT-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c1_i32
// INIT-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c147528_i32
// INIT-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// INIT-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c24_i32
// INIT-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c147600_i32
// INIT-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// INIT-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c1_i32
// INIT-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c147616_i32
// INIT-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// INIT-NEXT:    nvvm.mbarrier.init %[[BARRIER]], %c4_i32
// INIT-COUNT-10: nvvm.mbarrier.init %{{.*}}, %{{c1_i32|c4_i32}} :
// INIT-NEXT:    nvvm.fence.mbarrier.init
// INIT-NEXT:    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// INIT-NEXT:    }
// INIT-NEXT:    "griddepcontrol.wait;"
// INIT-NEXT:    nvvm.cluster.arrive.relaxed
// INIT-NEXT:    nvvm.cluster.wait

// Weights never wait. Those of the first tile kernel are copied to both blocks,
// those of the second not. Then the first block is told that it may claim the
// next task. When there is none, a block stays until all its stages are free: no
// other will copy or arrive here.

// WEIGHTS-LABEL: llvm.func @chain_chain0(
// WEIGHTS:         nvvm.elect.sync
// WEIGHTS:           %[[AT:.*]] = arith.addi %{{.*}}, %c147520_i32
// WEIGHTS-NEXT:      %[[FULL:.*]] = llvm.inttoptr %[[AT]]
// WEIGHTS:           nvvm.mbarrier.try_wait %[[FULL]], %c0_i32 {scope = #nvvm.mem_scope<cluster>}
// WEIGHTS-NOT:       {{tsync.wait|case}}
// WEIGHTS:           scf.while (%{{.*}} = %c1_i32,
// WEIGHTS:           ^bb0(%[[PARITY:[^:]*]]: i32,
// WEIGHTS-NOT:       tsync.wait
// WEIGHTS:           case 0 {
// WEIGHTS:             arith.addi %{{.*}}, %c147488_i32
// WEIGHTS:             nvvm.mbarrier.try_wait
// WEIGHTS-NOT:         nvvm.cp.async
// WEIGHTS:             nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c8192_i32
// WEIGHTS:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, {{.*}} multicast_mask
// WEIGHTS:           default {
// WEIGHTS:             arith.addi %{{.*}}, %c147488_i32
// WEIGHTS:             nvvm.mbarrier.try_wait
// WEIGHTS-NOT:         nvvm.cp.async
// WEIGHTS:             nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c8192_i32
// WEIGHTS-NOT:         multicast_mask
// WEIGHTS:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg3,
// WEIGHTS:             scf.yield
// WEIGHTS:             scf.yield
// WEIGHTS-NEXT:      }
// WEIGHTS-NEXT:      %[[AT:.*]] = arith.addi %{{.*}}, %c147528_i32
// WEIGHTS-NEXT:      %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// WEIGHTS-NEXT:      %[[FIRST:.*]] = nvvm.mapa %[[BARRIER]], %c0_i32 :
// WEIGHTS-NEXT:      nvvm.mbarrier.arrive %[[FIRST]] : !llvm.ptr<7>
// WEIGHTS-NEXT:      %[[NEXT:.*]] = arith.xori %[[PARITY]], %c1_i32
// WEIGHTS:           nvvm.mbarrier.try_wait %[[FULL]], %[[PARITY]] {scope = #nvvm.mem_scope<cluster>}
// WEIGHTS:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3>
// WEIGHTS-NOT:       nvvm.mbarrier
// WEIGHTS:           scf.yield %[[NEXT]],
// WEIGHTS-NEXT:    }
// WEIGHTS-NEXT:    %[[AT:.*]] = arith.addi %{{.*}}, %c147528_i32
// WEIGHTS-NEXT:    %[[BARRIER:.*]] = llvm.inttoptr %[[AT]]
// WEIGHTS-NEXT:    %[[FIRST:.*]] = nvvm.mapa %[[BARRIER]], %c0_i32 :
// WEIGHTS-NEXT:    nvvm.mbarrier.arrive %[[FIRST]] : !llvm.ptr<7>
// WEIGHTS-NEXT:    %[[EMPTY:.*]] = arith.addi %{{.*}}, %c147488_i32
// WEIGHTS:         arith.addi %[[EMPTY]],
// WEIGHTS-NOT:     nvvm.elect.sync
// WEIGHTS-NOT:     arith.addi %[[EMPTY]],
// WEIGHTS:         nvvm.mbarrier.try_wait
// WEIGHTS:         arith.addi %[[EMPTY]],
// WEIGHTS-NOT:     nvvm.elect.sync
// WEIGHTS-NOT:     arith.addi %[[EMPTY]],
// WEIGHTS:         nvvm.mbarrier.try_wait
// WEIGHTS:         arith.addi %[[EMPTY]],
// WEIGHTS-NOT:     nvvm.elect.sync
// WEIGHTS-NOT:     arith.addi %[[EMPTY]],
// WEIGHTS:         nvvm.mbarrier.try_wait
// WEIGHTS:         arith.addi %[[EMPTY]],
// WEIGHTS-NOT:     nvvm.elect.sync
// WEIGHTS-NOT:     arith.addi %[[EMPTY]],
// WEIGHTS:         nvvm.mbarrier.try_wait
// WEIGHTS:         nvvm.elect.sync

// The intermediate result is waited for by each block that loads some of it: a
// count of 1 is one post of each of the two blocks. Five steps are three for each
// block. The last block's third does not exist, and it waits for nothing but
// what the fifth waits for.

// WAITING-LABEL: llvm.func @chain_chain0(
// WAITING:         nvvm.elect.sync
// WAITING:         nvvm.elect.sync
// WAITING:           arith.addi %{{.*}}, %c147520_i32
// WAITING-NOT:       case
// WAITING:           nvvm.mbarrier.try_wait %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// WAITING:           case 0 {
// WAITING-NOT:         {{tsync.wait|multicast_mask}}
// WAITING:             arith.addi %{{.*}}, %c147488_i32
// WAITING-NOT:         {{tsync.wait|multicast_mask|expect_tx}}
// WAITING:             nvvm.mbarrier.try_wait
// WAITING-NOT:         {{tsync.wait|multicast_mask}}
// WAITING:             nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// WAITING-NOT:         {{tsync.wait|multicast_mask}}
// WAITING:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0,
// WAITING-NOT:         {{tsync.wait|multicast_mask}}
// WAITING:           default {
// WAITING:             %[[STEP:.*]] = arith.addi %{{.*}}, %{{.*}}
// WAITING:             %[[KNOWN:.*]] = arith.minui %[[STEP]], %c4_i32
// WAITING:             %[[INDEX:.*]] = arith.index_castui %[[KNOWN]]
// WAITING:             arith.maxsi %[[INDEX]], %c0
// WAITING:             tsync.wait %{{.*}} count %c2_i32 scope(device) proxy(async)
// WAITING-NOT:         nvvm.mbarrier.arrive
// WAITING:             nvvm.mbarrier.try_wait
// WAITING-NOT:         nvvm.cp.async
// WAITING:             nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c8192_i32
// WAITING:             %[[K:.*]] = arith.muli %[[STEP]], %c64_i32
// WAITING:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg2, %{{.*}}, box[%[[K]],
// WAITING:           %[[AT:.*]] = arith.addi %{{.*}}, %c147528_i32
// WAITING:           nvvm.mapa %{{.*}}, %c0_i32
// WAITING-NEXT:      nvvm.mbarrier.arrive
// WAITING:         nvvm.mapa %{{.*}}, %c0_i32
// WAITING-NEXT:    nvvm.mbarrier.arrive
// WAITING-NEXT:    %[[EMPTY:.*]] = arith.addi %{{.*}}, %c147488_i32
// WAITING:         arith.addi %[[EMPTY]],
// WAITING-NOT:     nvvm.elect.sync
// WAITING-NOT:     arith.addi %[[EMPTY]],
// WAITING:         nvvm.mbarrier.try_wait
// WAITING:         arith.addi %[[EMPTY]],
// WAITING-NOT:     nvvm.elect.sync
// WAITING-NOT:     arith.addi %[[EMPTY]],
// WAITING:         nvvm.mbarrier.try_wait
// WAITING:         arith.addi %[[EMPTY]],
// WAITING-NOT:     nvvm.elect.sync
// WAITING-NOT:     arith.addi %[[EMPTY]],
// WAITING:         nvvm.mbarrier.try_wait
// WAITING:         arith.addi %[[EMPTY]],
// WAITING-NOT:     nvvm.elect.sync
// WAITING-NOT:     arith.addi %[[EMPTY]],
// WAITING:         nvvm.mbarrier.try_wait
// WAITING:         nvvm.elect.sync

// Every block's scheduler expects the 16 bytes of a task. That of the first
// block waits for all readers, draws a ticket, and stores the task to both. Tiles
// that wait for tiles have no other order than that of tickets. At the end it
// stays until all have read that there is no task.

// SCHEDULER-LABEL: llvm.func @chain_chain0(
// SCHEDULER:         %[[RANK1:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// SCHEDULER:         %[[RANK:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[RANK1]],
// SCHEDULER:         nvvm.elect.sync
// SCHEDULER:         nvvm.elect.sync
// SCHEDULER:         nvvm.elect.sync
// SCHEDULER:         %[[LAST:.*]] = scf.while (%[[ROUND:.*]] = %c0_i32
// SCHEDULER:           %[[AT:.*]] = arith.addi %{{.*}}, %c147520_i32
// SCHEDULER-NEXT:      %[[FULL:.*]] = llvm.inttoptr %[[AT]]
// SCHEDULER-NEXT:      nvvm.mbarrier.arrive.expect_tx %[[FULL]], %c16_i32
// SCHEDULER-NEXT:      %[[IS_FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0_i32
// SCHEDULER-NEXT:      scf.if %[[IS_FIRST]] {
// SCHEDULER-NEXT:        %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// SCHEDULER-NEXT:        %[[AT:.*]] = arith.addi %{{.*}}, %c147528_i32
// SCHEDULER-NEXT:        %[[WRITER:.*]] = arith.xori %[[PARITY]], %c1_i32
// SCHEDULER-NEXT:        %[[EMPTY:.*]] = llvm.inttoptr %[[AT]]
// SCHEDULER:             nvvm.mbarrier.try_wait %[[EMPTY]], %[[WRITER]] :
// SCHEDULER-NOT:         nvvm.read.ptx.sreg.ctaid.x
// SCHEDULER:             %[[TICKET:.*]] = llvm.atomicrmw add
// SCHEDULER-NEXT:        arith.cmpi ult, %[[TICKET]], %arg7
// SCHEDULER:             %[[AT:.*]] = arith.addi %{{.*}}, %c147632_i32
// SCHEDULER-NEXT:        %[[TASK:.*]] = llvm.inttoptr %[[AT]]
// SCHEDULER-NEXT:        %[[TASK0:.*]] = nvvm.mapa %[[TASK]], %c0_i32 :
// SCHEDULER-NEXT:        %[[FULL0:.*]] = nvvm.mapa %[[FULL]], %c0_i32 :
// SCHEDULER-NEXT:        %[[TASK32:.*]] = llvm.ptrtoint %[[TASK0]]
// SCHEDULER-NEXT:        %[[FULL32:.*]] = llvm.ptrtoint %[[FULL0]]
// SCHEDULER-NEXT:        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$2, $3, $4, $5}, [$1];", {{.*}} %[[TASK32]], %[[FULL32]],
// SCHEDULER-NEXT:        %[[TASK1:.*]] = nvvm.mapa %[[TASK]], %c1_i32 :
// SCHEDULER-NEXT:        %[[FULL1:.*]] = nvvm.mapa %[[FULL]], %c1_i32 :
// SCHEDULER-NEXT:        %[[TASK32:.*]] = llvm.ptrtoint %[[TASK1]]
// SCHEDULER-NEXT:        %[[FULL32:.*]] = llvm.ptrtoint %[[FULL1]]
// SCHEDULER-NEXT:        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$2, $3, $4, $5}, [$1];", {{.*}} %[[TASK32]], %[[FULL32]],
// SCHEDULER-NEXT:      }
// SCHEDULER:           %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// SCHEDULER:           nvvm.mbarrier.try_wait %[[FULL]], %[[PARITY]] {scope = #nvvm.mem_scope<cluster>}
// SCHEDULER:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3>
// SCHEDULER:           %[[AT:.*]] = arith.addi %{{.*}}, %c147528_i32
// SCHEDULER:           %[[EMPTY:.*]] = nvvm.mapa %{{.*}}, %c0_i32
// SCHEDULER-NEXT:      nvvm.mbarrier.arrive %[[EMPTY]] : !llvm.ptr<7>
// SCHEDULER:         llvm.fence syncscope("device") acq_rel
// SCHEDULER:         llvm.atomicrmw add
// SCHEDULER-NEXT:    nvvm.read.ptx.sreg.nctaid.x
// SCHEDULER:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0_i32
// SCHEDULER-NEXT:    scf.if %[[IS_FIRST]] {
// SCHEDULER-NEXT:      %[[ROUND:.*]] = arith.addi %[[LAST]], %c1_i32
// SCHEDULER-NEXT:      %[[PARITY:.*]] = arith.andi %[[ROUND]], %c1_i32
// SCHEDULER-NEXT:      arith.addi %{{.*}}, %c147528_i32
// SCHEDULER-NEXT:      %[[WRITER:.*]] = arith.xori %[[PARITY]], %c1_i32
// SCHEDULER:           nvvm.mbarrier.try_wait %{{.*}}, %[[WRITER]] :
// SCHEDULER:         nvvm.elect.sync

// The storer of every block posts, whatever its number.

// STORER-LABEL: llvm.func @chain_chain0(
// STORER:         nvvm.elect.sync
// STORER:         nvvm.elect.sync
// STORER:         nvvm.elect.sync
// STORER:         nvvm.elect.sync
// STORER:           nvvm.mbarrier.try_wait %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// STORER:           arith.addi %{{.*}}, %c147528_i32
// STORER:           nvvm.mapa %{{.*}}, %c0_i32
// STORER-NEXT:      nvvm.mbarrier.arrive
// STORER:           case 0 {
// STORER:             nvvm.cp.async.bulk.tensor.global.shared.cta
// STORER:             nvvm.cp.async.bulk.wait_group 0{{$}}
// STORER-NOT:         scf.if
// STORER:             tsync.post
// STORER:           default {
// STORER:             nvvm.cp.async.bulk.tensor.global.shared.cta
// STORER:         nvvm.mapa %{{.*}}, %c0_i32
// STORER-NEXT:    nvvm.mbarrier.arrive
// STORER-NEXT:    nvvm.cp.async.bulk.wait_group 0{{$}}

// Stages are freed in both blocks by the tile kernel, too, that copies to itself
// alone: the next tile may be of the other one. Its idle warpgroup does the same,
// and takes no part in the sums.

// CONSUMER-LABEL: llvm.func @chain_chain0(
// CONSUMER:         nvvm.setmaxregister increase
// CONSUMER:         nvvm.mbarrier.try_wait %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// CONSUMER:         nvvm.bar.warp.sync
// CONSUMER:         %[[IS_LANE0:.*]] = arith.cmpi eq, %[[LANE:.*]], %c0_i32
// CONSUMER-NEXT:    scf.if %[[IS_LANE0]] {
// CONSUMER-NEXT:      arith.addi %{{.*}}, %c147528_i32
// CONSUMER:           nvvm.mapa %{{.*}}, %c0_i32
// CONSUMER-NEXT:      nvvm.mbarrier.arrive
// CONSUMER:         case 0 {
// CONSUMER:           arith.addi %{{.*}}, %c147456_i32
// CONSUMER-NOT:       nvvm.wgmma
// CONSUMER:           nvvm.mbarrier.try_wait
// CONSUMER:           nvvm.wgmma.wait.group.sync.aligned 1
// CONSUMER:           nvvm.mapa %{{.*}}, %[[LANE]] :
// CONSUMER-NEXT:      nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// CONSUMER:           nvvm.wgmma.wait.group.sync.aligned 0
// CONSUMER:           nvvm.mapa %{{.*}}, %[[LANE]] :
// CONSUMER-NEXT:      nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// CONSUMER-NOT:       st.async
// CONSUMER:         default {
// CONSUMER:           %[[IS_ACTIVE:.*]] = arith.cmpi ult, %{{.*}}, %c1_i32
// CONSUMER-NEXT:      scf.if %[[IS_ACTIVE]]
// CONSUMER:             nvvm.wgmma.wait.group.sync.aligned 1
// CONSUMER:             arith.addi %{{.*}}, %c147488_i32
// CONSUMER:             %[[TELLS:.*]] = arith.cmpi ult, %[[LANE]], %c2_i32
// CONSUMER-NEXT:        scf.if %[[TELLS]] {
// CONSUMER:               nvvm.mapa %{{.*}}, %[[LANE]] :
// CONSUMER-NEXT:          nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// CONSUMER:             nvvm.wgmma.wait.group.sync.aligned 0
// CONSUMER:             arith.addi %{{.*}}, %c147488_i32
// CONSUMER:             %[[TELLS:.*]] = arith.cmpi ult, %[[LANE]], %c2_i32
// CONSUMER-NEXT:        scf.if %[[TELLS]] {
// CONSUMER:               nvvm.mapa %{{.*}}, %[[LANE]] :
// CONSUMER-NEXT:          nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// CONSUMER:             st.async
// CONSUMER:           } else {
// CONSUMER:             arith.addi %{{.*}}, %c147456_i32
// CONSUMER:             nvvm.mbarrier.try_wait
// CONSUMER:             nvvm.bar.warp.sync
// CONSUMER:             arith.addi %{{.*}}, %c147488_i32
// CONSUMER:             %[[TELLS:.*]] = arith.cmpi ult, %[[LANE]], %c2_i32
// CONSUMER-NEXT:        scf.if %[[TELLS]] {
// CONSUMER:               nvvm.mapa %{{.*}}, %[[LANE]] :
// CONSUMER-NEXT:          nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// CONSUMER-NOT:       st.async
// CONSUMER:           nvvm.mbarrier.try_wait %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// CONSUMER:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3>
// CONSUMER-COUNT-4:   nvvm.shfl.sync
// CONSUMER-NEXT:      scf.yield
// CONSUMER-NEXT:    }
// CONSUMER-NEXT:    nvvm.bar.warp.sync
// CONSUMER:         arith.addi %{{.*}}, %c147528_i32
// CONSUMER:         nvvm.mapa %{{.*}}, %c0_i32
// CONSUMER-NEXT:    nvvm.mbarrier.arrive
// CONSUMER:         arith.addi %{{.*}}, %c147616_i32
// CONSUMER:         nvvm.mbarrier.try_wait
// CONSUMER:         llvm.return
func.func @chain(%x: tensor<512x256xf16>, %w1: tensor<256x320xf16>,
                 %w2: tensor<320x128xf16>) -> tensor<512x128xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<512x128xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 256, n = 64, k = 64, stages = 4,
                             cluster_m = 2>
    } : tensor<512x256xf16>, tensor<256x320xf16> -> tensor<512x320xf16>
    %y = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 2>
    } : tensor<512x320xf16>, tensor<320x128xf16> -> tensor<512x128xf16>
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 5], counts = [1],
         lower = affine_map<(i, j, k) -> (i floordiv 4, k)>,
         upper = affine_map<(i, j, k) -> (i floordiv 4, k)>>
        : tensor<512x320xf16>, tensor<512x128xf16>
    tsync.yield %y : tensor<512x128xf16>
  }
  return %0 : tensor<512x128xf16>
}
