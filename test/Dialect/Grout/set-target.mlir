// RUN: grout-opt %s --grout-set-target=name=h200 | FileCheck %s
// RUN: grout-opt %s --grout-set-target | FileCheck %s --check-prefix=DEFAULT
// RUN: grout-opt %s --grout-set-target=name=h200 --grout-set-target=name=h200 | FileCheck %s
// RUN: not grout-opt %s --grout-set-target=name=h200 --grout-set-target=name=cpu 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not grout-opt %s --grout-set-target=name=abacus 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not grout-opt %s --scop-form-launches 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not grout-opt %s --grout-set-target=name=h200 --grout-pipeline=target=cpu 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: module attributes {grout.target = #grout.target<"h200">}
// DEFAULT: module attributes {grout.target = #grout.target<"cpu">}
// OTHER: error: is compiled for #grout.target<"cpu">, but has #grout.target<"h200">
// UNKNOWN: error: unknown target 'abacus'; known are {{.*}}cpu, {{.*}}h200
// NONE: error: the module has no target; give it one, as grout-set-target does

func.func @f() {
  return
}
