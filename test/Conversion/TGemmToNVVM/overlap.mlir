// RUN: grout-opt %s --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: FileCheck %s --check-prefix=FIRST < %t.mlir
// RUN: FileCheck %s --check-prefix=LHS < %t.mlir
// RUN: FileCheck %s --check-prefix=FAN < %t.mlir
// RUN: FileCheck %s --check-prefix=NOTHING < %t.mlir
// RUN: FileCheck %s --check-prefix=SHORT < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=POST < %t.ptx
// RUN: FileCheck %s --check-prefix=END < %t.ptx
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Mode overlap: a kernel of its own for each tile kernel, with its own tiles,
// clusters and threads, and semaphores between them. The helpers' code is in the
// order of their warps: independent loader, waiting loader, scheduler, storer;
// consumers last.

// The semaphores are those of the first launch. A kernel that has nothing to do
// with any does not get them.

// PLAN-LABEL: launch.plan @chain
// PLAN:       %[[SEMAPHORES:.*]] = launch.semaphores 3
// PLAN:       %[[START:.*]] = launch.start
// PLAN:       %[[K0:.*]] = launch.kernel "chain_chain0_kernel0" {{.*}} after programmatic(%[[START]]) uses(%[[SEMAPHORES]]) args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<task_list>, #launch.arg<task_count>]
// PLAN-SAME:    {block = 384 : i64, cluster = 2 : i64
// PLAN:       launch.kernel "chain_chain0_kernel1" {{.*}} after tile(%[[K0]]) early [1] uses(%[[SEMAPHORES]]) args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<semaphores>, #launch.arg<task_list>,
// PLAN-SAME:    {block = 256 : i64, blocks_per_processor = 2 : i64, shared_memory
// PLAN:       launch.kernel "chain_chain0_kernel2" {{.*}} after {{.*}}tile({{.*}}) args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<semaphores>, #launch.arg<task_list>,
// PLAN-SAME:    {block = 384 : i64, cluster = 4 : i64, shared_memory
// PLAN:       launch.kernel "chain_chain0_kernel3" {{.*}} after launch_order({{.*}}) early [0, 1] args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<task_list>, #launch.arg<task_count>]
// PLAN-SAME:    {block = 384 : i64, shared_memory
// PLAN-NOT:   launch.kernel
// PLAN-LABEL: launch.plan @short

// All but the last kernel trigger before anything else, so that the next one may
// start as soon as all of its blocks run: the first one after its wait for what
// comes before the chain.

// FIRST-LABEL: llvm.func @chain_chain0_kernel0(
// FIRST-NOT:     {{griddepcontrol|nvvm.elect.sync|llvm.load}}
// FIRST:         "griddepcontrol.wait;", "~{memory}"
// FIRST-NEXT:    {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
// FIRST-NOT:     {{griddepcontrol|tsync.wait}}
// FIRST:         tsync.post
// FIRST-NOT:     {{griddepcontrol|tsync.wait}}
// FIRST:       llvm.func @chain_chain0_kernel1(

// The weights are loaded without a wait, the lhs after one. It counts the posts of
// both blocks of each cluster of the first kernel, though this one has no
// clusters. The storer's wait comes after its last post.

// LHS-LABEL: llvm.func @chain_chain0_kernel1(
// LHS-SAME:    %arg3: !llvm.ptr, %arg4: !llvm.ptr,
// LHS-NOT:     {{griddepcontrol|nvvm.elect.sync|llvm.load}}
// LHS:         "griddepcontrol.launch_dependents;", "~{memory}"
// LHS-NEXT:    nvvm.barrier0
// LHS:         %[[SEMAPHORES:.*]] = builtin.unrealized_conversion_cast %arg3, %arg4 : !llvm.ptr, !llvm.ptr to !tsync.semaphores
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.elect.sync
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.elect.sync
// LHS-NOT:     {{griddepcontrol|nvvm.cp.async}}
// LHS:         tsync.wait %[[SEMAPHORES]][%{{.*}}] count %c64_i32{{.*}} scope(device) proxy(async)
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0,
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.elect.sync
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.elect.sync
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.cp.async.bulk.tensor.global.shared.cta %arg2,
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:         nvvm.cp.async.bulk.wait_group 0{{$}}
// LHS-NOT:     griddepcontrol
// LHS:         tsync.post %[[SEMAPHORES]]
// LHS-NOT:     {{griddepcontrol|nvvm.cp.async.bulk.tensor}}
// LHS:         nvvm.cp.async.bulk.wait_group 0{{$}}
// LHS-NEXT:    "griddepcontrol.wait;", "~{memory}"
// LHS-NOT:     {{griddepcontrol|tsync}}
// LHS:       llvm.func @chain_chain0_kernel2(

// A kernel may wait for the one before, here for tiles of one block each, and for
// one before that, whose posts are two for each tile.

// FAN-LABEL: llvm.func @chain_chain0_kernel2(
// FAN:         nvvm.elect.sync
// FAN:         nvvm.elect.sync
// FAN:         tsync.wait %[[SEMAPHORES:.*]][%{{.*}}] count %c28_i32{{.*}} scope(device) proxy(async)
// FAN:         nvvm.elect.sync
// FAN:         nvvm.elect.sync
// FAN:         "griddepcontrol.wait;", "~{memory}"
// FAN:         nvvm.wgmma.wait.group.sync.aligned 0
// FAN-NOT:     griddepcontrol
// FAN:         tsync.wait %[[SEMAPHORES]][%{{.*}}] count %c64_i32{{.*}} scope(device) proxy(generic)
// FAN-NOT:     {{griddepcontrol|nvvm.wgmma}}
// FAN:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<2xf16>
// FAN:       llvm.func @chain_chain0_kernel3(

// A kernel that reads nothing of the chain ends after those before it all the
// same. The last one lets nobody start.

// NOTHING-LABEL: llvm.func @chain_chain0_kernel3(
// NOTHING-NOT:     {{griddepcontrol|tsync.wait|tsync.post}}
// NOTHING:         nvvm.cp.async.bulk.tensor.global.shared.cta
// NOTHING-NOT:     {{griddepcontrol|tsync.wait|tsync.post}}
// NOTHING:         nvvm.cp.async.bulk.wait_group 0{{$}}
// NOTHING-NEXT:    "griddepcontrol.wait;", "~{memory}"
// NOTHING-NOT:     griddepcontrol
// NOTHING:       gpu.module @short_kernels

// In PTX, too. The epoch is the launch's own, loaded from where no cache of the
// SM holds it; the semaphores are in the first launch's state.

// PTX-LABEL: .entry chain_chain0_kernel1(
// PTX-NOT:     {{cp.async|ld.global|ld.relaxed|griddepcontrol}}
// PTX:         ld.param.b64 %[[OWN:rd[0-9]+]], [chain_chain0_kernel1_param_3];
// PTX-NEXT:    cvta.to.global.u64 %[[STATE:rd[0-9]+]], %[[OWN]];
// PTX:         ld.param.b64 %[[SHARED:rd[0-9]+]], [chain_chain0_kernel1_param_4];
// PTX-NEXT:    cvta.to.global.u64 %[[COUNTERS:rd[0-9]+]], %[[SHARED]];
// PTX:         griddepcontrol.launch_dependents;
// PTX:         ld.relaxed.gpu.global.b32 %{{r[0-9]+}}, [%[[STATE]]+8];
// PTX-NOT:     griddepcontrol
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global
// PTX:         ld.acquire.gpu.global.b32 %{{r[0-9]+}}, [%[[COUNTERS]]+128];
// PTX-NOT:     cp.async
// PTX:         fence.proxy.async.global;
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global
// PTX:       .entry chain_chain0_kernel2(

// POST-LABEL: .entry chain_chain0_kernel1(
// POST:         cp.async.bulk.wait_group 0;
// POST-NOT:     cp.async
// POST:         red.release.gpu.global.add.u32
// POST:       .entry chain_chain0_kernel2(

// END-LABEL: .entry chain_chain0_kernel1(
// END:         cp.async.bulk.tensor.2d.global.shared::cta
// END-NOT:     cp.async.bulk.tensor
// END:         red.release.gpu.global.add.u32
// END-NOT:     cp.async.bulk.tensor
// END:         cp.async.bulk.wait_group 0;
// END-NEXT:    {{.*}}begin inline asm
// END-NEXT:    griddepcontrol.wait;
// END-NOT:     {{cp.async|griddepcontrol}}
// END:       .entry chain_chain0_kernel2(

// REPORT-DAG: chain_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel1: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel2: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel3: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

func.func @chain(%x: tensor<128x3584xf16>, %w1: tensor<3584x4096xf16>,
                 %w2: tensor<4096x3584xf16>, %w3: tensor<3584x4096xf16>)
    -> (tensor<128x4096xf16>, tensor<128x4096xf16>) {
  %0:2 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
             affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      residents(1) : tensor<128x4096xf16>, tensor<128x4096xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4, split_k = 2>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16>
    %l = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>
    } : tensor<128x4096xf16>, tensor<4096x3584xf16> -> tensor<128x3584xf16>
    %r = tgemm.matmul %l, %w3 epilogue(%h : tensor<128x4096xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 512, k = 64, stages = 2, cluster_n = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    %n = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16>
    tsync.dependence %h -> %l operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [32],
         lower = affine_map<(i, j, k) -> (0)>,
         upper = affine_map<(i, j, k) -> (0)>>
      : tensor<128x4096xf16>, tensor<128x3584xf16>
    tsync.dependence %l -> %r operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [28],
         lower = affine_map<(i, j, k) -> (0)>,
         upper = affine_map<(i, j, k) -> (1)>>
      : tensor<128x3584xf16>, tensor<128x4096xf16>
    tsync.dependence %h -> %r operand 2 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [32],
         lower = affine_map<(i, j, k) -> (0)>,
         upper = affine_map<(i, j, k) -> (0)>>
      : tensor<128x4096xf16>, tensor<128x4096xf16>
    tsync.yield %r, %n : tensor<128x4096xf16>, tensor<128x4096xf16>
  }
  return %0#0, %0#1 : tensor<128x4096xf16>, tensor<128x4096xf16>
}

// The first kernel triggers only after its wait, because the kernels that it lets
// start wait for nothing from before the chain. This one is short, so the last
// kernel lets the next run start.

// SHORT-LABEL: launch.plan @short
// SHORT:       launch.kernel "short_chain0_kernel0" {{.*}} after programmatic({{.*}}) uses({{.*}}) args
// SHORT:       launch.kernel "short_chain0_kernel1" {{.*}} after tile({{.*}}) early [1] uses({{.*}}) args
// SHORT-SAME:    #launch.arg<semaphores>
// SHORT-LABEL: llvm.func @short_chain0_kernel0(
// Nothing is read before the wait.
// SHORT-NOT:     {{nvvm.barrier0|llvm.load|nvvm.cp.async|atomicrmw|griddepcontrol}}
// SHORT:         "griddepcontrol.wait;", "~{memory}"
// SHORT-NEXT:    "griddepcontrol.launch_dependents;", "~{memory}"
// SHORT-NEXT:    nvvm.barrier0
// SHORT-NOT:     griddepcontrol
// SHORT:       llvm.func @short_chain0_kernel1(
// SHORT-NOT:     {{nvvm.barrier0|llvm.load|nvvm.cp.async|atomicrmw|griddepcontrol}}
// SHORT:         "griddepcontrol.launch_dependents;", "~{memory}"
// SHORT-NEXT:    nvvm.barrier0
// SHORT-NOT:     griddepcontrol
// SHORT:         tsync.wait
// SHORT-NOT:     griddepcontrol
// SHORT:         "griddepcontrol.wait;", "~{memory}"
// SHORT-NOT:     griddepcontrol
func.func @short(%x: tensor<128x128xf16>) -> tensor<128x128xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
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
