// RUN: grout-opt %s --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s
// RUN: %if ptxas %{ grout-opt %s --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// What counts is the PTX: LLVM 22 drops the memory order of atomicrmw.

gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] attributes {
  llvm.data_layout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
} {

// A wait polls with acquire, and pauses between polls. The target is the count
// times the epoch plus 1; semaphore i is word 32 + 8 i. Before TMA loads there
// is a proxy fence, after the last poll.

// CHECK-LABEL: .entry wait(
// CHECK:         ld.relaxed.gpu.global.b32 %[[EPOCH:r[0-9]+]], [%{{rd[0-9]+}}+8];
// CHECK-NOT:     ld.global
// CHECK:         ld.acquire.gpu.global.b32 %{{.*}}, [%{{rd[0-9]+}}+128];
// CHECK:         nanosleep.u32 20;
// CHECK-NOT:     ld.relaxed
// CHECK-NOT:     ld.volatile
// CHECK-NOT:     ld.global
// CHECK:         fence.proxy.async.global;
// CHECK-NOT:     fence
// CHECK:         ret;
llvm.func @wait(%state: !llvm.ptr, %index: i32, %count: i32) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  tsync.wait %semaphores[%index] count %count scope(device) proxy(async)
  llvm.return
}

// Ordinary loads need no proxy fence.

// CHECK-LABEL: .entry wait_generic(
// CHECK:         ld.acquire.gpu.global.b32
// CHECK-NOT:     fence
// CHECK:         ret;
llvm.func @wait_generic(%state: !llvm.ptr, %index: i32, %count: i32) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  tsync.wait %semaphores[%index] count %count scope(device) proxy(generic)
  llvm.return
}

// Two waits share the load of the epoch, which comes first.

// CHECK-LABEL: .entry wait_twice(
// CHECK:         ld.relaxed.gpu.global.b32 %{{r[0-9]+}}, [%{{rd[0-9]+}}+8];
// CHECK-NOT:     {{ld.global|ld.relaxed}}
// CHECK:         ld.acquire.cta.global.b32
// CHECK-NOT:     {{ld.global|ld.relaxed}}
// CHECK:         ld.acquire.sys.global.b32
// CHECK-NOT:     {{ld.global|ld.relaxed}}
// CHECK:         ret;
llvm.func @wait_twice(%state: !llvm.ptr, %index: i32, %count: i32) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  tsync.wait %semaphores[%index] count %count scope(block) proxy(generic)
  %one = arith.constant 1 : i32
  %next = arith.addi %index, %one : i32
  tsync.wait %semaphores[%next] count %count scope(system) proxy(generic)
  llvm.return
}

// Semaphores may be in the state of another launch; the epoch is the launch's own.

// CHECK-LABEL: .entry wait_elsewhere(
// CHECK:         ld.param.b64 %[[OWN:rd[0-9]+]], [wait_elsewhere_param_0];
// CHECK:         cvta.to.global.u64 %[[STATE:rd[0-9]+]], %[[OWN]];
// CHECK:         ld.param.b64 %[[OTHER:rd[0-9]+]], [wait_elsewhere_param_1];
// CHECK:         cvta.to.global.u64 %[[SEMAPHORES:rd[0-9]+]], %[[OTHER]];
// CHECK:         ld.relaxed.gpu.global.b32 %{{r[0-9]+}}, [%[[STATE]]+8];
// CHECK:         add.s64 %[[THIRD:rd[0-9]+]], %[[SEMAPHORES]], 192;
// CHECK:         ld.acquire.gpu.global.b32 %{{r[0-9]+}}, [%[[SEMAPHORES]]+192];
// CHECK:         red.release.gpu.global.add.u32 [%[[THIRD]]], %{{r[0-9]+}};
// CHECK:         ret;
llvm.func @wait_elsewhere(%state: !llvm.ptr, %other: !llvm.ptr, %count: i32) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state, %other : !llvm.ptr, !llvm.ptr to !tsync.semaphores
  %two = arith.constant 2 : i32
  tsync.wait %semaphores[%two] count %count scope(device) proxy(generic)
  tsync.post %semaphores[%two] scope(device) proxy(generic)
  llvm.return
}

// A post releases. It needs no fence of its own for data written by TMA stores:
// their completion, which its thread has waited for, is one.

// CHECK-LABEL: .entry post(
// CHECK:         st.global.b32
// CHECK-NOT:     atom
// CHECK:         red.release.gpu.global.add.u32 [%{{rd[0-9]+}}], %{{r[0-9]+}};
// CHECK:         red.release.cta.global.add.u32
// CHECK:         red.release.sys.global.add.u32
// CHECK:         ret;
llvm.func @post(%state: !llvm.ptr, %index: i32, %data: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
  llvm.store %index, %data : i32, !llvm.ptr<1>
  tsync.post %semaphores[%index] scope(device) proxy(generic)
  tsync.post %semaphores[%index] scope(block) proxy(generic)
  tsync.post %semaphores[%index] scope(system) proxy(async)
  llvm.return
}

}
