// RUN: grout-opt %s --fold-float-casts --canonicalize | FileCheck %s
// RUN: grout-compile %s --target=h200 -o %t.grout
// RUN: grout-compile %s --target=cpu -o %t.grout && grout-run %t.grout --device=cpu --check

// How importers clamp what was computed in f16, in the epilogue of a product,
// which has no f64: -2 is a number of f16, of which the next ones to 64504 and
// 0.1 are 64512, above, and 0.0999756, below. None equals 0.1.

// CHECK-LABEL: func.func @clamped
// CHECK-DAG: %[[TWO:.*]] = arith.constant -2.0{{.*}} : f16
// CHECK-DAG: %[[MOST:.*]] = arith.constant 6.451200e+04 : f16
// CHECK-DAG: %[[TENTH:.*]] = arith.constant 9.997550e-02 : f16
// CHECK-DAG: %[[NEVER:.*]] = arith.cmpf false, %[[A:.*]], %{{.*}} : f16
// CHECK-DAG: arith.cmpf olt, %[[A]], %[[TWO]] fastmath<ninf> : f16
// CHECK-DAG: arith.cmpf uge, %[[A]], %[[MOST]] : f16
// CHECK-DAG: arith.cmpf ole, %[[A]], %[[TENTH]] : f16
// CHECK-NOT: arith.cmpf {{.*}} f64
func.func @clamped(%x: tensor<128x256xf16>, %w: tensor<256x64xf16>) -> tensor<128x64xf16> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -2.0 : f64
  %most = arith.constant 64504.0 : f64
  %tenth = arith.constant 0.1 : f64
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x256xf16>, tensor<256x64xf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  %o = tensor.empty() : tensor<128x64xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<128x64xf32>) outs(%o : tensor<128x64xf16>) {
  ^bb0(%a: f32, %b: f16):
    %narrow = arith.truncf %a : f32 to f16
    %wide = arith.extf %narrow : f16 to f64
    %c0 = arith.cmpf olt, %wide, %least fastmath<ninf> : f64
    %c1 = arith.cmpf ugt, %wide, %most fastmath<ninf> : f64
    %c2 = arith.cmpf olt, %wide, %tenth : f64
    %c3 = arith.cmpf oeq, %wide, %tenth : f64
    %low = arith.truncf %least : f64 to f16
    %high = arith.truncf %most : f64 to f16
    %r0 = arith.select %c0, %low, %narrow : f16
    %r1 = arith.select %c1, %high, %r0 : f16
    %n = arith.negf %r1 : f16
    %r2 = arith.select %c2, %n, %r1 : f16
    %r3 = arith.select %c3, %low, %r2 : f16
    linalg.yield %r3 : f16
  } -> tensor<128x64xf16>
  return %y : tensor<128x64xf16>
}
