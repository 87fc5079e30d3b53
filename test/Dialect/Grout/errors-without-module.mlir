// RUN: not grout-opt %s -pass-pipeline='builtin.module(tsync-verify{residents=-1})' 2>&1 | FileCheck %s --check-prefix=OPTION --implicit-check-not=func
// RUN: not grout-opt %s -pass-pipeline='builtin.module(tsync-select-edge-modes)' 2>&1 | FileCheck %s --check-prefix=TARGET --implicit-check-not=func
// RUN: not grout-opt %s -pass-pipeline='builtin.module(grout-set-target{name=abacus})' 2>&1 | FileCheck %s --check-prefix=NAME --implicit-check-not=func
// RUN: not grout-opt %s -pass-pipeline='builtin.module(launch-schedule{policy=perfect})' 2>&1 | FileCheck %s --check-prefix=POLICY --implicit-check-not=func

// An error that is about the whole module, or an option, does not print the
// module.

// OPTION: error: residents must be at least 0, got -1
// TARGET: error: the module has no target
// NAME: error: {{.*}}abacus
// POLICY: error: unknown policy 'perfect'
func.func @f(%x: tensor<256x256xf16>) -> tensor<256x256xf16> {
  return %x : tensor<256x256xf16>
}
