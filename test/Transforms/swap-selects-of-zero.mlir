// RUN: grout-opt %s --swap-selects-of-zero --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @widened(
// CHECK-SAME:      %[[X:.*]]: f16)
// CHECK-DAG:     %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK-DAG:     %[[OTHER:.*]] = arith.cmpf uge, %[[X]],
// CHECK:         arith.select %[[OTHER]], %[[WIDE]], %{{.*}} : f32
func.func @widened(%x: f16) -> f32 {
  %zero = arith.constant 0.0 : f16
  %wide_zero = arith.constant 0.0 : f32
  %less = arith.cmpf olt, %x, %zero : f16
  %wide = arith.extf %x : f16 to f32
  %y = arith.select %less, %wide_zero, %wide : f32
  return %y : f32
}

// -----

// CHECK-LABEL: func.func @rounded(
// CHECK:         %[[NARROW:.*]] = arith.truncf
// CHECK:         %[[OTHER:.*]] = arith.cmpf ole,
// CHECK:         arith.select %[[OTHER]], %[[NARROW]], %{{.*}} : vector<4xi1>, vector<4xf16>
func.func @rounded(%x: vector<4xf32>) -> vector<4xf16> {
  %zero = arith.constant dense<-0.0> : vector<4xf32>
  %narrow_zero = arith.constant dense<0.0> : vector<4xf16>
  %more = arith.cmpf ugt, %zero, %x : vector<4xf32>
  %narrow = arith.truncf %x : vector<4xf32> to vector<4xf16>
  %y = arith.select %more, %narrow_zero, %narrow : vector<4xi1>, vector<4xf16>
  return %y : vector<4xf16>
}

// -----

// LLVM leaves these alone.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME:      %[[X:.*]]: f32)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0
// CHECK-DAG:     %[[LESS:.*]] = arith.cmpf olt, %[[X]], %[[ZERO]]
// CHECK-DAG:     arith.select %[[LESS]], %[[ONE]], %[[X]]
// CHECK-DAG:     %[[UNDER_ONE:.*]] = arith.cmpf olt, %[[X]], %[[ONE]]
// CHECK-DAG:     arith.select %[[UNDER_ONE]], %[[ZERO]], %[[X]]
// CHECK-DAG:     %[[AT_MOST:.*]] = arith.cmpf ole, %[[X]], %[[ZERO]]
// CHECK-DAG:     arith.select %[[AT_MOST]], %[[ZERO]], %[[X]]
func.func @kept(%x: f32) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %less = arith.cmpf olt, %x, %zero : f32
  %under_one = arith.cmpf olt, %x, %one : f32
  %at_most = arith.cmpf ole, %x, %zero : f32
  %a = arith.select %less, %one, %x : f32
  %b = arith.select %under_one, %zero, %x : f32
  %c = arith.select %at_most, %zero, %x : f32
  return %a, %b, %c : f32, f32, f32
}

// -----

// The condition goes through a local variable.

// CHECK-LABEL: func.func @through_memory(
// CHECK-SAME:      %[[X:.*]]: f32)
// CHECK-DAG:     %[[OTHER:.*]] = arith.cmpf uge, %[[X]],
// CHECK-DAG:     %[[WIDE:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK:         arith.select %[[OTHER]], %[[WIDE]], %{{.*}} : f64
func.func @through_memory(%x: f32) -> f64 {
  %zero = arith.constant 0.0 : f32
  %wide_zero = arith.constant 0.0 : f64
  %variable = memref.alloca() : memref<i1>
  %less = arith.cmpf olt, %x, %zero : f32
  memref.store %less, %variable[] : memref<i1>
  %wide = arith.extf %x : f32 to f64
  %condition = memref.load %variable[] : memref<i1>
  %y = arith.select %condition, %wide_zero, %wide : f64
  return %y : f64
}

// -----

// Nobody knows which condition it is: another store may be between, and a loop.

// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     arith.cmpf uge
func.func @unknown(%x: f32, %n: index, %c: i1) -> f64 {
  %start = arith.constant 0 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %wide_zero = arith.constant 0.0 : f64
  %variable = memref.alloca() : memref<i1>
  %less = arith.cmpf olt, %x, %zero : f32
  memref.store %less, %variable[] : memref<i1>
  scf.for %i = %start to %n step %one {
    memref.store %c, %variable[] : memref<i1>
  }
  %wide = arith.extf %x : f32 to f64
  %condition = memref.load %variable[] : memref<i1>
  %y = arith.select %condition, %wide_zero, %wide : f64
  return %y : f64
}
