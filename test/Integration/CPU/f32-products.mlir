// RUN: grout-compile %s --f32-products=bf16x6 -o %t.six
// RUN: grout-run %t.six --device=cpu --workers=2 --check | FileCheck %s --check-prefix=SIX
// RUN: grout-compile %s --f32-products=bf16x3 -o %t.three
// RUN: grout-run %t.three --device=cpu --workers=2 --check | FileCheck %s --check-prefix=THREE
// RUN: grout-compile %s --f32-products=bf16 -o %t.one
// RUN: grout-run %t.one --device=cpu --workers=2 --check | FileCheck %s --check-prefix=ONE
// RUN: not grout-compile %s --target=h200 --f32-products=exact -o %t.none 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not grout-compile %s --f32-products=tf32 -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Each piece more has eight bits more.

// SIX:     h: relative error {{[0-9.]+e-0[78]}}, {{.*}}, tolerance 1e-05 (f32): passes
// SIX:     y: relative error {{[0-9.]+e-0[78]}}, {{.*}}, tolerance 1e-05 (f32): passes
// THREE:   h: relative error {{[0-9.]+e-06}}, {{.*}}, tolerance 1e-05 (f32): passes
// THREE:   y: relative error {{[0-9.]+e-06}}, {{.*}}, tolerance 1e-05 (f32): passes
// ONE:     h: relative error 0.00{{.*}}, tolerance 0.01 (bf16): passes
// ONE:     y: relative error 0.00{{.*}}, tolerance 0.01 (bf16): passes
// EXACT:   f32-products.mlir:[[@LINE+10]]:8: error: 'tgemm.matmul' op multiplies f32, but h200 has MMA instructions for f16 and bf16
// UNKNOWN: Cannot find option named 'tf32'

// The second product reads what the first has made as it is, and rows of 13.

func.func @f(%x: tensor<5x37x44xf32>, %w: tensor<5x44x24xf32>, %v: tensor<24x13xf32>)
    -> (tensor<5x37x24xf32> {grout.name = "h"}, tensor<185x13xf32> {grout.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x37x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x37x24xf32>) -> tensor<5x37x24xf32>
  %h = linalg.batch_matmul
    ins(%x, %w : tensor<5x37x44xf32>, tensor<5x44x24xf32>)
    outs(%z : tensor<5x37x24xf32>) -> tensor<5x37x24xf32>
  %rows = tensor.collapse_shape %h [[0, 1], [2]] : tensor<5x37x24xf32> into tensor<185x24xf32>
  %e2 = tensor.empty() : tensor<185x13xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<185x13xf32>) -> tensor<185x13xf32>
  %y = linalg.matmul
    ins(%rows, %v : tensor<185x24xf32>, tensor<24x13xf32>)
    outs(%z2 : tensor<185x13xf32>) -> tensor<185x13xf32>
  return %h, %y : tensor<5x37x24xf32>, tensor<185x13xf32>
}
