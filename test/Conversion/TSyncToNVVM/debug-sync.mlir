// RUN: grout-opt %s --convert-tsync-to-nvvm="debug-sync-milliseconds=5" --grout-nvvm-kernel-pipeline --dump-ptx -o %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.mlir
// RUN: %if ptxas %{ grout-opt %s --convert-tsync-to-nvvm="debug-sync-milliseconds=5" --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}
// RUN: grout-opt %s --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o %t.mlir | FileCheck %s --check-prefix=WITHOUT
// RUN: FileCheck %s --check-prefix=UNMARKED --input-file=%t.mlir

// A launch says whether its kernel's waits give up.

// PLAN-LABEL:     launch.plan @plan
// PLAN:           launch.kernel "waits"
// PLAN-SAME:      debug_sync_milliseconds = 5 : i64
// PLAN:           launch.kernel "posts"
// PLAN-NOT:       debug_sync_milliseconds

// UNMARKED:       launch.kernel "waits"
// UNMARKED-NOT:   debug_sync_milliseconds

launch.plan @plan inputs 0 {
^bb0(%out0: memref<4xf32>, %out1: memref<4xf32>):
  %s = launch.semaphores 1
  %t = launch.kernel "waits" @kernels [@wait] (%out0) writes [0] uses(%s) args [#launch.arg<sync_state>]
    grids [[1]] {block = 32 : i64} : memref<4xf32>
  %t1 = launch.kernel "posts" @kernels [@post] (%out1) writes [0] uses(%s) args [#launch.arg<sync_state>, #launch.arg<semaphores>]
    grids [[1]] {block = 32 : i64} : memref<4xf32>
}

gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] attributes {
  llvm.data_layout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
} {

// Between polls, a wait looks whether another has given up, word 16, and at the
// time. The first to give up writes semaphore, target, counter, count, epoch,
// block and task, once. What follows the wait follows it then, too.

// CHECK-LABEL: .entry wait(
// CHECK-DAG:     ld.param.b32 %[[INDEX:r[0-9]+]], [wait_param_1];
// CHECK-DAG:     ld.param.b32 %[[COUNT:r[0-9]+]], [wait_param_2];
// CHECK:         ld.relaxed.gpu.global.b32 %[[EPOCH:r[0-9]+]], [%[[STATE:rd[0-9]+]]+8];
// CHECK:         mov.u64 %[[START:rd[0-9]+]], %globaltimer;
// CHECK:         ld.acquire.gpu.global.b32 %[[SEEN:r[0-9]+]], [%{{rd[0-9]+}}+128];
// CHECK:         sub.s32 %{{r[0-9]+}}, %[[SEEN]], %[[TARGET:r[0-9]+]];
// CHECK:         ld.param.b32 %[[Z:r[0-9]+]], [wait_param_6];
// CHECK:         ld.param.b32 %[[BODY:r[0-9]+]], [wait_param_3];
// CHECK:         mov.u32 %[[BLOCK:r[0-9]+]], %ctaid.x;
// CHECK:         ld.relaxed.gpu.global.b32 %[[GIVEN:r[0-9]+]], [%[[STATE]]+64];
// CHECK:         mov.u64 %[[NOW:rd[0-9]+]], %globaltimer;
// CHECK:         sub.s64 %[[ELAPSED:rd[0-9]+]], %[[NOW]], %[[START]];
// CHECK:         setp.lt.u64 %{{p[0-9]+}}, %[[ELAPSED]], 5000000;
// CHECK:         setp.ne.b32 %{{p[0-9]+}}, %[[GIVEN]], 0;
// CHECK:         atom.global.exch.b32 %[[BEFORE:r[0-9]+]], [%[[STATE]]+64], 1;
// CHECK:         setp.ne.b32 %{{p[0-9]+}}, %[[BEFORE]], 0;
// CHECK:         st.global.b32 [%[[STATE]]+68], %[[INDEX]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+72], %[[TARGET]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+76], %[[SEEN]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+80], %[[COUNT]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+84], %[[EPOCH]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+88], %[[BLOCK]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+92], %[[BODY]];
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+96],
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+100],
// CHECK-NEXT:    st.global.b32 [%[[STATE]]+104], %[[Z]];
// CHECK-NOT:     trap
// CHECK:         nanosleep.u32 20;
// CHECK-NEXT:    ld.acquire.gpu.global.b32 %[[SEEN]]
// CHECK:         fence.proxy.async.global;
// CHECK:         ret;

// Without the option there is nothing of that: only the epoch is read beside the
// counter.

// WITHOUT-LABEL: .entry wait(
// WITHOUT:       ld.relaxed.gpu.global.b32 %{{r[0-9]+}}, [%{{rd[0-9]+}}+8];
// WITHOUT-NOT:   {{globaltimer|atom|ld.relaxed|st.global}}
// WITHOUT:       ret;
// WITHOUT-LABEL: .entry wait_without_task(
llvm.func @wait(%state: !llvm.ptr, %index: i32, %count: i32, %body: i32, %x: i32, %y: i32, %z: i32) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  tsync.wait %semaphores[%index] count %count scope(device) proxy(async) task(%body, %x, %y, %z)
  llvm.return
}

// A wait that names no task records a body of -1.

// CHECK-LABEL: .entry wait_without_task(
// CHECK:         st.global.b32 [%{{rd[0-9]+}}+92], -1;
// CHECK-NOT:     st.global.b32 [%{{rd[0-9]+}}+96]
// CHECK:         ret;
llvm.func @wait_without_task(%state: !llvm.ptr, %index: i32, %count: i32) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  tsync.wait %semaphores[%index] count %count scope(device) proxy(generic)
  llvm.return
}

// CHECK-LABEL: .entry post(
// CHECK-NOT:     globaltimer
// CHECK:         ret;
llvm.func @post(%state: !llvm.ptr) attributes {nvvm.kernel} {
  %index = llvm.mlir.constant(0 : i32) : i32
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  tsync.post %semaphores[%index] scope(device) proxy(generic)
  llvm.return
}

}
