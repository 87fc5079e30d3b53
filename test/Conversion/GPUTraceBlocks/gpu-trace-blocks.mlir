// RUN: grout-opt %s --pass-pipeline="builtin.module(gpu.module(gpu-trace-blocks))" | FileCheck %s
// RUN: grout-opt %s --pass-pipeline="builtin.module(gpu.module(gpu-trace-blocks))" | grout-opt --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --pass-pipeline="builtin.module(gpu.module(gpu-trace-blocks))" | grout-opt --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] attributes {
  llvm.data_layout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
} {

// The block begins before all else. At its end, one thread of each warp records
// that, and the first thread the rest.

// CHECK:       llvm.mlir.global external @grout_trace_store(dense<0> : tensor<2xi64>) {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
// CHECK-LABEL: llvm.func @store(
// CHECK-NEXT:    %[[START:.*]] = nvvm.read.ptx.sreg.globaltimer
// CHECK:         llvm.store %{{.*}}, %arg0
// CHECK:         scf.if
// CHECK:           %[[END:.*]] = nvvm.read.ptx.sreg.globaltimer
// CHECK:           llvm.atomicrmw umax %{{.*}}, %[[END]] syncscope("device") monotonic
// CHECK:           scf.if
// CHECK:             llvm.store %[[START]],
// CHECK:         llvm.return

// PTX:         .visible .global .align 8 .b8 grout_trace_store[16];
// PTX-LABEL:   .entry store(
// PTX:           mov.u64 %[[START:rd[0-9]+]], %globaltimer;
// PTX:           mov.u64 %[[END:rd[0-9]+]], %globaltimer;
// PTX:           {{atom|red}}.global.max.u64 {{.*}}, %[[END]];
// PTX:           st.global.b64 [%{{rd[0-9]+}}], %[[START]];

llvm.func @store(%out: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %out : i32, !llvm.ptr
  llvm.return
}

// A kernel that records its tiles stays as it is, and so does what is no kernel.

// CHECK-LABEL: llvm.func @tiles
// CHECK-NOT:     globaltimer
// CHECK-LABEL: llvm.func @helper
// CHECK-NOT:     globaltimer

llvm.mlir.global external @grout_trace_tiles(dense<0> : tensor<2xi64>) {addr_space = 1 : i32} : !llvm.array<2 x i64>

llvm.func @tiles() attributes {nvvm.kernel} {
  llvm.return
}

llvm.func @helper() {
  llvm.return
}

}
