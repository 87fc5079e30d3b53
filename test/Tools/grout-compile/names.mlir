// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --info | FileCheck %s
// RUN: grout-compile - -o - < %s > %t.stdin.grout
// RUN: cmp %t.grout %t.stdin.grout

// Tensors are called what an attribute says, or what the text says.

// CHECK:      product for cpu, mode persistent
// CHECK-NEXT:   input left: f32[16x24]
// CHECK-NEXT:   input b: f32[24x32]
// CHECK-NEXT:   output y: f32[16x32]

func.func @product(%a: tensor<16x24xf32> {grout.name = "left"},
                   %b: tensor<24x32xf32>)
    -> (tensor<16x32xf32> {grout.name = "y"}) {
  %y = tgemm.matmul %a, %b
    : tensor<16x24xf32>, tensor<24x32xf32> -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
