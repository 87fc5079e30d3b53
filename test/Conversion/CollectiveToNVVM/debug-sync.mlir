// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --launch-place-buffers > %t.mlir
// RUN: FileCheck %s --check-prefix=OPS < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm="debug-sync-milliseconds=5" --grout-nvvm-kernel-pipeline --dump-ptx -o %t.plan.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=WITHOUT
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm="debug-sync-milliseconds=5" --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// A wait for words of other ranks gives up after a time, as waits for semaphores
// do. Between polls it looks whether another wait has given up, word 16, and at
// the time. The first to give up writes its block, word 22, and the rank that it
// waits for plus 1, word 27.

// OPS-LABEL: llvm.func @few_kernel0(
// OPS:       tsync.poll_again %{{.*}} of %{{.*}} in %{{.*}}
// OPS-NOT:   tsync.poll_again

// PLAN:      launch.kernel "few_kernel0"
// PLAN-SAME: debug_sync_milliseconds = 5 : i64

// CHECK-LABEL: .entry few_kernel0(
// CHECK:       mov.u64 %[[START:rd[0-9]+]], %globaltimer;
// CHECK:       ld.relaxed.sys.global.b32
// CHECK:       ld.relaxed.sys.global.b32
// CHECK:       ld.relaxed.sys.global.b32
// CHECK:       ld.relaxed.gpu.global.b32 %[[GIVEN:r[0-9]+]], [%[[STATE:rd[0-9]+]]+64];
// CHECK:       mov.u64 %[[NOW:rd[0-9]+]], %globaltimer;
// CHECK:       sub.s64 %[[ELAPSED:rd[0-9]+]], %[[NOW]], %[[START]];
// CHECK:       setp.lt.u64 %{{p[0-9]+}}, %[[ELAPSED]], 5000000;
// CHECK:       atom.global.exch.b32 %{{r[0-9]+}}, [%[[STATE]]+64], 1;
// CHECK:       selp.b32 %{{r[0-9]+}}, 3,
// CHECK:       st.global.b32 [%[[STATE]]+88], %{{r[0-9]+}};
// CHECK:       st.global.b32 [%[[STATE]]+108], %{{r[0-9]+}};
// CHECK-NOT:   trap
// CHECK:       ret;

// WITHOUT-LABEL: .entry few_kernel0(
// WITHOUT:       ld.relaxed.sys.global.b32
// WITHOUT-NOT:   {{globaltimer|atom.global.exch|ld.relaxed.gpu}}
// WITHOUT:       ret;
func.func @few(%x: tensor<3x5xf32>) -> tensor<3x3xf32> {
  %part = tensor.extract_slice %x[0, 1] [3, 3] [1, 1] : tensor<3x5xf32> to tensor<3x3xf32>
  %0 = collective.all_reduce %part ranks 3 : tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// If a thread waits for many vectors, so does its loop for the one that is
// missing.

// OPS-LABEL:     llvm.func @many_kernel0(
// OPS-COUNT-2:   tsync.poll_again

// CHECK-LABEL:   .entry many_kernel0(
// CHECK-COUNT-2: atom.global.exch.b32
// CHECK:         ret;
func.func @many(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = collective.all_reduce %x ranks 8 : tensor<64xf32>
  return %0 : tensor<64xf32>
}
