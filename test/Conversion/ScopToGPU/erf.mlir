// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - | FileCheck %s

// The error function: two polynomials, of six coefficients each, a power of 2,
// and a choice. Neither a division nor a table of coefficients to choose from.
// What is no number stays none.

// CHECK-LABEL: .entry erf_kernel0(
// CHECK-DAG:     abs.f32
// CHECK-DAG:     min.NaN.f32
// CHECK-COUNT-5: fma.rn.f32
// CHECK-COUNT-5: fma.rn.f32
// CHECK:         ex2.approx.ftz.f32
// CHECK:         copysign.f32
// CHECK:         selp.f32
// CHECK-NOT:     {{div|selp|ex2}}
// CHECK:         st.global
func.func @erf(%x: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<7xf32>
  %y = linalg.erf ins(%x : tensor<7xf32>) outs(%empty : tensor<7xf32>)
      -> tensor<7xf32>
  return %y : tensor<7xf32>
}
