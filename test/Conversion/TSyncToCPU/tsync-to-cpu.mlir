// RUN: grout-opt %s --convert-tsync-to-cpu | FileCheck %s

// Both ops call a function pointer of the context; see grout-c/TileABI.h.

// CHECK-LABEL: func.func @sync(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[INDEX:.*]]: i32, %[[COUNT:.*]]: i32)
// CHECK:         %[[WAIT_AT:.*]] = llvm.getelementptr %[[CONTEXT]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK:         %[[WAIT:.*]] = llvm.load %[[WAIT_AT]]
// CHECK:         llvm.call %[[WAIT]](%[[CONTEXT]], %[[INDEX]], %[[COUNT]]) : !llvm.ptr, (!llvm.ptr, i32, i32) -> ()
// CHECK:         %[[POST_AT:.*]] = llvm.getelementptr %[[CONTEXT]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK:         %[[POST:.*]] = llvm.load %[[POST_AT]]
// CHECK:         llvm.call %[[POST]](%[[CONTEXT]], %[[INDEX]]) : !llvm.ptr, (!llvm.ptr, i32) -> ()

func.func @sync(%context: !llvm.ptr, %index: i32, %count: i32) {
  %semaphores = builtin.unrealized_conversion_cast %context
    : !llvm.ptr to !tsync.semaphores
  tsync.wait %semaphores[%index] count %count scope(device) proxy(generic)
  tsync.post %semaphores[%index] scope(device) proxy(generic)
  return
}
