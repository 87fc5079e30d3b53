// RUN: grout-opt %s --convert-tsync-to-nvvm --split-input-file --verify-diagnostics

func.func @unknown(%semaphores: !tsync.semaphores, %index: i32) {
  // expected-error @+1 {{needs semaphores that are cast from a pointer to the synchronisation state}}
  tsync.wait %semaphores[%index] count %index scope(device) proxy(async)
  return
}

// -----

func.func @three(%state: !llvm.ptr, %index: i32) {
  %semaphores = builtin.unrealized_conversion_cast %state, %state, %state : !llvm.ptr, !llvm.ptr, !llvm.ptr to !tsync.semaphores
  // expected-error @+1 {{needs semaphores that are cast from a pointer to the synchronisation state}}
  tsync.post %semaphores[%index] scope(device) proxy(generic)
  return
}

// -----

func.func @integer(%state: i64, %index: i32) {
  %semaphores = builtin.unrealized_conversion_cast %state : i64 to !tsync.semaphores
  // expected-error @+1 {{needs semaphores that are cast from a pointer to the synchronisation state}}
  tsync.post %semaphores[%index] scope(device) proxy(generic)
  return
}
