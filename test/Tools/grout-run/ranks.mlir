// All ranks of a plan run at once, each on inputs of its own, and each is
// compared with its reference.

// REQUIRES: grout-compile, grout-run

// RUN: grout-compile %s --target=cpu -o %t.grout
// RUN: grout-run %t.grout --check --repeat=20 --inject-delays=1 --workers=2 --time --output sum@0=%t.0.npy --output sum@2=%t.2.npy | FileCheck %s

// CHECK: 19 runs: all bitwise equal
// CHECK-NEXT: sum of rank 0: f32[8x64], min [[MIN:.*]], max [[MAX:.*]], mean [[MEAN:.*]]
// CHECK-NEXT: sum of rank 1: f32[8x64], min [[MIN]], max [[MAX]], mean [[MEAN]]
// CHECK-NEXT: sum of rank 2: f32[8x64], min [[MIN]], max [[MAX]], mean [[MEAN]]
// CHECK: sum of rank 0: relative error {{.*}}: passes
// CHECK: sum of rank 1: relative error {{.*}}: passes
// CHECK: sum of rank 2: relative error {{.*}}: passes
// CHECK: time: median {{.*}} us a run ({{.*}} runs, the slowest rank)

// All ranks have the same sum.
// RUN: cmp %t.0.npy %t.2.npy

// A file is for all ranks, or for one.
// RUN: grout-run %t.grout --input x=%t.0.npy --input y@1=%t.0.npy --check | FileCheck %s --check-prefix=FILES
// FILES: sum of rank 2: relative error {{.*}}: passes

// RUN: not grout-run %t.grout --input x=%t.0.npy --input x@1=%t.0.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: grout-run: error: rank 1: input 'x' is given twice
// RUN: not grout-run %t.grout --input x@3=%t.0.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: grout-run: error: there is no rank 3, which 'x@3' names; the plan has 3 ranks
// RUN: not grout-run %t.grout --input x@-1=%t.0.npy 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: grout-run: error: rank 0: there is no input 'x@-1'; the function has 'x', 'y'
// RUN: not grout-run %t.grout --output sum=%t.npy 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: grout-run: error: the plan has 3 ranks, so output 'sum' needs a rank: --output sum@0=

func.func @f(%x: tensor<8x64xf32> {grout.name = "x"},
             %y: tensor<8x64xf32> {grout.name = "y"})
    -> (tensor<8x64xf32> {grout.name = "sum"}) {
  %init = tensor.empty() : tensor<8x64xf32>
  %0 = linalg.mul ins(%x, %y : tensor<8x64xf32>, tensor<8x64xf32>)
      outs(%init : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = collective.all_reduce %0 ranks 3 channel 0 : tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
