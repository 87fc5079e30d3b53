// RUN: grout-opt %s --grout-nvvm-kernel-pipeline --split-input-file --verify-diagnostics --dump-ptx | FileCheck %s

// Functions become arithmetic, without a device library. What is an instruction
// stays.

// CHECK-LABEL: .entry functions(
// CHECK-NOT:     call
// CHECK:         sqrt.rn.f32
// CHECK-NOT:     call
// CHECK:         cvt.rmi.f32.f32
// CHECK-NOT:     call
// CHECK:         st.global
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @functions(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %e = math.exp %x : f32
    %t = math.tanh %e : f32
    %f = math.erf %t : f32
    %w = math.powf %f, %x : f32
    %s = math.sqrt %w : f32
    %r = math.rsqrt %s : f32
    %l = math.floor %r : f32
    %h = arith.truncf %l : f32 to f16
    %g = math.log %h : f16
    llvm.store %g, %p : f16, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Functions of f64 are libdevice's, which has none of vectors.

gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] {
  llvm.func @double(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> vector<2xf64>
    // The user's op, and not what it would become.
    // expected-error @+1 {{'math.sinh' op of 'vector<2xf64>' has no lowering for GPUs without CUDA's libdevice; set CUDA_HOME, compute it in f32, or compile for the CPU}}
    %e = math.sinh %x : vector<2xf64>
    llvm.store %e, %p : vector<2xf64>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Halves are rounded to integers as f32, which loses nothing. Just below a half
// is 0: what is added to it may not round.

// CHECK-LABEL: .entry rounded(
// CHECK:         cvt.rzi.f32.f32
// CHECK:         cvt.rzi.f32.f32
// CHECK:         setp.lt.f32
// CHECK:         cvt.rn.bf16.f32
// CHECK-LABEL: .entry rounded64(
// CHECK:         cvt.rzi.f64.f64
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] {
  llvm.func @rounded(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> bf16
    %r = math.round %x : bf16
    llvm.store %r, %p : bf16, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @rounded64(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> f64
    %r = math.round %x : f64
    llvm.store %r, %p : f64, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Powers that are products stay those, also of halves, whose exponents are
// extended.

// CHECK-LABEL: .entry powers(
// CHECK-NOT:     fma
// CHECK-COUNT-3: mul.rn.f{{16|32}}
// CHECK-NOT:     {{fma|mul}}
// CHECK:         st.global
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] {
  llvm.func @powers(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %two = arith.constant 2.0 : f16
    %three = arith.constant 3.0 : f32
    %h = llvm.load %p : !llvm.ptr<1> -> f16
    %s = math.powf %h, %two : f16
    %x = arith.extf %s : f16 to f32
    %c = math.powf %x, %three : f32
    llvm.store %c, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
