// RUN: grout-opt %s --expand-scalar-math --split-input-file | FileCheck %s

// Products of squares, of which each bit of the exponent takes one, and what 1
// divided by the power is.

// CHECK-LABEL: func @integer(
// CHECK-SAME:    %[[X:.*]]: i8, %[[N:.*]]: i8)
func.func @integer(%x: i8, %n: i8) -> i8 {
  // CHECK-DAG:      %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK-DAG:      %[[ONE:.*]] = arith.constant 1 : i8
  // CHECK-DAG:      %[[MINUS_ONE:.*]] = arith.constant -1 : i8
  // CHECK:          %[[IS_NEGATIVE:.*]] = arith.cmpi slt, %[[N]], %[[ZERO]]
  // CHECK:          %[[IS_ODD:.*]] = arith.cmpi ne
  // CHECK:          %[[OF_MINUS_ONE:.*]] = arith.select %[[IS_ODD]], %[[MINUS_ONE]], %[[ONE]]
  // CHECK:          %[[IS_ZERO:.*]] = arith.cmpi eq, %[[X]], %[[ZERO]]
  // CHECK:          %[[OF_OTHERS:.*]] = arith.select %[[IS_ZERO]], %[[MINUS_ONE]], %[[ZERO]]
  // CHECK:          %[[IS_MINUS_ONE:.*]] = arith.cmpi eq, %[[X]], %[[MINUS_ONE]]
  // CHECK:          %[[SOME:.*]] = arith.select %[[IS_MINUS_ONE]], %[[OF_MINUS_ONE]], %[[OF_OTHERS]]
  // CHECK:          %[[IS_ONE:.*]] = arith.cmpi eq, %[[X]], %[[ONE]]
  // CHECK:          %[[INVERSE:.*]] = arith.select %[[IS_ONE]], %[[ONE]], %[[SOME]]
  // CHECK-COUNT-14: arith.muli
  // CHECK-NOT:      arith.muli
  // CHECK:          %[[RESULT:.*]] = arith.select %[[IS_NEGATIVE]], %[[INVERSE]], %{{.*}}
  // CHECK:          return %[[RESULT]]
  %r = math.ipowi %x, %n : i8
  return %r : i8
}

// -----

// A constant has fewer bits.

// CHECK-LABEL: func @square(
func.func @square(%x: i64) -> i64 {
  // CHECK-COUNT-4: arith.muli
  // CHECK-NOT:     arith.muli
  // CHECK:         return
  %n = arith.constant 2 : i64
  %r = math.ipowi %x, %n : i64
  return %r : i64
}

// -----

// The sign is that of the base if the exponent is odd. f16 has no room for
// exponents.

// CHECK-LABEL: func @float(
// CHECK-SAME:    %[[X:.*]]: f16, %[[N:.*]]: index)
func.func @float(%x: f16, %n: index) -> f16 {
  // CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
  // CHECK: %[[M:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[SIZE:.*]] = math.absf %[[WIDE]]
  // CHECK: %[[E:.*]] = arith.sitofp %[[M]] : i64 to f32
  // CHECK: %[[P:.*]] = math.powf %[[SIZE]], %[[E]] : f32
  // CHECK: %[[ODD:.*]] = arith.trunci %[[M]] : i64 to i1
  // CHECK: %[[SIGNED:.*]] = math.copysign %[[P]], %[[WIDE]]
  // CHECK: %[[R:.*]] = arith.select %[[ODD]], %[[SIGNED]], %[[P]]
  // CHECK: arith.truncf %[[R]] : f32 to f16
  %r = math.fpowi %x, %n : f16, index
  return %r : f16
}

// -----

// CHECK-LABEL: func @constant_power(
func.func @constant_power(%x: f32) -> f32 {
  %n = arith.constant 3 : i32
  // CHECK: math.fpowi
  %r = math.fpowi %x, %n : f32, i32
  return %r : f32
}

// -----

// CHECK-LABEL: func @classes(
// CHECK-SAME:    %[[X:.*]]: bf16)
func.func @classes(%x: bf16) -> (i1, i1) {
  // CHECK: %[[A:.*]] = math.absf %[[X]] : bf16
  // CHECK: %[[INF:.*]] = arith.constant 0x7F80 : bf16
  // CHECK: %[[IS_INF:.*]] = arith.cmpf oeq, %[[A]], %[[INF]]
  %i = math.isinf %x : bf16
  // CHECK: %[[B:.*]] = math.absf %[[X]] : bf16
  // CHECK: %[[LEAST:.*]] = arith.constant 1.175490e-38 : bf16
  // CHECK: %[[LARGE:.*]] = arith.cmpf oge, %[[B]], %[[LEAST]]
  // CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[B]], %{{.*}}
  // CHECK: %[[NORMAL:.*]] = arith.andi %[[LARGE]], %[[FINITE]]
  %n = math.isnormal %x : bf16
  // CHECK: return %[[IS_INF]], %[[NORMAL]]
  return %i, %n : i1, i1
}

// -----

// CHECK-LABEL: func @others(
// CHECK-SAME:    %[[X:.*]]: f64, %[[L:.*]]: f64, %[[H:.*]]: f64)
func.func @others(%x: f64, %l: f64, %h: f64) -> (f64, f64, f64) {
  // CHECK: %[[ABOVE:.*]] = arith.maximumf %[[X]], %[[L]]
  // CHECK: %[[C:.*]] = arith.minimumf %[[ABOVE]], %[[H]]
  %c = math.clampf %x to [%l, %h] : f64
  // CHECK: %[[SIN:.*]] = math.sin %[[X]]
  // CHECK: %[[COS:.*]] = math.cos %[[X]]
  %s, %d = math.sincos %x : f64
  // CHECK: return %[[C]], %[[SIN]], %[[COS]]
  return %c, %s, %d : f64, f64, f64
}
