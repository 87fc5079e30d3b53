// REQUIRES: grout-compile

// The options of memory-bound kernels: what steers the scheduler, and what it
// tried.

// RUN: grout-compile %s --target=h200 --scop-trace -o %t.grout | FileCheck %s --check-prefix=TRACE
// TRACE:      kernel at loc({{.*}}scop-options.mlir
// TRACE-NEXT: 0: linear {{.*}}: found, coincident
// TRACE-NEXT: 1: sequence S0; S1: found
// TRACE-NEXT: 2: linear {{.*}}: found, parallel but for reductions

// RUN: not grout-compile %s --target=h200 --scop-tree=none --scop-solver=isl --scop-trace -o %t.grout 2>&1 | FileCheck %s --check-prefix=ISL
// ISL: grout-compile: error: --scop-trace needs --scop-solver=ilp: isl does not say what it tried

// RUN: grout-compile %s --target=cpu --scop-trace -o %t.grout | FileCheck %s --check-prefix=CPU
// CPU:      kernel at loc({{.*}}scop-options.mlir
// CPU-NEXT: 0: own row: found, coincident

// RUN: not grout-compile %s --target=h200 --scop-trace --emit=mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: grout-compile: error: --scop-trace needs -o FILE: it prints on standard output

// RUN: grout-compile %S/Inputs/tree.mlir --target=h200 --scop-tree=from-ir --scop-trace --no-reference -o %t.grout | FileCheck %s --check-prefix=IR
// IR:      kernel at loc({{.*}}tree.mlir
// IR-NEXT: 0: linear S.i1 = 1, S.i0 = 0; coincident: found, coincident
// IR-NEXT: 1: linear S.i0 = 1, S.i1 = 0; coincident; thread_x: found, coincident

// RUN: not grout-compile %s --target=h200 --scop-tree=oak -o %t.grout 2>&1 | FileCheck %s --check-prefix=TREE
// TREE: grout-compile: error: unknown --scop-tree 'oak'; trees are: akg, auto, from-ir, none

// RUN: not grout-compile %s --target=h200 --scop-solver=oracle -o %t.grout 2>&1 | FileCheck %s --check-prefix=SOLVER
// SOLVER: for the --scop-solver option: Cannot find option named 'oracle'!

// RUN: not grout-compile %s --target=h200 --scop-solver=isl -o %t.grout 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: grout-compile: error: --scop-solver=isl needs --scop-tree=none

// RUN: not grout-compile %s --target=cpu --scop-tree=none -o %t.grout 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not grout-compile %s --target=cpu --scop-restructure=never -o %t.grout 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: grout-compile: error: --scop-tree, --scop-solver and --scop-restructure need a GPU as --target

// RUN: not grout-compile %s --target=h200 --scop-restructure=sometimes -o %t.grout 2>&1 | FileCheck %s --check-prefix=RESTRUCTURE
// RESTRUCTURE: for the --scop-restructure option: Cannot find option named 'sometimes'!

// A sum that is split is two launches, of whatever tree.
// RUN: grout-compile %S/Inputs/total.mlir --target=h200 --no-reference -o %t.grout && grout-run %t.grout --info | FileCheck %s --check-prefix=SPLIT
// RUN: grout-compile %S/Inputs/total.mlir --target=h200 --no-reference --scop-tree=akg --scop-restructure=always -o %t.grout && grout-run %t.grout --info | FileCheck %s --check-prefix=SPLIT
// RUN: grout-compile %S/Inputs/total.mlir --target=h200 --no-reference --scop-tree=akg -o %t.grout && grout-run %t.grout --info | FileCheck %s --check-prefix=WHOLE
// RUN: grout-compile %S/Inputs/total.mlir --target=h200 --no-reference --scop-restructure=never -o %t.grout && grout-run %t.grout --info | FileCheck %s --check-prefix=WHOLE
// SPLIT: launch 1
// WHOLE: launch 0
// WHOLE-NOT: launch 1

func.func @rows(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<64x128xf32>) outs(%start : tensor<64xf32>) dimensions = [1]
  return %y : tensor<64xf32>
}
