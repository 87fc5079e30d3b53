// RUN: grout-opt %s --expand-half-floats | FileCheck %s

// By way of f32, rounded to odd.

// CHECK-LABEL: func.func @rounded(
// CHECK-SAME:      %[[X:.*]]: f64)
// CHECK:         %[[F:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK:         %[[BACK:.*]] = arith.extf %[[F]] : f32 to f64
// CHECK:         %[[LARGER:.*]] = arith.cmpf ogt
// CHECK:         %[[OTHER:.*]] = arith.cmpf one, %[[BACK]], %[[X]]
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[F]] : f32 to i32
// CHECK:         %[[L:.*]] = arith.extui %[[LARGER]] : i1 to i32
// CHECK:         %[[TOWARDS:.*]] = arith.subi %[[BITS]], %[[L]]
// CHECK:         %[[O:.*]] = arith.extui %[[OTHER]] : i1 to i32
// CHECK:         %[[ODD:.*]] = arith.ori %[[TOWARDS]], %[[O]]
// CHECK:         %[[R:.*]] = arith.bitcast %[[ODD]] : i32 to f32
// CHECK:         arith.truncf %[[R]] : f32 to f16
func.func @rounded(%x: f64) -> f16 {
  %y = arith.truncf %x : f64 to f16
  return %y : f16
}

// CHECK-LABEL: func.func @fused(
// CHECK-SAME:      %[[X:.*]]: vector<4xbf16>)
// CHECK:         %[[A:.*]] = arith.extf %[[X]] : vector<4xbf16> to vector<4xf32>
// CHECK:         arith.extf %[[A]] : vector<4xf32> to vector<4xf64>
// CHECK:         math.fma {{.*}} : vector<4xf64>
// CHECK:         arith.truncf {{.*}} : vector<4xf64> to vector<4xf32>
// CHECK:         arith.truncf {{.*}} : vector<4xf32> to vector<4xbf16>
func.func @fused(%x: vector<4xbf16>) -> vector<4xbf16> {
  %y = math.fma %x, %x, %x : vector<4xbf16>
  return %y : vector<4xbf16>
}

// What has instructions stays.

// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    math.fma {{.*}} : f32
// CHECK-NEXT:    arith.truncf {{.*}} : f32 to f16
func.func @kept(%x: f32) -> f16 {
  %y = math.fma %x, %x, %x : f32
  %z = arith.truncf %y : f32 to f16
  return %z : f16
}
