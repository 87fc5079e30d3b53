// RUN: grout-opt %s --dump-ptx -o /dev/null | FileCheck %s

// Assembly with side effects may be an instruction of a whole warpgroup. LLVM
// must not copy it into both arms of a branch that depends on the thread, as it
// would here to skip the second test.

// CHECK-LABEL: .entry kernel(
// CHECK:         wgmma.fence.sync.aligned;
// CHECK-NOT:     wgmma.fence.sync.aligned;
// CHECK:         ret;

gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %sixteen = llvm.mlir.constant(16 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %false = llvm.mlir.constant(false) : i1
    %low = llvm.icmp "ult" %thread, %sixteen : i32
    llvm.cond_br %low, ^low, ^high
  ^low:
    llvm.store volatile %thread, %out : i32, !llvm.ptr<1>
    llvm.br ^both(%true : i1)
  ^high:
    llvm.store volatile %sixteen, %out : i32, !llvm.ptr<1>
    llvm.br ^both(%false : i1)
  ^both(%again: i1):
    llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "" : () -> ()
    llvm.cond_br %again, ^low2, ^high2
  ^low2:
    llvm.store volatile %sixteen, %out : i32, !llvm.ptr<1>
    llvm.return
  ^high2:
    llvm.store volatile %thread, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
