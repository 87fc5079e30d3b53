// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=5 --inject-delays=7 | FileCheck %s
// RUN: grout-compile %s -o %t.grout --explain | FileCheck %s --check-prefix=EXPLAIN
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s

// Experts: groups with no rows, one row, and more rows than a tile; two products
// and their gate in one kernel, and a product behind it, whose weights are stored
// as N x K.

// CHECK: relative error {{.*}}: passes
// EXPLAIN: problem     75 x 40 x 24 (M x N x K), 2 products of f16, rows in 5 groups

func.func @experts(%x: tensor<75x24xf16>, %gate: tensor<5x24x40xf16>, %up: tensor<5x24x40xf16>, %down: tensor<5x24x40xf16>) -> tensor<75x24xf16> {
  // Rows 0 to 2, none, 3 to 72, 73, 74.
  %ends = arith.constant dense<[3, 3, 73, 74, 75]> : tensor<5xi32>
  %h = tgemm.grouped_matmul %x, %gate, %up ends(%ends : tensor<5xi32>) : tensor<75x24xf16>, tensor<5x24x40xf16>, tensor<5x24x40xf16> -> tensor<75x40xf16> {
  ^bb0(%a: f32, %b: f32):
    %one = arith.constant 1.0 : f32
    %n = arith.negf %a : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %s = arith.divf %a, %d : f32
    %p = arith.mulf %s, %b : f32
    %out = arith.truncf %p : f32 to f16
    tgemm.yield %out : f16
  }
  %y = tgemm.grouped_matmul %h, %down ends(%ends : tensor<5xi32>) {transpose_rhs} : tensor<75x40xf16>, tensor<5x24x40xf16> -> tensor<75x24xf16>
  return %y : tensor<75x24xf16>
}
