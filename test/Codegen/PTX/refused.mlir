// RUN: grout-opt %s --dump-ptx --split-input-file --verify-diagnostics
// RUN: not grout-opt %s --dump-ptx --split-input-file 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="see current operation: \"gpu.module\""

// An error about a whole module does not print it.
// CHECK: error: 'gpu.module' op needs exactly one #nvvm.target

// expected-error @+1 {{needs exactly one #nvvm.target}}
gpu.module @kernels {
}

// -----

// expected-error @+1 {{needs exactly one #nvvm.target}}
gpu.module @kernels [#nvvm.target<chip = "sm_90a">, #nvvm.target<chip = "sm_80">] {
}

// -----

// LLVM would end the process for what follows.

// expected-error @+1 {{cannot be compiled for 'sm_60': PTX is generated for sm_70 and later}}
gpu.module @kernels [#nvvm.target<chip = "sm_60">] {
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  llvm.func @"f.a$1_b"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{has a name that PTX does not allow: only letters, digits, '_', '$' and '.' are}}
  llvm.func @"@"() {
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.func @vectors(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> vector<1024xf32>
    // expected-error @+1 {{a value of type 'vector<2147483647xf32>' is 2147483647 scalars; PTX is generated for values of at most 1024}}
    %y = llvm.load %p : !llvm.ptr<1> -> vector<2147483647xf32>
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{is 18446744073709551615 scalars}}
  llvm.func @arguments(%p: !llvm.array<4294967296 x array<4294967296 x f32>>) {
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Results may be of such types, and of what is only declared.
  llvm.func @declared(!llvm.struct<()>) -> !llvm.struct<()>
  // expected-error @+1 {{a parameter of type '!llvm.struct<(array<0 x f32>, struct<()>)>' has no scalar; PTX has no such parameters}}
  llvm.func @empty(%p: !llvm.struct<(array<0 x f32>, struct<()>)>) {
    llvm.return
  }
}
