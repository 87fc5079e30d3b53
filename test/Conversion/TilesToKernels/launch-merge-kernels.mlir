// RUN: grout-opt %s --launch-merge-kernels | FileCheck %s

// The first two launches run the same kernel, whose shared memory has another
// name. @twice is kept for a launch of other threads. All others have a difference: a constant, the size of shared memory, the
// memory that keeps its contents between launches, and the threads of a block.

// CHECK:      launch.kernel "first" @kernels [@first]
// CHECK-NEXT: launch.kernel "same" @kernels [@first]
// CHECK-NEXT: launch.kernel "constant" @kernels [@constant]
// CHECK-NEXT: launch.kernel "more" @kernels [@more]
// CHECK-NEXT: launch.kernel "counter" @kernels [@counter]
// CHECK-NEXT: launch.kernel "other_counter" @kernels [@other_counter]
// CHECK-NEXT: launch.kernel "threads" @kernels [@threads]
// CHECK-NEXT: launch.kernel "again" @kernels [@first]
// CHECK-NEXT: launch.kernel "once_more" @kernels [@first]
// CHECK-NEXT: launch.kernel "kept" @kernels [@twice]
// CHECK-NEXT: launch.kernel "half" @kernels [@first]
// CHECK-NEXT: launch.kernel "missing" @kernels [@missing]
launch.plan @main inputs 1 {
^bb0(%in: memref<64xf32>, %out: memref<64xf32>):
  %t0 = launch.kernel "first" @kernels [@first] (%in, %out) writes [1]
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t1 = launch.kernel "same" @kernels [@same] (%in, %out) writes [1] after full(%t0)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t2 = launch.kernel "constant" @kernels [@constant] (%in, %out) writes [1] after full(%t1)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t3 = launch.kernel "more" @kernels [@more] (%in, %out) writes [1] after full(%t2)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t4 = launch.kernel "counter" @kernels [@counter] (%in, %out) writes [1] after full(%t3)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t5 = launch.kernel "other_counter" @kernels [@other_counter] (%in, %out) writes [1] after full(%t4)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t6 = launch.kernel "threads" @kernels [@threads] (%in, %out) writes [1] after full(%t5)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 64 : i64} : memref<64xf32>, memref<64xf32>
  %t7 = launch.kernel "again" @kernels [@first] (%in, %out) writes [1] after full(%t6)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t8 = launch.kernel "once_more" @kernels [@same] (%in, %out) writes [1] after full(%t7)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t9 = launch.kernel "kept" @kernels [@twice] (%in, %out) writes [1] after full(%t8)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 32 : i64} : memref<64xf32>, memref<64xf32>
  %t10 = launch.kernel "half" @kernels [@twice] (%in, %out) writes [1] after full(%t9)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
  %t11 = launch.kernel "missing" @kernels [@missing] (%in, %out) writes [1] after full(%t10)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {block = 128 : i64} : memref<64xf32>, memref<64xf32>
}

// CHECK:     gpu.module @kernels
// CHECK:       llvm.mlir.global internal @first_shared
// CHECK:       llvm.func @first
// CHECK-NOT:   @same
// CHECK:       llvm.func @constant
// CHECK:       llvm.func @more
// CHECK:       llvm.func @counter
// CHECK:       llvm.func @other_counter
// CHECK:       llvm.func @threads
// CHECK:       llvm.func @twice
gpu.module @kernels {
  llvm.mlir.global internal @first_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  llvm.func @first(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @first_shared : !llvm.ptr<3>
    %v = llvm.load %in : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr<3>
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %v, %two : f32
    llvm.store %w, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @same_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  llvm.func @same(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @same_shared : !llvm.ptr<3>
    %v = llvm.load %in : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr<3>
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %v, %two : f32
    llvm.store %w, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @constant_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  llvm.func @constant(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @constant_shared : !llvm.ptr<3>
    %v = llvm.load %in : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr<3>
    %two = arith.constant 3.0 : f32
    %w = arith.mulf %v, %two : f32
    llvm.store %w, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @more_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8>
  llvm.func @more(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @more_shared : !llvm.ptr<3>
    %v = llvm.load %in : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr<3>
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %v, %two : f32
    llvm.store %w, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @one_counter() {addr_space = 1 : i32} : i32
  llvm.func @counter(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @one_counter : !llvm.ptr<1>
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    llvm.store %v, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @another_counter() {addr_space = 1 : i32} : i32
  llvm.func @other_counter(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @another_counter : !llvm.ptr<1>
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    llvm.store %v, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @threads_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  llvm.func @threads(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @threads_shared : !llvm.ptr<3>
    %v = llvm.load %in : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr<3>
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %v, %two : f32
    llvm.store %w, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.mlir.global internal @twice_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  llvm.func @twice(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @twice_shared : !llvm.ptr<3>
    %v = llvm.load %in : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr<3>
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %v, %two : f32
    llvm.store %w, %out : f32, !llvm.ptr
    llvm.return
  }
}
