// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s --check-prefix=PLAN
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t
// RUN: FileCheck %s --check-prefix=ENTRY < %t
// RUN: FileCheck %s --check-prefix=LOADER < %t
// RUN: FileCheck %s --check-prefix=PRODUCTS < %t
// RUN: FileCheck %s --check-prefix=EPILOGUE < %t
// RUN: FileCheck %s --check-prefix=STORER < %t
// RUN: FileCheck %s --check-prefix=SCHEDULER < %t
// RUN: FileCheck %s --check-prefix=FINISH < %t
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// The MLP of GPT-3 on 1024 tokens: one kernel for both products, whose tiles
// wait for rows. Each helper's code is checked by itself.

// PLAN:       launch.plan @mlp inputs 3 {
// PLAN:         %[[H:.*]] = launch.buffer "kernel0" : memref<1024x6144xf16>
// PLAN:         %[[SEMAPHORES:.*]] = launch.semaphores 8
// PLAN:         %[[START:.*]] = launch.start
// PLAN:         launch.kernel "mlp_chain0" @mlp_kernels [@mlp_chain0](%arg0, %arg1, %[[H]], %arg2, %arg3) writes [2, 4] after programmatic(%[[START]]) uses(%[[SEMAPHORES]]) args [
// PLAN-SAME:      #launch.arg<tensor_map, operand = 0, sizes = [12288, 1024], strides = [24576], box = [64, 128], swizzle = b128>,
// PLAN-SAME:      #launch.arg<tensor_map, operand = 1, sizes = [6144, 12288], strides = [12288], box = [64, 64], swizzle = b128>,
// PLAN-SAME:      #launch.arg<tensor_map, operand = 2, sizes = [6144, 1024], strides = [12288], box = [64, 64], swizzle = b128>,
// PLAN-SAME:      #launch.arg<tensor_map, operand = 2, sizes = [6144, 1024], strides = [12288], box = [64, 128], swizzle = b128>,
// PLAN-SAME:      #launch.arg<tensor_map, operand = 3, sizes = [12288, 6144], strides = [24576], box = [64, 64], swizzle = b128>,
// PLAN-SAME:      #launch.arg<tensor_map, operand = 4, sizes = [12288, 1024], strides = [24576], box = [64, 64], swizzle = b128>,
// PLAN-SAME:      #launch.arg<sync_state>, #launch.arg<task_list>, #launch.arg<task_count>]
// PLAN-SAME:      grids {{\[\[}}8, 24], [8, 48]] order [#{{.*}}, #{{.*}}]
// PLAN-SAME:      block = 384
// PLAN-SAME:      shared_memory = 229568
// PLAN:       gpu.module @mlp_kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] attributes {llvm.data_layout = {{.*}}} {
// PLAN:         llvm.mlir.global external @grout_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// PLAN:         llvm.func @mlp_chain0(
// PLAN-SAME:      !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// PLAN-SAME:      nvvm.kernel, nvvm.maxnreg = 168 : i32, nvvm.reqntid = array<i32: 384, 1, 1>

// The epoch is read before the first barrier, after which another block may
// change it. Registers move from the helpers to the consumers.

// ENTRY:      .entry mlp_chain0(
// ENTRY:      .reqntid 384, 1, 1
// ENTRY:      .maxnreg 168
// ENTRY:      fence.mbarrier_init.release.cluster;
// ENTRY-NEXT: fence.proxy.async.shared::cta;
// ENTRY:      bar.sync 0;
// ENTRY:      ld.relaxed.gpu.global.b32 %{{r[0-9]+}}, [%{{rd[0-9]+}}+8];
// ENTRY:      setmaxnreg.dec.sync.aligned.u32 40;
// ENTRY:      setmaxnreg.inc.sync.aligned.u32 232;

// The waiting loader acquires, fences, and only then copies.

// LOADER:      ld.acquire.gpu.global.b32
// LOADER-NOT:  cp.async.bulk.tensor
// LOADER:      fence.proxy.async.global;
// LOADER:      mbarrier.try_wait.parity.shared.b64
// LOADER:      mbarrier.arrive.expect_tx.shared.b64
// LOADER:      cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

// PRODUCTS:      setmaxnreg.inc
// PRODUCTS:      mbarrier.try_wait.parity.shared.b64
// PRODUCTS:      wgmma.fence.sync.aligned;
// PRODUCTS-COUNT-4: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// PRODUCTS-NOT:  wgmma.mma_async
// PRODUCTS:      wgmma.commit_group.sync.aligned;
// PRODUCTS-NEXT: wgmma.wait_group.sync.aligned 1;
// PRODUCTS:      mbarrier.arrive.shared.b64
// PRODUCTS:      wgmma.wait_group.sync.aligned 0;

// x / 2 (tanh + 1) is one operation from there. What stmatrix wrote is fenced
// before the warp arrives.

// EPILOGUE:      tanh.approx.f32 %[[TANH:r[0-9]+]]
// EPILOGUE:      mul.f32 %[[HALF:r[0-9]+]], %{{.*}}, 0f3F000000
// EPILOGUE-NEXT: fma.rn.f32 %{{.*}}, %[[HALF]], %[[TANH]], %[[HALF]]
// EPILOGUE:      cvt.rn.f16x2.f32
// EPILOGUE:      stmatrix.sync.aligned.m8n8.x4.shared.b16
// EPILOGUE-NOT:  mbarrier.arrive
// EPILOGUE:      fence.proxy.async.shared::cta;
// EPILOGUE-NEXT: bar.warp.sync -1;
// EPILOGUE:      mbarrier.arrive.shared.b64

// The copies have been written, not only read, before the post.

// STORER:      cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// STORER:      cp.async.bulk.commit_group;
// STORER:      cp.async.bulk.wait_group.read 0;
// STORER-NOT:  red.release
// STORER:      {{^[[:space:]]*}}cp.async.bulk.wait_group 0;
// STORER-NOT:  cp.async.bulk
// STORER:      red.release.gpu.global.add.u32

// A task is published by storing it and arriving.

// SCHEDULER:      st.shared.v4.b32
// SCHEDULER-NOT:  st.shared
// SCHEDULER:      mbarrier.arrive.shared.b64
// SCHEDULER:      atom.global.add.u32
// SCHEDULER:      ld.global.v4.b32

// The last block makes the state ready for the next launch.

// FINISH:         fence.acq_rel.gpu;
// FINISH:         atom.global.add.u32 %{{r[0-9]+}}, [%{{rd[0-9]+}}+4], 1;
// FINISH:         fence.acq_rel.gpu;
// FINISH:         st.global.b32 [%{{rd[0-9]+}}+8]

// REPORT: mlp_chain0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-NOT: {{.}}

func.func @mlp(%x: tensor<1024x12288xf16>, %w1: tensor<12288x6144xf16>,
               %w2: tensor<6144x12288xf16>) -> tensor<1024x12288xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<1024x12288xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4>
    } : tensor<1024x12288xf16>, tensor<12288x6144xf16>
        -> tensor<1024x6144xf16> {
    ^bb0(%acc: f32):
      %half = arith.constant 0.5 : f32
      %one = arith.constant 1.0 : f32
      %c = arith.constant 0.797884583 : f32
      %d = arith.constant 0.044715 : f32
      %x2 = arith.mulf %acc, %acc : f32
      %x3 = arith.mulf %x2, %acc : f32
      %dx = arith.mulf %x3, %d : f32
      %s = arith.addf %acc, %dx : f32
      %u = arith.mulf %s, %c : f32
      %t = math.tanh %u : f32
      %t1 = arith.addf %t, %one : f32
      %hx = arith.mulf %acc, %half : f32
      %g = arith.mulf %hx, %t1 : f32
      %o = arith.truncf %g : f32 to f16
      tgemm.yield %o : f16
    }
    %o = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4>
    } : tensor<1024x6144xf16>, tensor<6144x12288xf16>
        -> tensor<1024x12288xf16>
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [8], counts = [24],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<1024x6144xf16>, tensor<1024x12288xf16>
    tsync.yield %o : tensor<1024x12288xf16>
  }
  return %0 : tensor<1024x12288xf16>
}
