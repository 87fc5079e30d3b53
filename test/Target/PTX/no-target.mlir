// RUN: grout-opt %s --dump-ptx --split-input-file --verify-diagnostics

// expected-error @+1 {{needs exactly one #nvvm.target}}
gpu.module @kernels {
}

// -----

// expected-error @+1 {{needs exactly one #nvvm.target}}
gpu.module @kernels [#nvvm.target<chip = "sm_90a">, #nvvm.target<chip = "sm_80">] {
}
