// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=4 --check | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s --check-prefix=KEPT

// Softmax has a reference, in any dimension, which leaves the op as it is.

// CHECK-DAG: middle: relative error {{.*}}: passes
// CHECK-DAG: first: relative error {{.*}}: passes

// KEPT:      func.func @softmax
// KEPT-NEXT:   tensor.empty
// KEPT-NEXT:   linalg.softmax dimension(1)
// KEPT-NEXT:   linalg.softmax dimension(0)
// KEPT-NEXT:   return
func.func @softmax(%x: tensor<3x77x5xf32>)
    -> (tensor<3x77x5xf32> {grout.name = "middle"},
        tensor<3x77x5xf32> {grout.name = "first"}) {
  %e = tensor.empty() : tensor<3x77x5xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<3x77x5xf32>)
    outs(%e : tensor<3x77x5xf32>) -> tensor<3x77x5xf32>
  %z = linalg.softmax dimension(0) ins(%y : tensor<3x77x5xf32>)
    outs(%e : tensor<3x77x5xf32>) -> tensor<3x77x5xf32>
  return %y, %z : tensor<3x77x5xf32>, tensor<3x77x5xf32>
}
