// RUN: grout-opt %s --split-input-file --verify-diagnostics --dump-ptx -o /dev/null

// What has to be lowered first is said at the first op of its kind.

gpu.module @cast [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @wait(%state: !llvm.ptr, %index: i32, %count: i32) attributes {nvvm.kernel} {
    // expected-error @below {{'builtin.unrealized_conversion_cast' op cannot be translated to PTX, as only the llvm and nvvm dialects can; run convert-tsync-to-nvvm and grout-nvvm-kernel-pipeline before}}
    %semaphores = builtin.unrealized_conversion_cast %state : !llvm.ptr to !tsync.semaphores
    tsync.wait %semaphores[%index] count %count scope(device) proxy(async)
    llvm.return
  }
}

// -----

gpu.module @wait [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  func.func @use(%semaphores: !tsync.semaphores, %index: i32, %count: i32) {
    // expected-error @below {{'tsync.wait' op cannot be translated to PTX, as only the llvm and nvvm dialects can; run convert-tsync-to-nvvm and grout-nvvm-kernel-pipeline before}}
    tsync.wait %semaphores[%index] count %count scope(device) proxy(async)
    return
  }
}

// -----

gpu.module @arithmetic [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @add(%x: i32) attributes {nvvm.kernel} {
    // expected-error @below {{'arith.addi' op cannot be translated to PTX, as only the llvm and nvvm dialects can; run grout-nvvm-kernel-pipeline before}}
    %sum = arith.addi %x, %x : i32
    llvm.return
  }
}
