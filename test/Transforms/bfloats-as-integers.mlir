// RUN: grout-opt %s --bfloats-as-integers | FileCheck %s

// Whatever moves values is kept.

// CHECK-LABEL: llvm.func @moved(
// CHECK-SAME:      %[[P:.*]]: !llvm.ptr, %[[C:.*]]: i1)
// CHECK:         %[[LEAST:.*]] = llvm.mlir.constant(-128 : i16) : i16
// CHECK:         llvm.mlir.constant(dense<[16256, 16384]> : vector<2xi16>) : vector<2xi16>
// CHECK:         llvm.getelementptr %[[P]][1] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK:         %[[Y:.*]] = llvm.select %[[C]], %[[X]], %[[LEAST]] : i1, i16
// CHECK:         llvm.br ^bb1(%[[Y]] : i16)
// CHECK:       ^bb1(%[[Z:.*]]: i16):
// CHECK:         llvm.store %[[Z]], %[[P]] : i16, !llvm.ptr
llvm.func @moved(%p: !llvm.ptr, %c: i1) {
  %least = llvm.mlir.constant(0xFF80 : bf16) : bf16
  %pair = llvm.mlir.constant(dense<[1.0, 2.0]> : vector<2xbf16>) : vector<2xbf16>
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  %x = llvm.load %q : !llvm.ptr -> bf16
  %y = llvm.select %c, %x, %least : i1, bf16
  llvm.br ^next(%y : bf16)
^next(%z: bf16):
  llvm.store %z, %p : bf16, !llvm.ptr
  llvm.return
}
