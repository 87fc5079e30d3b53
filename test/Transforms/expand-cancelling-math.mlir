// RUN: grout-opt %s --expand-cancelling-math | FileCheck %s

// CHECK-DAG: func.func private @expm1(f64) -> f64
// CHECK-DAG: func.func private @log1p(f64) -> f64

// CHECK-LABEL: func.func @wide(
// CHECK:         call @expm1
// CHECK:         call @log1p
// CHECK:         math.exp
func.func @wide(%x: f64) -> f64 {
  %e = math.expm1 %x : f64
  %l = math.log1p %e : f64
  %r = math.exp %l : f64
  return %r : f64
}

// Others than the two are left to passes after this one.
// CHECK-LABEL: func.func @single(
// CHECK-NOT:     math.expm1
// CHECK-NOT:     math.log1p
// CHECK:         math.tanh
func.func @single(%x: vector<8xf32>) -> vector<8xf32> {
  %e = math.expm1 %x : vector<8xf32>
  %l = math.log1p %e : vector<8xf32>
  %r = math.tanh %l : vector<8xf32>
  return %r : vector<8xf32>
}
