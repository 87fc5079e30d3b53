// RUN: grout-opt %s --convert-tsync-to-cpu --split-input-file --verify-diagnostics

func.func @wait(%semaphores: !tsync.semaphores, %index: i32, %count: i32) {
  // expected-error @+1 {{'tsync.wait' op has proxy(async), which the CPU does not have}}
  tsync.wait %semaphores[%index] count %count scope(device) proxy(async)
  return
}

// -----

func.func @post(%semaphores: !tsync.semaphores, %index: i32) {
  // expected-error @+1 {{'tsync.post' op has proxy(async), which the CPU does not have}}
  tsync.post %semaphores[%index] scope(device) proxy(async)
  return
}
