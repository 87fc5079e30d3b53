// REQUIRES: libdevice
// RUN: grout-opt %s --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s
// RUN: grout-opt %s --expand-device-math | FileCheck %s --check-prefix=CALLS
// RUN: %if ptxas %{ grout-opt %s --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true ptxas=%ptxas" -o /dev/null %}

// Functions of f64 are libdevice's: of one module with what calls them, where
// nothing is left that a driver would look for. Roots, squares and powers of
// integers are arithmetic, and f32 has polynomials.

// CHECK-NOT: .extern
// CHECK: .entry doubles(
// CHECK-NOT: __nv_

// CALLS-DAG:     llvm.func @__nv_pow(f64, f64) -> f64
// CALLS-DAG:     llvm.func @__nv_sinh(f64) -> f64
// CALLS-LABEL: llvm.func @doubles(
// CALLS:         llvm.call @__nv_sinh(
// CALLS:         llvm.call @__nv_pow(
// CALLS-NOT:     llvm.call
// CALLS:         llvm.return
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] {
  llvm.func @doubles(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %two = arith.constant 2.0 : f64
    %three = arith.constant 3 : i32
    %x = llvm.load %p : !llvm.ptr<1> -> f64
    %s = math.sinh %x : f64
    %w = math.powf %x, %s : f64
    %r = math.rsqrt %w : f64
    %t = math.powf %r, %two : f64
    %u = math.fpowi %t, %three : f64, i32
    llvm.store %u, %p : f64, !llvm.ptr<1>
    %y = llvm.load %q : !llvm.ptr<1> -> f32
    %z = math.sinh %y : f32
    llvm.store %z, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
