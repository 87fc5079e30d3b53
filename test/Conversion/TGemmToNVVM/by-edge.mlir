// RUN: grout-opt %s --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: FileCheck %s --check-prefix=FIRST < %t.mlir
// RUN: FileCheck %s --check-prefix=LAUNCH < %t.mlir
// RUN: FileCheck %s --check-prefix=TILE < %t.mlir
// RUN: FileCheck %s --check-prefix=BOTH < %t.mlir
// RUN: FileCheck %s --check-prefix=SERIAL < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=PTX-TILE < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Modes by edge: a kernel waits for launches (pdl), the next for tiles of it, one
// for both, and one starts in order. The helpers' code is in the order of their
// warps: independent loader, waiting loader, scheduler, storer; consumers last.

// Semaphores are those of the first launch that posts, and nobody else has any.

// PLAN-LABEL: launch.plan @chain
// PLAN:       %[[START:.*]] = launch.start
// PLAN:       %[[K0:.*]] = launch.kernel "chain_chain0_kernel0" {{.*}} after programmatic(%[[START]]) args [
// PLAN:       %[[SEMAPHORES:.*]] = launch.semaphores 3
// PLAN:       %[[K1:.*]] = launch.kernel "chain_chain0_kernel1" {{.*}} after programmatic(%[[K0]]) early [1] uses(%[[SEMAPHORES]]) args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<task_list>, #launch.arg<task_count>]
// PLAN:       %[[K2:.*]] = launch.kernel "chain_chain0_kernel2" {{.*}} after tile(%[[K1]]) early [1, 3] uses(%[[SEMAPHORES]]) args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<semaphores>, #launch.arg<task_list>,
// PLAN:       %[[K3:.*]] = launch.kernel "chain_chain0_kernel3" {{.*}} after programmatic(%[[K2]]), {{.*}} uses(%[[SEMAPHORES]]) args [
// PLAN-SAME:    #launch.arg<sync_state>, #launch.arg<semaphores>, #launch.arg<task_list>,
// PLAN:       launch.kernel "chain_chain0_kernel4" {{.*}} after full(%[[K3]]) args [
// PLAN:       gpu.module

// The next kernel waits for this launch, so it may come when the loads of the
// first tile are issued.

// FIRST-LABEL: llvm.func @chain_chain0_kernel0(
// FIRST:         "griddepcontrol.wait;", "~{memory}"
// FIRST-NEXT:    nvvm.barrier0
// FIRST-NOT:     griddepcontrol
// FIRST:         nvvm.elect.sync
// FIRST-NOT:     {{griddepcontrol|nvvm.elect.sync}}
// FIRST:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// FIRST-NOT:     nvvm.elect.sync
// FIRST:         "griddepcontrol.launch_dependents;", "~{memory}"
// FIRST-NOT:     {{griddepcontrol|tsync}}
// FIRST:       llvm.func @chain_chain0_kernel1(

// By launch: the loader of lhs waits for the launch before; the storer first of
// all, and then lets the next kernel start, whose tiles it posts for.

// LAUNCH-LABEL: llvm.func @chain_chain0_kernel1(
// LAUNCH-NOT:     {{griddepcontrol|tsync.wait}}
// LAUNCH:         nvvm.elect.sync
// LAUNCH-NOT:     griddepcontrol
// LAUNCH:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// LAUNCH-NOT:     griddepcontrol
// LAUNCH:         nvvm.elect.sync
// LAUNCH-NOT:     nvvm.cp.async
// LAUNCH:         "griddepcontrol.wait;", "~{memory}"
// LAUNCH-NOT:     {{griddepcontrol|tsync.wait}}
// LAUNCH:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0,
// LAUNCH:         nvvm.elect.sync
// LAUNCH:         nvvm.elect.sync
// LAUNCH-NOT:     nvvm.cp.async
// LAUNCH:         "griddepcontrol.wait;", "~{memory}"
// LAUNCH-NEXT:    "griddepcontrol.launch_dependents;", "~{memory}"
// LAUNCH-NOT:     {{griddepcontrol|tsync.wait}}
// LAUNCH:         tsync.post
// LAUNCH-NOT:     {{griddepcontrol|tsync.wait}}
// LAUNCH:       llvm.func @chain_chain0_kernel2(

// By tile. The residual is of the kernel before the one that it waits for, and
// needs no wait of its own: those tiles come after its end. The end of this kernel
// is not before that of those before.

// TILE-LABEL: llvm.func @chain_chain0_kernel2(
// TILE-NOT:     {{griddepcontrol|tsync.wait}}
// TILE:         nvvm.elect.sync
// TILE-NOT:     {{tsync.wait|griddepcontrol.wait}}
// TILE:         nvvm.elect.sync
// TILE-NOT:     {{griddepcontrol|nvvm.cp.async}}
// TILE:         tsync.wait %{{.*}} count %c28_i32{{.*}} proxy(async)
// TILE-NOT:     griddepcontrol
// TILE:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0,
// TILE:         nvvm.elect.sync
// TILE:         nvvm.elect.sync
// TILE-NOT:     {{griddepcontrol|tsync.wait}}
// TILE:         tsync.post
// TILE:         "griddepcontrol.wait;", "~{memory}"
// TILE-NOT:     {{griddepcontrol|tsync.wait}}
// TILE:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<2xf16>
// TILE-NOT:     {{griddepcontrol|tsync.wait}}
// TILE:       llvm.func @chain_chain0_kernel3(

// Its lhs by tile, its residual by launch: each is waited for by who reads it, and
// the storer waits for the launch, as whoever starts early and waits for one. The
// next kernel starts in order; nobody lets it start.

// BOTH-LABEL: llvm.func @chain_chain0_kernel3(
// BOTH-NOT:     {{griddepcontrol|tsync.wait}}
// BOTH:         nvvm.elect.sync
// BOTH-NOT:     {{griddepcontrol|tsync.wait}}
// BOTH:         nvvm.elect.sync
// BOTH-NOT:     {{griddepcontrol|nvvm.cp.async}}
// BOTH:         tsync.wait %{{.*}} count %c16_i32{{.*}} proxy(async)
// BOTH-NOT:     griddepcontrol
// BOTH:         nvvm.elect.sync
// BOTH-NOT:     griddepcontrol
// BOTH:         nvvm.elect.sync
// BOTH-NOT:     nvvm.cp.async
// BOTH:         "griddepcontrol.wait;", "~{memory}"
// BOTH-NOT:     griddepcontrol
// BOTH:         nvvm.wgmma.wait.group.sync.aligned 0
// BOTH-NOT:     {{griddepcontrol|tsync.wait|!llvm.ptr<1>}}
// BOTH:         "griddepcontrol.wait;", "~{memory}"
// BOTH:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<2xf16>
// BOTH-NOT:     {{griddepcontrol|tsync}}
// BOTH:       llvm.func @chain_chain0_kernel4(

// SERIAL-LABEL: llvm.func @chain_chain0_kernel4(
// SERIAL-NOT:     {{griddepcontrol|tsync.wait|tsync.post}}
// SERIAL:       llvm.return

// PTX-LABEL: .entry chain_chain0_kernel1(
// PTX-NOT:     {{griddepcontrol|ld.acquire}}
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-NOT:     cp.async.bulk.tensor.2d.global
// PTX:         griddepcontrol.wait;
// PTX-NOT:     cp.async
// PTX:         griddepcontrol.launch_dependents;
// PTX:         cp.async.bulk.tensor.2d.global.shared::cta
// PTX:         cp.async.bulk.wait_group 0;
// PTX-NOT:     cp.async.bulk.tensor
// PTX:         red.release.gpu.global.add.u32
// PTX:         griddepcontrol.wait;
// PTX-NOT:     {{griddepcontrol|ld.acquire}}
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global

// PTX-TILE-LABEL: .entry chain_chain0_kernel2(
// PTX-TILE:         ld.acquire.gpu.global.b32
// PTX-TILE:         fence.proxy.async.global;
// PTX-TILE:         cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-TILE:         red.release.gpu.global.add.u32
// PTX-TILE-NOT:     cp.async.bulk.tensor
// PTX-TILE:         griddepcontrol.wait;
// PTX-TILE-LABEL: .entry chain_chain0_kernel3(

// REPORT-DAG: chain_chain0_kernel1: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel2: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel3: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

func.func @chain(%x: tensor<128x3584xf16>, %w1: tensor<3584x4096xf16>,
                 %w2: tensor<4096x3584xf16>, %w3: tensor<3584x4096xf16>,
                 %w4: tensor<4096x3584xf16>) -> tensor<128x4096xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
             affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
             affine_map<(i, j) -> (i, j)>]
      : tensor<128x4096xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16>
    %l = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x4096xf16>, tensor<4096x3584xf16> -> tensor<128x3584xf16>
    %r = tgemm.matmul %l, %w3 epilogue(%h : tensor<128x4096xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    %s = tgemm.matmul %r, %w4 epilogue(%l : tensor<128x3584xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x4096xf16>, tensor<4096x3584xf16> -> tensor<128x3584xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    %o = tgemm.matmul %s, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16>
    tsync.dependence %h -> %l operand 0 mode(pdl)
      : tensor<128x4096xf16>, tensor<128x3584xf16>
    tsync.dependence %l -> %r operand 0 policy
        <semaphore = affine_map<(i, j) -> ()>, shape = [], counts = [28],
         lower = affine_map<(i, j, k) -> ()>,
         upper = affine_map<(i, j, k) -> ()>>
      : tensor<128x3584xf16>, tensor<128x4096xf16>
    tsync.dependence %r -> %s operand 0 policy
        <semaphore = affine_map<(i, j) -> (j floordiv 16)>, shape = [2],
         counts = [16], lower = affine_map<(i, j, k) -> (0)>,
         upper = affine_map<(i, j, k) -> (1)>>
      : tensor<128x4096xf16>, tensor<128x3584xf16>
    tsync.dependence %l -> %s operand 2 mode(pdl)
      : tensor<128x3584xf16>, tensor<128x3584xf16>
    tsync.dependence %s -> %o operand 0 mode(serial)
      : tensor<128x3584xf16>, tensor<128x4096xf16>
    tsync.yield %o : tensor<128x4096xf16>
  }
  return %0 : tensor<128x4096xf16>
}
