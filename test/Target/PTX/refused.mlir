// RUN: grout-opt %s --dump-ptx --split-input-file --verify-diagnostics

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
