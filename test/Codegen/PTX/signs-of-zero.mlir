// RUN: grout-compile %s --target=h200 --emit=ptx | FileCheck %s
// RUN: grout-compile %s --target=a100 --emit=ptx | FileCheck %s

// -0.0 is not less than 0.0: it stays, whether it is widened or rounded. "Less"
// becomes its opposite, and "less or equal" would be wrong.

// CHECK-NOT:     setp.le.f
// CHECK:         setp.geu.f16
// CHECK-NOT:     setp.le.f
// CHECK:         setp.geu.f32
// CHECK-NOT:     setp.le.f

#id = affine_map<(i) -> (i)>

func.func @not_negative(%x: tensor<1024xf16>, %y: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf16>) {
  %zero = arith.constant 0.0 : f16
  %wide_zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<1024xf16>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<1024xf16>, tensor<1024xf32>) outs(%e, %f : tensor<1024xf32>, tensor<1024xf16>) {
  ^bb0(%a: f16, %b: f32, %c: f32, %d: f16):
    %less = arith.cmpf olt, %a, %zero : f16
    %wide = arith.extf %a : f16 to f32
    %selected = arith.select %less, %wide_zero, %wide : f32
    %wide_less = arith.cmpf olt, %b, %wide_zero : f32
    %narrow = arith.truncf %b : f32 to f16
    %other = arith.select %wide_less, %zero, %narrow : f16
    linalg.yield %selected, %other : f32, f16
  } -> (tensor<1024xf32>, tensor<1024xf16>)
  return %r#0, %r#1 : tensor<1024xf32>, tensor<1024xf16>
}
